"""A policy's loss among some moves, against the definition."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroply.corpus.score import LINES, MATE, NO_EVALUATION
from zeroply.games import Rows, game_named, stack
from zeroply.objectives.policy import BestLines, PlayedMove, PolicyNLL

ROWS = {"move": torch.tensor([1, 3], dtype=torch.int16), "turn": torch.zeros(2)}
POSSIBLE = torch.tensor([[True, True, False, False], [False, False, False, True]])


def possible(rows: Rows) -> torch.Tensor:
    return POSSIBLE


def policy(seed: int) -> dict[str, torch.Tensor]:
    return {"policy": torch.randn(2, 4, generator=torch.Generator().manual_seed(seed)).log_softmax(1)}


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_without_a_choice_of_moves_it_is_the_nll_of_the_played_one(seed: int) -> None:
    out = policy(seed)
    wanted = -out["policy"][[0, 1], [1, 3]].mean()
    torch.testing.assert_close(PolicyNLL()(out, ROWS), wanted)
    torch.testing.assert_close(PolicyNLL(PlayedMove(), possible, 1.0)(out, ROWS), wanted)


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_among_some_moves_it_is_that_of_the_policy_renormalised_over_them(seed: int) -> None:
    out = policy(seed)
    shares = out["policy"].exp() * POSSIBLE
    wanted = -(shares / shares.sum(1, keepdim=True))[[0, 1], [1, 3]].log().mean()
    torch.testing.assert_close(PolicyNLL(PlayedMove(), possible, 0.0)(out, ROWS), wanted)


def test_what_is_given_elsewhere_counts_by_its_weight() -> None:
    out = {"policy": torch.tensor([[0.2, 0.2, 0.6, 0.0], [0.5, 0.0, 0.0, 0.5]]).log()}
    wanted = (math.log(2) - 0.25 * math.log(0.4) - 0.25 * math.log(0.5)) / 2
    assert float(PolicyNLL(PlayedMove(), possible, 0.25)(out, ROWS)) == pytest.approx(wanted - 0.0, abs=1e-6)


def test_a_move_that_was_played_is_possible_whatever_the_rules_say() -> None:
    rows = {"move": torch.tensor([2, 3]), "turn": torch.zeros(2)}
    assert PolicyNLL(PlayedMove(), possible, 0.0)(policy(0), rows) > 0


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_a_net_that_knows_the_rules_and_no_more_is_as_surprised_as_there_are_moves(name: str) -> None:
    game = game_named(name)
    first = game.start()
    second = first.play(int(first.legal()[0]))
    rows = {
        column: torch.as_tensor(values) for column, values in stack([first.row(0), second.row(0)]).items()
    }
    rows["move"] = torch.tensor([int(position.legal()[-1]) for position in (first, second)])
    out = {"policy": torch.zeros(2, len(game.moves)).log_softmax(1)}
    wanted = sum(math.log(len(position.legal())) for position in (first, second)) / 2
    assert float(PolicyNLL(PlayedMove(), game.pseudo_legal, 0.0)(out, rows)) == pytest.approx(
        wanted, abs=1e-4
    )


def lines(*found: list[tuple[int, int]]) -> torch.Tensor:
    blank = (NO_EVALUATION, NO_EVALUATION)
    return torch.tensor([[*some, *[blank] * (LINES - len(some))] for some in found], dtype=torch.int16)


def test_an_engines_best_moves_share_by_their_evaluations() -> None:
    rows = {"move": torch.tensor([1, 3]), "turn": torch.zeros(2)}
    rows["lines"] = lines([(1, 0), (0, 0), (2, -50)], [(3, 50), (0, 30)])
    moves, shares = BestLines(50.0)(rows)
    spread = torch.zeros(2, 4).scatter_add(1, moves, shares)
    half = 1 / (2 + math.exp(-1))
    assert spread[0].tolist() == pytest.approx([half, half, 1 - 2 * half, 0])
    assert spread[1, 3] == pytest.approx(1 / (1 + math.exp(-20 / 50)))
    torch.testing.assert_close(spread.sum(1), torch.ones(2))


def test_in_a_won_position_the_shortest_way_is_right() -> None:
    rows = {"move": torch.tensor([1, 3, 2]), "turn": torch.zeros(3)}
    rows["lines"] = lines(
        [(1, MATE - 1), (0, MATE - 3), (2, 1200)], [(3, 1200), (0, 1000)], [(2, MATE - 12), (1, 5900)]
    )
    moves, shares = BestLines(50.0)(rows)
    spread = torch.zeros(3, 4).scatter_add(1, moves, shares)
    assert spread[0, 1] > 0.999
    assert spread[1, 3] > 0.98
    assert spread[2, 2] > 0.999


def test_no_move_is_righter_than_the_one_that_the_engine_plays() -> None:
    """Stopped within a depth, it may still think more of another, which it would have looked at next."""
    rows = {"move": torch.tensor([1]), "turn": torch.zeros(1), "lines": lines([(1, 20), (0, 90), (2, -30)])}
    moves, shares = BestLines(50.0)(rows)
    spread = torch.zeros(1, 4).scatter_add(1, moves, shares)
    assert spread[0, 1] == spread[0, 0] > 2 * spread[0, 2] > 0


def test_without_several_lines_the_played_move_is_right() -> None:
    rows = {"move": torch.tensor([1, 3, 2]), "turn": torch.zeros(3), "lines": lines([], [(0, 30)], [])}
    moves, shares = BestLines(50.0)(rows)
    assert torch.zeros(3, 4).scatter_add(1, moves, shares)[[0, 1, 2], [1, 3, 2]].tolist() == [1, 1, 1]
    assert torch.isfinite(shares).all()


@settings(deadline=None)
@given(st.integers(0, 1000), st.sampled_from([10.0, 100.0, 1000.0]))
def test_no_policy_goes_below_the_entropy_of_the_shares(seed: int, temperature: float) -> None:
    rows = {"move": torch.tensor([1, 3]), "turn": torch.zeros(2)}
    rows["lines"] = lines([(1, 20), (0, -30)], [(3, 500), (0, 100), (2, 0)])
    term = PolicyNLL(BestLines(temperature))
    moves, shares = BestLines(temperature)(rows)
    best = {"policy": torch.zeros(2, 4).scatter_add(1, moves, shares).clamp(min=1e-30).log()}
    torch.testing.assert_close(term(best, rows), term.least(rows))
    assert term(policy(seed), rows) >= term.least(rows) - 1e-6
