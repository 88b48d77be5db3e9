"""A run ends at the first loss or gradient that is not finite; the batch that made it is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only
from torch import Tensor

from zeroply.artefacts import save_checkpoint
from zeroply.errors import ZeroplyError
from zeroply.training.folder import NOT_FINITE
from zeroply.training.lesson import Lesson

GRADIENT = "gradient"


class Watch(pl.Callback):
    """Nobody waits for the device at every step: it keeps a record of the step that it has done, up to the
    first that is not finite, and sends it to the host, which looks at what has come so far. A GPU may then be
    some steps further, but the record is of the right one, and its batch can be made again."""

    def __init__(self, out: Path, batch: Callable[[int], Mapping[str, Tensor]], about: Mapping[str, Any]):
        self._out, self._batch, self._about = out, batch, about
        self._record: Tensor | None = None
        """[1 + terms] the number of a step, and what it found."""
        self._arrived: Tensor | None = None
        """The same on the host, or one of an earlier step."""
        self._names: list[str] = []

    def on_train_batch_end(
        self, trainer: pl.Trainer, lesson: pl.LightningModule, outputs: Any, batch: Any, step: int
    ) -> None:
        self.see(step, {**outputs["terms"], GRADIENT: cast(Lesson, lesson).gradient})

    def on_validation_start(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._check_device()  # so that no broken net is looked at

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._check_device()  # comes before the keeper, so that no broken net is kept as the best

    def see(self, step: int, found: Mapping[str, Tensor]) -> None:
        """What step 0, 1, … found, by name. Its number is exact up to 16 million."""
        values = [value.detach().float() for value in found.values()]
        now = torch.stack([torch.full_like(values[0], step), *values])
        if self._record is None or self._arrived is None:
            self._names = list(found)
            self._record = now
            self._arrived = torch.zeros(now.shape, pin_memory=now.is_cuda)
        self._record = torch.where(self._record.isfinite().all(), now, self._record)
        self._arrived.copy_(self._record, non_blocking=True)
        # Several processes have to end at the same step; Lightning has them wait for each other anyway.
        together = torch.distributed.is_available() and torch.distributed.is_initialized()
        self._check(self._record if together else self._arrived)

    def _check_device(self) -> None:
        """Waits for the last step."""
        if self._record is not None:
            self._check(self._record)

    def _check(self, record: Tensor) -> None:
        if record.isfinite().all() or self._record is None:
            return
        step, *values = self._record.tolist()  # waits for it: what has arrived may be half of it
        name = next(name for name, value in zip(self._names, values, strict=True) if not math.isfinite(value))
        kept = self._out / NOT_FINITE
        self._keep(kept, int(step), name)
        what = "gradient" if name == GRADIENT else f"loss '{name}'"
        raise ZeroplyError(
            f"the {what} is not finite at step {int(step) + 1}; {kept} is its batch. "
            "Try a lower rate in a new --out: --set rate=…"
        )

    @rank_zero_only
    def _keep(self, path: Path, step: int, name: str) -> None:
        about = {**self._about, "step": step + 1, "not_finite": name}
        save_checkpoint(path, self._batch(step), about)
