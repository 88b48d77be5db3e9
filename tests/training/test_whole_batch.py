"""Portions of a batch teach what the whole does: flipped and hidden rows, losses, gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.recipes.test_recipes import CASES, Case, label, small
from tests.sources import SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.portion import WHOLE, Portion
from zeroply.corpus.score import NO_EVALUATION, Split
from zeroply.games import game_named
from zeroply.recipes import System
from zeroply.training.flip import flip
from zeroply.training.forget import forget
from zeroply.training.length import Length
from zeroply.training.lesson import Lesson
from zeroply.training.mixture import Mixture

BATCH = 24
PORTIONS = [Portion(rank, 3) for rank in range(3)]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("corpora")
    for name, source in (("chess", SAMPLE), ("xiangqi", XIANGQI_SAMPLE)):
        build(folder / name, [source], game_named(name), shares={})
    return {name: folder / name for name in ("chess", "xiangqi")}


def batch_for(system: System, corpus: Path) -> dict[str, Tensor]:
    """One batch, of which the first portion has neither results nor evaluations, the others some."""
    with Workers(0) as workers:
        lessons = (
            Mixture.open([(corpus, 1.0)])
            .sampled(system.plan.sampling)
            .batches(
                Split.train,
                batch=BATCH,
                history=system.encoding.history,
                seed=0,
                place=torch.empty(0),
                workers=workers,
                steps=lambda _: 1,
            )
        )
    rows: dict[str, Tensor] = lessons.batches[0]
    number = torch.arange(BATCH)
    lacking = (number < BATCH // 3) | (number % 5 == 0)
    rows["evaluation"] = torch.where(lacking, NO_EVALUATION, 40 * number - 300).short()
    rows["outcome"] = torch.where(lacking, -1, number % 3).to(rows["outcome"].dtype)
    return rows


def cut(rows: dict[str, Tensor], portion: Portion) -> dict[str, Tensor]:
    low, high = portion.bounds(BATCH)
    return {name: column[low:high] for name, column in rows.items()}


def test_rows_are_flipped_and_hidden_as_in_the_whole_batch(corpora: dict[str, Path]) -> None:
    rows = batch_for(small("intuition", "xiangqi"), corpora["xiangqi"])
    whole = forget(flip(rows, XIANGQI, 0.5, 1, 7), 0.5, 1, 7)
    portions = [
        forget(flip(cut(rows, portion), XIANGQI, 0.5, 1, 7, portion), 0.5, 1, 7, portion)
        for portion in PORTIONS
    ]
    for name, column in whole.items():
        assert torch.equal(torch.cat([portion[name] for portion in portions]), column), name
    assert not torch.equal(whole["board"], rows["board"])


def learned(system: System, rows: dict[str, Tensor], portion: Portion) -> tuple[dict[str, Tensor], Tensor]:
    """The terms that one step reports, and the gradient of all weights, end to end."""
    system.net.zero_grad()
    step = Lesson(system, length=Length(1, 1), seed=0, compiled=False, portion=portion).training_step(rows, 0)
    step["loss"].backward()
    for name, weight in system.net.named_parameters():
        assert weight.grad is not None, f"{name} has no part in the loss; several processes wait for it"
    return step["terms"], torch.cat([weight.grad.flatten() for weight in system.net.parameters()])  # type: ignore[union-attr]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=label)
def test_the_mean_of_portions_is_the_whole(
    case: Case, corpora: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums over processes are told to each in a second round."""
    system = small(*case)
    rows = batch_for(system, corpora[case[1]])
    terms, gradient = learned(system, rows, WHOLE)
    said: dict[int, Tensor] = {}

    def listen(own: Tensor) -> None:
        said[own.ndim] = own + said.get(own.ndim, torch.zeros_like(own))

    monkeypatch.setattr(torch.distributed, "all_reduce", listen)
    for portion in PORTIONS:
        learned(system, cut(rows, portion), portion)
    monkeypatch.setattr(torch.distributed, "all_reduce", lambda own: own.copy_(said[own.ndim]))
    found: list[tuple[dict[str, Tensor], Any]] = [
        learned(system, cut(rows, portion), portion) for portion in PORTIONS
    ]
    for told, _ in found:
        assert told.keys() == terms.keys()
        for name, term in terms.items():
            torch.testing.assert_close(told[name], term, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(sum(own for _, own in found) / 3, gradient, rtol=1e-3, atol=1e-5)
