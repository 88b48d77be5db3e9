"""A run's diary: metrics.jsonl, a line for people now and then, and a checkpoint every minute."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor

from zeroply.errors import ZeroplyError
from zeroply.recipes import System, save
from zeroply.training.mixture import Mixture

EVERY = 50
"""Steps between entries: reading a loss waits for the device."""
SAVE_SECONDS = 60.0
PRINT_SECONDS = 5.0


class Diary(pl.Callback):
    def __init__(self, system: System, mixture: Mixture, out: Path, seed: int) -> None:
        self.model = out / "model.safetensors"
        self._system, self._out = system, out
        (out / "metrics.jsonl").unlink(missing_ok=True)
        self._about: dict[str, Any] = {
            "seed": seed,
            **mixture.about(),
            "date": datetime.now(UTC).date().isoformat(),
            "torch": torch.__version__,
        }
        self._positions = 0
        self._started = self._marked = self._saved = self._printed = time.monotonic()
        self._marked_positions = 0

    def on_train_batch_end(
        self,
        trainer: pl.Trainer,
        lesson: pl.LightningModule,
        outputs: Any,
        batch: Mapping[str, Tensor],
        step: int,
    ) -> None:
        self._positions += len(batch["move"])
        done = trainer.global_step
        if done % EVERY and done != trainer.max_steps:
            return
        terms = {name: float(value) for name, value in outputs["terms"].items()}
        now = time.monotonic()
        rate = (self._positions - self._marked_positions) / max(now - self._marked, 1e-9)
        self._marked, self._marked_positions = now, self._positions
        entry = {"step": done, "positions": self._positions, "seconds": round(now - self._started, 2)}
        self._write({**entry, "positions_per_second": round(rate), **terms})
        broken = [name for name, value in terms.items() if not math.isfinite(value)]
        if broken:
            raise ZeroplyError(
                f"the loss '{broken[0]}' is not finite at step {done}. Try a lower rate: --set rate=…"
            )
        if now - self._printed >= PRINT_SECONDS or done == trainer.max_steps:
            self._printed = now
            left = (trainer.max_steps - done) * (now - self._started) / done
            losses = "  ".join(f"{name} {value:.4f}" for name, value in terms.items())
            print(
                f"step {done}/{trainer.max_steps}  {losses}  {rate:,.0f} positions/s  {left:.0f} s left",
                file=sys.stderr,
            )
        if now - self._saved >= SAVE_SECONDS:
            self._save(trainer)

    def on_validation_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        found = {
            name: float(value)
            for name, value in trainer.callback_metrics.items()
            if name.startswith("validation")
        }
        self._write({"step": trainer.global_step, **found})
        self._about["validation"] = found
        print("  ".join(f"{name} {value:.4f}" for name, value in found.items()), file=sys.stderr)

    def on_exception(self, trainer: pl.Trainer, lesson: pl.LightningModule, exception: BaseException) -> None:
        if trainer.global_step and not isinstance(
            exception, ZeroplyError
        ):  # a broken loss is not worth keeping
            self._save(trainer)

    def on_train_end(self, trainer: pl.Trainer, lesson: pl.LightningModule) -> None:
        self._save(trainer)

    def _save(self, trainer: pl.Trainer) -> None:
        self._saved = time.monotonic()
        done = {
            "steps": trainer.global_step,
            "positions": self._positions,
            "seconds": round(self._saved - self._started),
        }
        save(self._system, self.model, {**self._about, **done})

    def _write(self, entry: Mapping[str, Any]) -> None:
        with (self._out / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
