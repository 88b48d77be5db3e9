"""Random and greedy players."""

from __future__ import annotations

from collections import Counter

from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.games import game_named
from zeroply.players.simple import GreedyPlayer, RandomPlayer

CHESS = game_named("chess")


def names(player: RandomPlayer | GreedyPlayer, fen: str, count: int = 1) -> set[str]:
    return {CHESS.moves.names[move] for move in player.choose([CHESS.start(fen)] * count)}


def test_random_is_uniform_over_legal_moves_and_repeats_with_its_seed() -> None:
    positions = [CHESS.start()] * 4000
    counts = Counter(RandomPlayer(7).choose(positions))
    assert sorted(counts) == CHESS.start().legal().tolist()
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


def test_greedy_promotes_to_a_queen() -> None:
    assert names(GreedyPlayer(1), "8/P7/8/8/8/8/k7/7K w - - 0 1", 20) == {"a7a8q"}


def test_greedy_without_a_capture_plays_anything() -> None:
    assert len(names(GreedyPlayer(1), CHESS.start().fen(), 300)) == 20


def test_greedy_beats_random() -> None:
    result = play_match(GreedyPlayer(1), RandomPlayer(2), CHESS, 6, random_openings(CHESS, 3)).summary()
    assert result["wins"] > result["losses"]
    assert result["wins"] + result["draws"] + result["losses"] == 6
