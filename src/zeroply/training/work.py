"""How much a net has to compute for one row, and what share of a device's power that is.

Shapes: B batch, L tokens, D width.
"""

from __future__ import annotations

import re
from typing import Any

import torch
from torch import Tensor, nn

from zeroply.nets.attention import Attention
from zeroply.recipes.base import System

PEAKS = {
    "H100 PCIe": 756e12,
    "H100 NVL": 835e12,
    "H100": 989e12,
    "H200 NVL": 835e12,
    "H200": 989e12,
    "GH200": 989e12,
    "B200": 2250e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L4": 121e12,
    "RTX 4090": 165e12,
}
"""Multiplications and additions a second in bf16, without sparsity, for the first whose words are in a
device's name."""


def flops_per_position(system: System) -> float:
    """Multiplications and additions of a step of training, for each row of its batch.

    6 for each weight of a linear layer and each vector that it is applied to, in a trunk every token, in a
    head perhaps one: a multiplication and an addition forward, twice that backward. 12 × width × tokens² for
    each attention, whatever its mask hides. For a plain trunk that is 6 × parameters × tokens + 12 × layers ×
    width × tokens². Embeddings, biases, norms and softmaxes do not count.
    """
    count = 0.0

    def linear(layer: nn.Linear, inputs: tuple[Tensor], _: Any) -> None:
        nonlocal count
        count += 6 * layer.weight.numel() * (inputs[0].numel() // layer.in_features)

    def attention(_: Attention, inputs: tuple[Tensor, ...], __: Any) -> None:
        nonlocal count
        tokens, width = inputs[0].shape[1:]
        count += 12 * width * tokens**2

    watches = [
        module.register_forward_hook(linear if isinstance(module, nn.Linear) else attention)
        for module in system.net.modules()
        if isinstance(module, nn.Linear | Attention)
    ]
    try:
        with torch.inference_mode():
            system.net(system.encoding(a_row(system)))
    finally:
        for watch in watches:
            watch.remove()
    return count


def peak_flops(device: torch.device) -> float | None:
    """What the device can do in a second, or None where we do not know it."""
    if device.type != "cuda":
        return None
    name = torch.cuda.get_device_name(device)
    return next((peak for part, peak in PEAKS.items() if re.search(rf"\b{part}\b", name)), None)


def full_speed(system: System, device: torch.device) -> float | None:
    """Rows a second that the device could learn if it did nothing but multiply and add: an MFU of 100 %."""
    peak = peak_flops(device)
    return None if peak is None else peak / flops_per_position(system)


def a_row(system: System) -> dict[str, Tensor]:
    """A game's first position, where the net is; what it is does not change the work."""
    place = next(system.net.parameters()).device
    row = {name: torch.as_tensor(column) for name, column in system.game.first_state().items()}
    row["past"] = torch.full((1, system.encoding.history), -1)
    unknown = torch.zeros(1, dtype=torch.int16)
    return {name: row.get(name, unknown).to(place) for name in system.encoding.reads}
