"""What happened between two entries of a diary, summed where the net is: reading a number waits for it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor


class Stretch:
    """It begins when it is made, or with what an earlier one, stopped half-way, had `state()`."""

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        state = state or {"steps": 0, "rows": 0, "positions": 0, "seconds": 0.0, "sums": {}}
        self._began = time.monotonic() - state["seconds"]
        self._steps, self._rows = state["steps"], state["rows"]
        self._positions: Tensor | int = state["positions"]
        self._sums = {name: torch.tensor(total) for name, total in state["sums"].items()}

    def state(self) -> dict[str, Any]:
        return {
            "steps": self._steps,
            "rows": self._rows,
            "positions": self.positions,
            "seconds": time.monotonic() - self._began,
            "sums": {name: float(total) for name, total in self._sums.items()},
        }

    def add(self, values: Mapping[str, Tensor], rows: int, positions: Tensor) -> None:
        """One step: its numbers by name, the rows of its batch, and how many positions those teach."""
        self._steps, self._rows = self._steps + 1, self._rows + rows
        self._positions = self._positions + positions
        if self._sums:  # all in one kernel
            before = [self._sums[name].to(value.device) for name, value in values.items()]
            values = dict(zip(values, torch._foreach_add(before, list(values.values())), strict=True))
        self._sums = dict(values)

    def pause(self, seconds: float) -> None:
        """So long nothing was learned."""
        self._began += seconds

    @property
    def positions(self) -> int:
        return int(self._positions)

    def means(self) -> dict[str, float]:
        return {name: float(total) / self._steps for name, total in self._sums.items()}

    def speeds(self) -> tuple[float, float]:
        """Rows and positions a second."""
        positions = self.positions  # before the clock is read: it waits for the device
        seconds = max(time.monotonic() - self._began, 1e-9)
        return self._rows / seconds, positions / seconds
