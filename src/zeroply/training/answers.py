"""What a net says to two rows: enough to tell it from another."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from zeroply.corpus.told import told
from zeroply.recipes import System

ROUNDING = 1e-4
"""How far answers of the same net may be apart that were worked out in another order."""


def two_rows(system: System) -> dict[str, Tensor]:
    """The first position, once for either side, with some past."""
    rows = {
        name: torch.as_tensor(column).repeat_interleave(2, 0)
        for name, column in system.game.first_state().items()
    }
    rows["turn"] = torch.tensor([0, 1], dtype=rows["turn"].dtype)
    rows["past"] = torch.arange(2 * system.encoding.history, dtype=torch.int16).view(2, -1)
    return rows | {name: torch.as_tensor(column) for name, column in told(2).items()}


def answers(system: System) -> dict[str, Tensor]:
    """Its outputs by name."""
    learning = system.net.training
    with torch.inference_mode():
        out: Mapping[str, Tensor] = system.net.eval()(system.encoding(two_rows(system)))
    system.net.train(learning)
    return dict(out)


def answers_as(one: System, other: System) -> bool:
    """To the last bit, in all that the one answers. Nets of equal weights may still differ: in heads, masks,
    facing."""
    said, answered = answers(one), answers(other)
    return all(name in answered and torch.equal(said[name], answered[name]) for name in said)


def answers_nearly_as(one: System, other: System) -> bool:
    """But for rounding, in all that both answer."""
    said, answered = answers(one), answers(other)
    both = said.keys() & answered.keys()
    return bool(both) and all(
        torch.allclose(said[name], answered[name], rtol=0, atol=ROUNDING) for name in both
    )
