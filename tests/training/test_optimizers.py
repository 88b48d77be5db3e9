"""Which weights an optimizer moves, and how far: Muon is torch's own where both can be asked."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.errors import RecipeError
from zeroply.recipes import System, find_recipe, plan
from zeroply.training.checkpoint_io import StateIO
from zeroply.training.folder import STATE
from zeroply.training.loop import Run, train
from zeroply.training.mixture import Mixture
from zeroply.training.muon import Muon, orthogonal
from zeroply.training.optimizers import optimizer_of, parts_of_matrices


def with_muon(name: str, **changes: Any) -> System:
    torch.manual_seed(0)
    system = find_recipe(name).make_small(CHESS)
    optimizer = plan.Muon(rate=1e-2, weight_decay=0.1, betas=(0.9, 0.98))
    return replace(system, plan=replace(system.plan, optimizer=optimizer, **changes))


def give_gradients(net: nn.Module, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for weight in net.parameters():
        weight.grad = torch.randn(weight.shape, generator=generator)


def weights_of(net: nn.Module) -> dict[str, Tensor]:
    return {name: weight.detach().clone() for name, weight in net.named_parameters()}


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 24), st.integers(0, 24), st.integers(0, 10**6))
def test_all_directions_become_about_equal(count: int, rows: int, more: int, seed: int) -> None:
    matrices = torch.randn(count, rows, rows + more, generator=torch.Generator().manual_seed(seed))
    left, values, right = torch.linalg.svd(matrices, full_matrices=False)
    found = left.mT @ orthogonal(matrices) @ right.mT
    diagonal = found.diagonal(dim1=1, dim2=2)
    torch.testing.assert_close(found, torch.diag_embed(diagonal), atol=1e-3, rtol=0)
    large = values > 0.01 * values.norm(dim=1, keepdim=True)  # what is nearly nothing stays small
    assert ((diagonal > 0.6) & (diagonal < 1.3))[large].all()


@pytest.mark.parametrize("steps", [1, 4])
def test_one_matrix_moves_as_by_torch(steps: int) -> None:
    shapes = [(24, 24), (48, 24), (24, 48), (48, 24)]
    ours = [nn.Parameter(torch.randn(shape, generator=torch.Generator().manual_seed(1))) for shape in shapes]
    theirs = [nn.Parameter(weight.detach().clone()) for weight in ours]
    bias = nn.Parameter(torch.zeros(3))
    mine = Muon(
        [{"params": ours, "parts": [1] * 4, "lr": 0.01, "weight_decay": 0.1}],
        [{"params": [bias], "lr": 0.01, "weight_decay": 0.0}],
        momentum=0.95,
        betas=(0.9, 0.999),
    )
    other = torch.optim.Muon(theirs, lr=0.01, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    for step in range(steps):
        for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            a.grad = torch.randn(a.shape, generator=torch.Generator().manual_seed(10 * step + number))
            b.grad = a.grad.clone()
        before = [weight.detach().clone() for weight in ours]
        mine.step()
        other.step()  # type: ignore[no-untyped-call]  # torch's own
    for a, b, was in zip(ours, theirs, before, strict=True):
        assert (a - b).norm() < 0.03 * steps * (a - was).norm()  # theirs is computed in bf16


def test_queries_keys_and_values_are_turned_apart() -> None:
    system = with_muon("intuition", clip=1e9)
    optimizer = optimizer_of(system.plan, system.net, fused=False)
    for group in optimizer.param_groups:
        group["weight_decay"] = 0.0
    (qkv, *_) = [weight for name, weight in system.net.named_parameters() if name.endswith("qkv.weight")]
    before = qkv.detach().clone()
    give_gradients(system.net, 1)
    optimizer.step()
    for part in (qkv - before).chunk(3):
        values = torch.linalg.svdvals(part.detach())
        assert values.max() < 2.5 * values.median()


def test_muon_moves_the_matrices_of_trunks_and_adamw_the_rest() -> None:
    system = with_muon("castle")
    rest = find_recipe("castle").make_small(CHESS)
    rest.net.load_state_dict(system.net.state_dict())
    by_adamw = plan.AdamW(rate=1e-2, weight_decay=0.1, betas=(0.9, 0.98))
    first = weights_of(system.net)
    for one, chosen in ((system, system.plan), (rest, replace(system.plan, optimizer=by_adamw))):
        optimizer = optimizer_of(chosen, one.net, fused=False)
        for step in range(3):
            give_gradients(one.net, step)
            optimizer.step()
    turned, other = parts_of_matrices(system.net), weights_of(rest.net)
    assert sorted(turned.values()) == [1, 1, 1, 1, 1, 1, 3, 3]
    for name, weight in system.net.named_parameters():
        assert torch.equal(weight, other[name]) == (id(weight) not in turned), name
        assert not torch.equal(weight, first[name])
        if id(weight) in turned:  # as far as by AdamW, about
            ratio = (weight - first[name]).norm() / (other[name] - first[name]).norm()
            assert 0.1 < ratio < 2, name


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("optimizer", [plan.AdamW(rate=0.01), plan.Muon(rate=0.01)])
def test_an_optimizer_goes_on_from_its_state(
    optimizer: plan.AdamW | plan.Muon, fused: bool, tmp_path: Path
) -> None:
    """The fused one, too, which runs on GPUs have: it keeps another state."""
    system = with_muon("smolgen")
    chosen = replace(system.plan, optimizer=optimizer)
    one, two = system.net, copy.deepcopy(system.net)
    first = optimizer_of(chosen, one, fused=fused)
    for step in range(3):
        give_gradients(one, step)
        first.step()
    two.load_state_dict(one.state_dict())
    second = optimizer_of(chosen, two, fused=fused)
    StateIO().save_checkpoint(first.state_dict(), tmp_path / STATE)
    second.load_state_dict(StateIO().load_checkpoint(tmp_path / STATE))
    for step in range(3, 6):
        for net, its in ((one, first), (two, second)):
            its.param_groups[-1]["lr"] = 0.02  # as a schedule does
            give_gradients(net, step)
            its.step()
    for name, weight in weights_of(two).items():
        assert torch.equal(weight, weights_of(one)[name]), name


def test_slower_weights_have_lower_rates() -> None:
    for optimizer in (plan.AdamW(rate=0.5), plan.Muon(rate=0.5)):
        system = with_muon("castle")
        chosen = replace(system.plan, optimizer=optimizer, slower={"heads.": 0.1, "embed.": 0.2})
        found = optimizer_of(chosen, system.net, fused=False)
        rates = {id(weight): group["lr"] for group in found.param_groups for weight in group["params"]}
        for name, weight in system.net.named_parameters():
            factor = 0.1 if name.startswith("heads.") else 0.2 if name.startswith("embed.") else 1.0
            assert rates[id(weight)] == factor * 0.5
        with pytest.raises(RecipeError, match="slows 'nothing' down"):
            optimizer_of(replace(chosen, slower={"nothing": 0.1}), system.net, fused=False)


@pytest.mark.slow
def test_a_run_with_muon_learns(tmp_path: Path) -> None:
    build(tmp_path / "corpus", [SAMPLE], CHESS, shares={})
    mixture = Mixture.open([(tmp_path / "corpus", 1.0)])
    losses = []
    for steps in (2, 60):
        system = with_muon("intuition", length=plan.Steps(steps))
        out = tmp_path / str(steps)
        train(lambda system=system: system, mixture, Run(out=out, overfit=32))  # type: ignore[misc]
        losses.append(
            float((out / "metrics.jsonl").read_text().splitlines()[-1].split('"policy": ')[1].split(",")[0])
        )
    assert losses[1] < losses[0] - 3
