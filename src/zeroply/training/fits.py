"""Whether a batch is one that can be learned, asked before it takes the machine's memory."""

from __future__ import annotations

import torch
from torch import Tensor

from zeroply.errors import ZeroplyError
from zeroply.recipes.base import System
from zeroply.recipes.room import machine_memory
from zeroply.training.ranks import Ranks
from zeroply.training.work import a_row


def check_fits(system: System, batch: int, option: str, positions: int, ranks: Ranks) -> None:
    """A batch, of the size that an option such as `--overfit ` was given, of so many positions to learn."""
    if batch > positions:
        raise ZeroplyError(
            f"a batch of {batch:,} positions is more than there are to learn, {positions:,}. "
            f"Choose a smaller one: {option}{_round(positions / 4, ranks)}"
        )
    if ranks.device.type == "cpu":  # a GPU says by itself what it has no room for, and nobody else suffers
        each, memory = bytes_per_row(system) / ranks.hosts, machine_memory()
        if batch * each > memory:
            raise ZeroplyError(
                f"a batch of {batch:,} positions takes {batch * each / 1e9:,.0f} GB of memory or more; "
                f"this machine has {memory / 1e9:,.0f}. "
                f"Choose a smaller one: {option}{_round(memory / each / 2, ranks)}"
            )


def bytes_per_row(system: System) -> int:
    """What a step must keep of each row of its batch until it goes backward, in float32: what two rows take
    more than one."""
    return _kept(system, 2) - _kept(system, 1)


def _kept(system: System, rows: int) -> int:
    """Bytes of all that a net's answer for so many rows keeps, its weights too."""
    kept: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        kept[tensor.untyped_storage().data_ptr()] = tensor  # several may be views of one
        return tensor

    row = {name: column.repeat_interleave(rows, 0) for name, column in a_row(system).items()}
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        system.net(system.encoding(row))
    return sum(tensor.untyped_storage().nbytes() for tensor in kept.values())


def _round(rows: float, ranks: Ranks) -> int:
    """A batch of about so many rows or fewer, that can be shared out."""
    return ranks.count << max(0, int(rows / ranks.count).bit_length() - 1)
