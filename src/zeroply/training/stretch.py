"""What happened between two entries of a diary, summed where the net is: reading a number waits for it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from zeroply.training.tally import Tally


class Stretch:
    """It begins when it is made, or with what an earlier one, stopped half-way, had `state()`."""

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        state = state or {"steps": 0, "rows": 0, "positions": 0, "seconds": 0.0, "tally": {}}
        self._began = time.monotonic() - state["seconds"]
        self.steps: int = state["steps"]
        self._rows = state["rows"]
        self._positions: Tensor | int = state["positions"]
        self._tally = Tally(state["tally"])

    def state(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "rows": self._rows,
            "positions": self.positions,
            "seconds": time.monotonic() - self._began,
            "tally": self._tally.state(),
        }

    def add(
        self, means: Mapping[str, Tensor], counts: Mapping[str, Tensor], *, rows: int, positions: Tensor
    ) -> None:
        """One step: its means by name, each of so many things; the rows of its batch, and how many positions
        those teach."""
        self.steps += 1
        self._rows += rows
        self._positions = self._positions + positions
        self._tally.add(means, counts)

    def pause(self, seconds: float) -> None:
        """So long nothing was learned."""
        self._began += seconds

    @property
    def positions(self) -> int:
        return int(self._positions)

    def means(self) -> dict[str, float]:
        return self._tally.means()

    def speeds(self) -> tuple[float, float]:
        """Rows and positions a second."""
        positions = self.positions  # before the clock is read: it waits for the device
        seconds = max(time.monotonic() - self._began, 1e-9)
        return self._rows / seconds, positions / seconds
