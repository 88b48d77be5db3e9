"""The nets that come with the package: what they say of themselves, and that they play with sense."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

from tests.commands import PROGRAM
from tests.sources import ROOT
from zeroply.artefacts import bundled
from zeroply.games import Game, game_named
from zeroply.players.base import Network
from zeroply.players.chosen import player_of
from zeroply.players.load import load_network

OPENINGS = {
    "chess": {"e2e4", "d2d4", "g1f3", "c2c4"},
    "xiangqi": {"h2e2", "b2e2", "g3g4", "c3c4", "g0e2", "c0e2"},
}
"""What people begin with: cannons to the middle, soldiers of the horses, elephants."""
AHEAD = {
    "chess": [
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r1b2rk1/pp3ppp/2n1pn2/2bp4/8/2NBPN2/PP3PPP/R1BQ1RK1",
        "r4rk1/1bpnbppp/p3pn2/1p6/3P4/1BN1PN2/PP2QPPP/R1B2RK1",
        "2r3k1/pp3ppp/4pn2/8/3P4/1Q3N2/PP3PPP/3R2K1",
        "6k1/5ppp/p3p3/1p6/8/P3P3/1P3PPP/3Q2K1",
    ],
    "xiangqi": [
        "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "2bakabr1/9/2n1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/2N1C1N2/9/R1BAKABR1",
        "3akab2/9/4b1n2/p3p3p/9/2P6/P3P3P/4B1N2/4A4/R1B1KA3",
    ],
}
"""Of each position the first side has a queen or a chariot more: in the opening, later, at the end."""
WHY = "in its last run no games at odds were told as those of engines without a rating, as which it plays"
NOT_YET = {
    **{board: pytest.mark.xfail(strict=True, reason=f"0.81: {WHY}") for board in AHEAD["chess"][:2]},
    AHEAD["chess"][2]: pytest.mark.xfail(
        strict=False, reason=f"0.898, and other processors round otherwise: {WHY}"
    ),
}
"""What the chess net does not reach (docs/models/chess.md)."""
A_PATH = re.compile(rb"/(home|root|tmp|work|Users|usr|opt)/[\w.-]+")
LARGEST = {"chess": 25_000_000, "xiangqi": 15_000_000}


@pytest.fixture(scope="module", params=sorted(OPENINGS))
def net(request: pytest.FixtureRequest) -> Network:
    return load_network(request.param)


def sampled(net: Network, plies: int, seed: int) -> list[int]:
    player, position, moves = player_of(net, temperature=1.0, seed=seed), net.game.start(), []
    for _ in range(plies):
        moves += player.choose([position])
        position = position.play(moves[-1])
    return moves


def test_each_game_has_one() -> None:
    assert set(bundled()) == set(OPENINGS)
    for name, path in bundled().items():
        assert load_network(name).game.name == name
        assert path.stat().st_size < LARGEST[name]


def test_they_tell_what_they_learnt_from_and_nothing_of_the_machine(net: Network) -> None:
    training = net.about["training"]
    assert training["positions"] > 1_000_000
    assert training["date"] >= "2026"
    assert not A_PATH.search(bundled()[net.game.name].read_bytes())
    assert f"{net.game.name}.onnx: " in (ROOT / "NOTICE").read_text(encoding="utf-8")


@pytest.mark.slow
def test_no_answer_depends_on_the_batch(net: Network) -> None:
    positions = [net.game.start()]
    for move in sampled(net, 12, 1):
        positions.append(positions[-1].play(move))
    together = player_of(net).glance(positions)
    for position, one_of_many in zip(positions, together, strict=True):
        alone = player_of(net).glance([position])[0]
        np.testing.assert_array_equal(alone.moves, one_of_many.moves)
        np.testing.assert_allclose(alone.probabilities, one_of_many.probabilities, atol=1e-6)


def test_they_begin_as_people_do(net: Network) -> None:
    game: Game = net.game
    glance = player_of(net).glance([game.start()])[0]
    assert {game.moves.names[move] for move in glance.moves[:4]} <= OPENINGS[game.name]
    assert glance.probabilities[:4].sum() > 0.7


@pytest.mark.slow
def test_the_first_ten_moves_bring_pieces_out(net: Network) -> None:
    """No position of a sampled beginning occurs twice, and no piece only goes back and forth."""
    game = net.game
    for seed in range(3):
        position, seen = game.start(), set()
        moved_to: list[set[int]] = [set(), set()]
        for move in sampled(net, 20, seed):
            moved_to[position.turn].add(int(game.moves.end[move]))
            position = position.play(move)
            seen.add(position.fen().split()[0])
        assert len(seen) == 20
        assert all(len(squares) >= 7 for squares in moved_to)


@pytest.mark.slow
def test_one_seed_gives_one_game(net: Network) -> None:
    assert sampled(net, 12, 1) == sampled(net, 12, 1)
    assert sampled(net, 12, 1) != sampled(net, 12, 2)


@pytest.mark.parametrize("ahead", ["the first side", "the second side"])
@pytest.mark.parametrize(
    ("name", "board"),
    [
        pytest.param(name, board, marks=NOT_YET.get(board, ()))
        for name, boards in AHEAD.items()
        for board in boards
    ],
)
def test_a_queen_or_chariot_more_is_nearly_a_win_for_either_side(name: str, board: str, ahead: str) -> None:
    net = load_network(name)
    if ahead == "the second side":
        board = "/".join(reversed(board.swapcase().split("/")))
    positions = [net.game.start(f"{board} {turn} - - 0 1") for turn in "wb"]
    for position, glance in zip(positions, player_of(net).glance(positions), strict=True):
        assert glance.wdl is not None
        win, draw, _ = glance.wdl
        points = win + draw / 2
        mover_is_ahead = (position.turn == 0) == (ahead == "the first side")
        assert (points if mover_is_ahead else 1 - points) >= 0.9, f"{position.fen()}: {glance.wdl}"


def test_left_and_right_are_nearly_alike_in_xiangqi() -> None:
    net = load_network("xiangqi")
    names = net.game.moves.names
    glance = player_of(net).glance([net.game.start()])[0]
    share = {names[move]: part for move, part in zip(glance.moves, glance.probabilities, strict=True)}
    np.testing.assert_allclose(share["h2e2"], share["b2e2"], atol=0.05)


@pytest.mark.slow
@pytest.mark.engine("fairy-stockfish")
def test_ucci_plays_whole_games_with_the_bundled_net() -> None:
    from zeroply.evals.match import play_match
    from zeroply.evals.openings import random_openings
    from zeroply.players.spec import parse_player

    game = game_named("xiangqi")
    us = parse_player(f"ucci:{shlex.join(PROGRAM)} ucci", game)
    them = parse_player("ucci:fairy-stockfish depth=1", game)
    found = play_match(us, them, game, 2, random_openings(game, 1))
    us.close()
    them.close()
    assert all(played.failed is None and played.moves for played in found.played)
    assert sum(len(played.moves) for played in found.played) > 20
