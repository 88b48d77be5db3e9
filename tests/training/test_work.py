"""The work of a net is counted as torch counts it, for every recipe at its default size."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from tests.sources import CHESS
from zeroply.games import game_named
from zeroply.nets.trunk import Trunk
from zeroply.recipes import find_recipe, recipes
from zeroply.training.work import PEAKS, a_row, flops_per_position, peak_flops

CASES = [(name, game) for name, recipe in recipes().items() for game in recipe.games]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), CASES)
def test_torch_counts_the_same(name: str, game: str) -> None:
    system = find_recipe(name).make(game_named(game), {})
    forward = FlopCounterMode(display=False)
    with sdpa_kernel(SDPBackend.MATH), forward:  # other kernels are not counted
        system.net(system.encoding(a_row(system)))
    # Backward is twice forward. Torch counts products with one-hot vectors too: embeddings.
    assert flops_per_position(system) == pytest.approx(3 * forward.get_total_flops(), rel=0.05)


def test_a_plain_trunk_is_the_well_known_formula() -> None:
    system = find_recipe("minustwo").make(CHESS, {"depth": "2"})
    (trunk,) = (module for module in system.net.modules() if isinstance(module, Trunk))
    tokens, width, depth = 64, 768, 2
    matrices = sum(weight.numel() for weight in trunk.parameters() if weight.ndim == 2)
    # Beside it: 18 features into each square, all squares to the evaluation, each square to its moves.
    outside = tokens * 18 * width + (tokens * width * width + width) + tokens * (width * width + width * 64)
    expected = 6 * matrices * tokens + 12 * depth * width * tokens**2 + 6 * outside
    assert flops_per_position(system) == expected


def test_counting_leaves_the_net_as_it_was() -> None:
    system = find_recipe("castle").make_small(CHESS)
    first = flops_per_position(system)
    assert first == flops_per_position(system)
    assert system.net.training
    assert not any(module._forward_hooks for module in system.net.modules() if isinstance(module, nn.Module))


def test_nothing_is_claimed_of_unknown_devices() -> None:
    assert peak_flops(torch.device("cpu")) is None


@pytest.mark.parametrize(
    ("device", "peak"),
    [
        ("NVIDIA H200", 989e12),
        ("NVIDIA H100 80GB HBM3", 989e12),
        ("NVIDIA H100 PCIe", 756e12),
        ("NVIDIA A100-SXM4-80GB", 312e12),
        ("NVIDIA H100 NVL", 835e12),
        ("NVIDIA GH200 480GB", 989e12),
        ("NVIDIA L40S", 362e12),
        ("NVIDIA L40", None),
        ("NVIDIA L4", 121e12),
        ("Quadro K2000", None),
    ],
)
def test_peaks_by_name(monkeypatch: pytest.MonkeyPatch, device: str, peak: float | None) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: device)
    assert peak_flops(torch.device("cuda")) == peak


def test_each_device_of_the_table_is_found_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is hidden by a shorter name before it."""
    for name, peak in PEAKS.items():
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda _, name=name: f"NVIDIA {name}")
        assert peak_flops(torch.device("cuda")) == peak
