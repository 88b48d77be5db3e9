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
from zeroply.training.curves import GRADIENT
from zeroply.training.folder import NOT_FINITE
from zeroply.training.lesson import Lesson


class Watch(pl.Callback):
    """Nobody waits for the device at every step: it keeps a record of the step that it has done, up to the
    first that is not finite, and sends it to the host, which looks at what has come so far. A GPU may then be
    some steps further, but the record is of the right one, and its batch can be made again."""

    def __init__(self, out: Path, batch: Callable[[int], Mapping[str, Tensor]], about: Mapping[str, Any]):
        self._out, self._batch, self._about = out, batch, about
        self._record: Tensor | None = None
        """[1 + terms] the number of a step, and what it found."""
        self._letter: _Letter | None = None
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
        if self._record is None:
            self._names = list(found)
            self._record = now
        self._record = torch.where(self._record.isfinite().all(), now, self._record)
        # Several processes have to end at the same step; Lightning has them wait for each other anyway.
        together = torch.distributed.is_available() and torch.distributed.is_initialized()
        if together or not self._record.is_cuda:
            self._check(self._record)
            return
        self._letter = self._letter or _Letter(self._record)
        self._check(self._letter.exchange(self._record))

    def _check_device(self) -> None:
        """Waits for the last step."""
        if self._record is not None:
            self._check(self._record)

    def _check(self, record: Tensor) -> None:
        if record.isfinite().all():
            return
        step, *values = record.tolist()
        name, *_ = (name for name, value in zip(self._names, values, strict=True) if not math.isfinite(value))
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


class _Letter:
    """From a GPU to the host, where nobody waits for it or reads it half-written; one at a time."""

    def __init__(self, record: Tensor) -> None:
        self._page = torch.zeros(record.shape, pin_memory=True)
        self._read = self._page.clone()
        self._arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]

    def exchange(self, record: Tensor) -> Tensor:
        """The last record that has arrived as a whole. Where none is under way any more, this one is sent."""
        if self._arrived.query():  # type: ignore[no-untyped-call]
            self._read = self._page.clone()
            self._page.copy_(record, non_blocking=True)
            self._arrived.record()
        return self._read
