"""Random and greedy players."""

from __future__ import annotations

from collections import Counter

import pytest

from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.games import Game, game_named
from zeroply.players.simple import GreedyPlayer, RandomPlayer

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
BOTH = pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)


def names(player: RandomPlayer | GreedyPlayer, fen: str, count: int = 1, game: Game = CHESS) -> set[str]:
    return {game.moves.names[move] for move in player.choose([game.start(fen)] * count)}


@BOTH
def test_random_is_uniform_over_legal_moves_and_repeats_with_its_seed(game: Game) -> None:
    legal = game.start().legal().tolist()
    positions = [game.start()] * 200 * len(legal)
    counts = Counter(RandomPlayer(7).choose(positions))
    assert sorted(counts) == legal
    # 200 expected each, standard deviation 14: five of them either way.
    assert all(130 < count < 270 for count in counts.values())
    assert RandomPlayer(7).choose(positions) == RandomPlayer(7).choose(positions)
    assert RandomPlayer(7).choose(positions) != RandomPlayer(8).choose(positions)


def test_greedy_mates_before_it_takes() -> None:
    # Qxf7 is mate; Qxh8 would win a rook.
    fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"
    assert names(GreedyPlayer(1), fen, 20) == {"h5f7"}


def test_greedy_takes_the_dearest_for_either_side() -> None:
    white = "4k3/8/8/1q1r4/2P5/8/8/4K3 w - - 0 1"
    black = "4k3/8/8/2p5/1Q1R4/8/8/4K3 b - - 0 1"
    assert names(GreedyPlayer(1), white, 20) == {"c4b5"}
    assert names(GreedyPlayer(1), black, 20) == {"c5b4"}


def test_greedy_takes_the_dearest_of_xiangqi_and_ends_the_game_before() -> None:
    # A chariot before a cannon, for either side.
    red, black = "3k5/9/4c4/9/r3R4/9/9/9/9/5K3 w", "3k5/9/9/9/9/R3r4/9/4C4/9/5K3 b"
    assert names(GreedyPlayer(1), red, 20, XIANGQI) == {"e5a5"}
    assert names(GreedyPlayer(1), black, 20, XIANGQI) == {"e4a4"}
    # a7d7 is mate, a7a6 would take a soldier; and a7a8 leaves Black without a move, which wins too.
    assert names(GreedyPlayer(1), "3k5/9/R8/p8/9/9/9/9/9/4K4 w", 20, XIANGQI) == {"a7d7"}
    assert names(GreedyPlayer(1), "3k5/9/RP7/9/9/9/9/9/9/4K4 w", 20, XIANGQI) == {"a7a8"}


def test_greedy_promotes_to_a_queen() -> None:
    assert names(GreedyPlayer(1), "8/P7/8/8/8/8/k7/7K w - - 0 1", 20) == {"a7a8q"}


def test_greedy_without_a_capture_plays_anything() -> None:
    assert len(names(GreedyPlayer(1), CHESS.start().fen(), 120)) == 20


@BOTH
@pytest.mark.slow
def test_greedy_beats_random(game: Game) -> None:
    result = play_match(GreedyPlayer(1), RandomPlayer(2), game, 6, random_openings(game, 3)).summary()
    assert result["wins"] > result["losses"]
    assert result["wins"] + result["draws"] + result["losses"] == 6
