"""What the rules forbid; and their two helps: what they do, and that they leave the rest alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.players.nets import MaterialNet
from tests.sources import CHESS
from zeroply.games import Game, Position, game_named
from zeroply.players.base import Glance
from zeroply.players.chosen import player_of
from zeroply.players.rules import HELPS, Because, Help, forbidden, mate_in_one, nothing_given_away

XIANGQI = game_named("xiangqi")
SHUFFLE = ("a1b1", "h8g8", "b1a1", "g8h8")


def played(fen: str, *names: str, game: Game = CHESS) -> Position:
    position: Position = game.start(fen)
    for name in names:
        position = position.play(game.moves.number(name))
    return position


def evenly(position: Position, expected: float | None) -> Glance:
    legal = position.legal()
    shares = np.full(len(legal), 1 / len(legal))
    return Glance(moves=legal, probabilities=shares, expected=expected)


def names(glance: Glance, game: Game = CHESS) -> set[str]:
    return {game.moves.names[move] for move in glance.moves}


def test_a_mate_in_one_is_all_that_is_left() -> None:
    position = played("6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1")
    helped = mate_in_one(position, evenly(position, 0.5))
    assert names(helped) == {"a1a8", "b1b8"}
    assert helped.probabilities.tolist() == [0.5, 0.5]


def test_without_a_mate_nothing_changes() -> None:
    position = CHESS.start()
    glance = evenly(position, 0.5)
    assert mate_in_one(position, glance) is glance


def test_black_mates_too() -> None:
    position = played("rr4k1/8/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert names(mate_in_one(position, evenly(position, 0.5))) == {"a8a1", "b8b1"}


def test_in_xiangqi_a_stalemate_wins_like_a_mate() -> None:
    position = played("3k5/9/RP7/9/9/9/9/9/9/4K4 w - - 0 1", game=XIANGQI)
    helped = mate_in_one(position, evenly(position, 0.5))
    assert names(helped, XIANGQI) == {"a7a8"}
    after = position.play(int(helped.moves[0]))
    assert (after.in_check(), after.result()) == (False, 1.0)
    # A winning side that shuns draws may do it too.
    assert "a7a8" in names(nothing_given_away(position, evenly(position, 1.0)), XIANGQI)


def test_in_xiangqi_both_sides_mate() -> None:
    red = played("3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 0 1", game=XIANGQI)
    black = played("4k4/9/9/9/9/9/9/8r/r8/3K5 b - - 0 1", game=XIANGQI)
    for position, mates in ((red, {"i7i9", "i7d7"}), (black, {"i2i0", "i2d2"})):
        found = mate_in_one(position, evenly(position, 0.5))
        assert mates <= names(found, XIANGQI)
        assert len(found.moves) < len(position.legal())
        assert {position.play(int(move)).result() for move in found.moves} == {1.0 - position.turn}


def test_in_xiangqi_a_winning_side_does_not_repeat() -> None:
    shuffle = ("a0a1", "d9d8", "a1a0", "d8d9")
    position = played("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", *shuffle, game=XIANGQI)
    assert "a0a1" in names(evenly(position, 0.9), XIANGQI)
    assert "a0a1" not in names(nothing_given_away(position, evenly(position, 0.9)), XIANGQI)


CHECKING = ("a9a8", "d8d9", "a8a9", "d9d8")
CHECKED = ("a1a9", "d9d8", *CHECKING, *CHECKING[:2])
"""Red has checked throughout; a8a9 would be the third occurrence."""


@pytest.mark.parametrize("helps", [(), HELPS], ids=["alone", "helped"])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("win", [0.1, 0.9])
def test_in_xiangqi_nobody_ends_the_game_by_perpetual_check(
    win: float, temperature: float, helps: Sequence[Help]
) -> None:
    player = player_of(MaterialNet("policy"), temperature=temperature, helps=helps)
    red = played("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", *CHECKED, game=XIANGQI)
    assert red.play(XIANGQI.moves.number("a8a9")).result() == 0.0
    assert XIANGQI.moves.names[player.pick(red, longing_for("a8a9", red, win))] != "a8a9"
    checks = ("i0i1", "d1d0", "i1i0", "d0d1")
    fen = "4k4/8r/9/9/9/9/9/9/9/3K5 b - - 0 1"
    black = played(fen, "i8i0", "d0d1", *checks, *checks[:2], game=XIANGQI)
    assert black.play(XIANGQI.moves.number("i1i0")).result() == 1.0
    assert XIANGQI.moves.names[player.pick(black, longing_for("i1i0", black, win))] != "i1i0"


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_forbidden_move_is_played_where_there_is_no_other(temperature: float) -> None:
    red = played("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", *CHECKED, game=XIANGQI)
    only = np.array([XIANGQI.moves.number("a8a9")])
    player = player_of(MaterialNet("policy"), temperature=temperature)
    assert player.pick(red, Glance(moves=only, probabilities=np.ones(1))) == only[0]


CHECKED_BEFORE = played("3k5/9/9/9/9/8p/9/9/R8/4K4 w - - 0 1", *CHECKED, game=XIANGQI)


@pytest.mark.parametrize("temperature", [0.0, 1e-3])
@pytest.mark.parametrize(
    ("position", "longed", "expected", "because"),
    [
        (played("6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"), "a1a2", 0.9, Because.wins_at_once),
        (played("6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"), "a1a8", 0.9, None),
        (played("7k/8/8/8/8/8/8/R6K w - - 0 1", *SHUFFLE), "a1b1", 0.9, Because.gives_nothing_away),
        (played("7k/8/8/8/8/8/8/R6K w - - 0 1", *SHUFFLE), "a1b1", 0.4, None),
        (CHECKED_BEFORE, "a8a9", 0.4, Because.forbidden),
        (CHECKED_BEFORE, "a8a9", 0.9, Because.gives_nothing_away),
    ],
)
def test_a_player_says_why_its_likeliest_move_is_not_played(
    position: Position, longed: str, expected: float, because: Because | None, temperature: float
) -> None:
    game = XIANGQI if position is CHECKED_BEFORE else CHESS
    player = player_of(MaterialNet("policy"), temperature=temperature, helps=HELPS)
    decision = player.decide(position, longing_for(longed, position, expected, game))
    assert decision.because == because
    assert (decision.move == game.moves.number(longed)) == (because is None)
    alone = player_of(MaterialNet("policy"), temperature=temperature)
    reason = alone.decide(position, longing_for(longed, position, expected, game)).because
    assert reason == (Because.forbidden if position is CHECKED_BEFORE else None)


def test_chance_is_no_reason() -> None:
    position = played("6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1")
    player = player_of(MaterialNet("policy"), temperature=100.0, seed=1)
    decisions = [player.decide(position, evenly(position, 0.5)) for _ in range(20)]
    assert len({decision.move for decision in decisions}) > 1
    assert {decision.because for decision in decisions} == {None}


def longing_for(name: str, position: Position, expected: float, game: Game = XIANGQI) -> Glance:
    """Nearly sure of one move, and certain that all but two others are nothing."""
    legal = position.legal()
    first = np.array([game.moves.number(name)])
    others = legal[legal != first[0]]
    shares = np.array([0.999, 0.0005, 0.0005, *[0.0] * (len(legal) - 3)])
    return Glance(moves=np.concatenate([first, others]), probabilities=shares, expected=expected)


def test_a_winning_side_does_not_stalemate() -> None:
    position = played("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1")
    assert "f5f7" in names(evenly(position, 1.0))
    assert "f5f7" not in names(nothing_given_away(position, evenly(position, 1.0)))


def test_a_winning_side_does_not_repeat() -> None:
    position = played("7k/8/8/8/8/8/8/R6K w - - 0 1", *SHUFFLE)
    assert "a1b1" not in names(nothing_given_away(position, evenly(position, 0.9)))


def test_a_side_that_is_not_winning_may_draw() -> None:
    position = played("7k/8/8/8/8/8/8/R6K w - - 0 1", *SHUFFLE)
    glance = evenly(position, 0.4)
    assert nothing_given_away(position, glance) is glance


def test_a_net_that_does_not_tell_what_it_expects_may_draw() -> None:
    position = played("7k/8/8/8/8/8/8/R6K w - - 0 1", *SHUFFLE)
    glance = evenly(position, None)
    assert nothing_given_away(position, glance) is glance


def test_a_draw_that_cannot_be_avoided_is_played() -> None:
    # White's only move takes the last piece: bare kings, a draw.
    position = played("8/8/8/8/8/8/6q1/k5K1 w - - 0 1")
    glance = evenly(position, 1.0)
    assert names(glance) == {"g1g2"}
    assert nothing_given_away(position, glance) is glance


@pytest.mark.slow
@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=["chess", "xiangqi"])
def test_with_both_helps_the_bundled_nets_beat_a_random_mover(game: Game) -> None:
    from zeroply.evals.match import play_match
    from zeroply.evals.openings import random_openings
    from zeroply.players.simple import RandomPlayer
    from zeroply.players.spec import parse_player

    player = parse_player(game.name, game, helps=HELPS)
    found = play_match(player, RandomPlayer(5), game, 30, random_openings(game, 15, seed=7)).summary()
    assert found["wins"] == 30


def test_a_check_is_not_given_when_the_reply_makes_it_perpetual() -> None:
    """From a game that the bundled net lost so."""
    line = ("c7c8", "e8e7", "c8c7", "e7e8", "h9h8", "e8e9")
    start = "3C3R1/4k4/b1R2a3/2p3p2/2b1C3p/P8/2P1P1P1P/2N6/9/2BAKABN1 w - - 1 28"
    position = played(start, *line, game=XIANGQI)
    assert played(start, *line, "h8h9", "e9e8", game=XIANGQI).result() == 0.0
    bad = {name for name in names(evenly(position, 0.5), XIANGQI) if _forbidden(position, name)}
    assert bad == {"h8h9"}


CHASE = ("a6a5", "f5d6", "a5a6", "d6f5", "a6a5", "f5h6")
"""A chariot has chased a horse, which now flees to another square: to chase it there is no repetition yet."""


@pytest.mark.parametrize("side", [0, 1], ids=["Red", "Black"])
def test_a_chase_is_not_gone_on_with_when_the_reply_ends_it(side: int) -> None:
    fen = ("4k4/9/9/R8/5n3/9/9/9/9/3K5 w - - 0 1", "3k5/9/9/9/9/5N3/r8/9/9/4K4 b - - 0 1")[side]
    position = played(fen, *(turned(name, side) for name in CHASE), game=XIANGQI)
    again, back = turned("a5a6", side), turned("h6f5", side)
    after = position.play(XIANGQI.moves.number(again))
    assert (after.in_check(), after.repeats, after.result()) == (False, 0, None)
    end = after.play(XIANGQI.moves.number(back))
    assert (end.result(), end.reason()) == (side, f"{XIANGQI.sides[side]} chased a piece without end")
    bad = {name for name in names(evenly(position, 0.5), XIANGQI) if _forbidden(position, name)}
    assert bad == {again}


def turned(name: str, side: int) -> str:
    return XIANGQI.moves.names[XIANGQI.moves.mirror[XIANGQI.moves.number(name)]] if side else name


@pytest.mark.parametrize("seed", range(6))
def test_who_checks_whenever_it_is_not_forbidden_does_not_lose_for_it(seed: int) -> None:
    chance = np.random.default_rng(seed)
    position = played("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", game=XIANGQI)
    while position.result() is None:
        if position.turn == 0:
            checks = {int(move): position.play(int(move)).in_check() for move in position.legal()}
            preferred = sorted(checks, key=lambda move: not checks[move])
            move = next(move for move in preferred if not forbidden(position, move))
        else:
            move = int(chance.choice(position.legal()))
        position = position.play(move)
    assert position.result() != 0.0, position.reason()


def test_in_chess_no_move_is_forbidden_nor_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played("7k/8/8/8/8/8/8/R6K w - - 0 1", "a1b1", "h8g8", "b1a1", "g8h8")
    monkeypatch.delattr(type(position), "play")
    assert not any(forbidden(position, move) for move in position.legal())


def _forbidden(position: Position, name: str) -> bool:
    return forbidden(position, XIANGQI.moves.number(name))
