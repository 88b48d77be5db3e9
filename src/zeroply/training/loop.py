"""A system and corpora in, a checkpoint out. Lightning runs the loop; batches are made on the device."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.score import Split
from zeroply.recipes import System
from zeroply.training.diary import Diary
from zeroply.training.flip import flip
from zeroply.training.forget import forget
from zeroply.training.mixture import Mixture
from zeroply.training.schedules import warmup_stable_decay

VALIDATIONS = 20
"""Looks at the validation part in a long run; in a short one they come VALIDATION_GAP steps apart."""
VALIDATION_GAP = 500
VALIDATION_BATCHES = 50


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a run is asked for beside its recipe and corpora."""

    out: Path
    seed: int = 0
    max_time: timedelta | None = None
    overfit: int = 0
    """Learn only the first batch, of so many positions; 0 for a real run."""
    compiled: bool = True
    """Compile the net where there is a GPU."""
    workers: int = 0
    """Processes that replay games before they are needed; 0: they are replayed where the net is."""


class Steps(Dataset[dict[str, Tensor]]):
    """Batches 0 … steps - 1; each is made on the device when it is asked for."""

    def __init__(self, batches: Batches, steps: int, *, overfit: bool = False) -> None:
        self._batches, self._steps, self._overfit = batches, steps, overfit

    def __len__(self) -> int:
        return self._steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        return self._batches[0 if self._overfit else step]


class Lesson(pl.LightningModule):
    """One step: rows, streams, outputs, loss. Knows neither a game nor a recipe by name."""

    def __init__(self, system: System, mixture: Mixture, run: Run, workers: Workers) -> None:
        super().__init__()
        self.net, self.encoding = system.net, system.encoding
        self._system, self._mixture, self._run, self._workers = system, mixture, run, workers
        self._forward: Callable[[dict[str, Tensor]], dict[str, Tensor]] = self._plain_forward

    def _plain_forward(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        out: dict[str, Tensor] = self.net(self.encoding(rows))
        return out

    def setup(self, stage: str) -> None:
        if self._run.compiled and self._place.type == "cuda":
            self._forward = torch.compile(self._plain_forward)

    @property
    def _place(self) -> torch.device:
        """Where the run takes place; `self.device` says so only once the net has been moved there."""
        return self.trainer.strategy.root_device

    def training_step(self, rows: dict[str, Tensor], step: int) -> dict[str, Any]:
        rows = flip(rows, self._system.game, self._system.plan.flip, self._run.seed, step)
        seen = forget(rows, self._system.plan.forget, self._run.seed, step)
        out = self._forward({name: seen[name] for name in self.encoding.reads})
        loss, terms = self._system.objective(out, rows)
        return {"loss": loss, "terms": {name: term.detach() for name, term in terms.items()}}

    def validation_step(self, rows: dict[str, Tensor], step: int) -> None:
        out = self._plain_forward(rows)
        loss, terms = self._system.objective(out, rows)
        found = {f"validation_{name}": term for name, term in {"loss": loss, **terms}.items()}
        if "policy" in out:
            found["validation_top1"] = (out["policy"].argmax(1) == rows["move"]).float().mean()
        self.log_dict(found, batch_size=len(rows["move"]))

    def _batches(self, split: Split, batch: int, seed: int, steps: int) -> tuple[Batches, int]:
        return self._mixture.batches(
            split,
            batch=batch,
            history=self.encoding.history,
            seed=seed,
            place=torch.empty(0, device=self._place),
            workers=self._workers,
            steps=steps,
            tell=lambda line: print(line, file=sys.stderr),
        )

    def train_dataloader(self) -> DataLoader[dict[str, Tensor]]:
        plan, overfit = self._system.plan, self._run.overfit
        steps = 1 if overfit else plan.steps
        batches, _ = self._batches(Split.train, overfit or plan.batch, self._run.seed, steps)
        return DataLoader(Steps(batches, plan.steps, overfit=overfit > 0), batch_size=None)

    def val_dataloader(self) -> DataLoader[dict[str, Tensor]]:
        batches, whole = self._batches(Split.validation, self._system.plan.batch, 0, VALIDATION_BATCHES)
        return DataLoader(Steps(batches, min(whole, VALIDATION_BATCHES)), batch_size=None)

    def configure_gradient_clipping(self, optimizer: Any, *_: Any, **__: Any) -> None:
        # Lightning refuses to clip for fused optimizers, for the sake of float16 scaling, which we never use.
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)

    def configure_optimizers(self) -> Any:
        plan = self._system.plan
        matrices = [weight for name, weight in self.net.named_parameters() if _decays(name, weight)]
        others = [weight for name, weight in self.net.named_parameters() if not _decays(name, weight)]
        groups: list[dict[str, Any]] = [{"params": matrices}, {"params": others, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(
            groups,
            lr=plan.rate,
            betas=(0.9, 0.98),
            weight_decay=plan.weight_decay,
            fused=self._place.type == "cuda",
        )
        share = warmup_stable_decay(steps=plan.steps, warmup=plan.warmup, decay=plan.decay)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": LambdaLR(optimizer, share), "interval": "step"},
        }


def _decays(name: str, weight: nn.Parameter) -> bool:
    """Weight decay is for the matrices of layers, not for offsets, norms, places or biases of attention."""
    return weight.ndim == 2 and name.endswith(".weight")


def train(make: Callable[[], System], mixture: Mixture, run: Run) -> Path:
    """Build a system under the run's seed and train it; returns the path of its checkpoint."""
    pl.seed_everything(run.seed, verbose=False)
    torch.set_float32_matmul_precision("high")
    system = make()
    run.out.mkdir(parents=True, exist_ok=True)
    diary = Diary(system, mixture, run.out, run.seed)
    cuda = torch.cuda.is_available()
    watched = not run.overfit and mixture.has(Split.validation)
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)  # its greetings and advice
    with warnings.catch_warnings(), Workers(run.workers) as workers:
        # Blocks of many batches are made on the device or by workers of our own, not by Lightning's loaders.
        warnings.filterwarnings("ignore", message=".*does not have many workers.*")
        warnings.filterwarnings("ignore", message=".*LeafSpec.*")  # Lightning's own, of torch's internals
        trainer = pl.Trainer(
            accelerator="gpu" if cuda else "cpu",
            devices=1,
            precision="bf16-mixed" if cuda else "32-true",
            max_steps=system.plan.steps,
            max_time=run.max_time,
            val_check_interval=min(system.plan.steps, max(VALIDATION_GAP, system.plan.steps // VALIDATIONS)),
            num_sanity_val_steps=0,
            limit_val_batches=None if watched else 0,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=[diary],
        )
        try:
            trainer.fit(Lesson(system, mixture, run, workers))
        except SystemExit:  # how Lightning ends after Ctrl-C and after SIGTERM, the latter with code 0
            raise KeyboardInterrupt from None
    return diary.model
