"""A system and corpora in, a checkpoint out. Lightning runs the loop; batches are made on the device."""

from __future__ import annotations

import logging
import math
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

from zeroply.artefacts import load_checkpoint
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.following import following
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.score import Split
from zeroply.recipes import System
from zeroply.recipes.base import begin_with
from zeroply.recipes.plan import Epochs, Steps
from zeroply.recipes.schedules import Schedule
from zeroply.training.diary import TOP1, Diary
from zeroply.training.flip import flip
from zeroply.training.forget import forget
from zeroply.training.keeper import Keeper
from zeroply.training.labels import check_labels
from zeroply.training.mixture import Lessons, Mixture

VALIDATIONS = 20
"""Looks at the validation part in a long run; in a short one they come VALIDATION_GAP steps apart."""
VALIDATION_GAP = 500
VALIDATION_ROWS = 204_800
"""Positions of the validation part that are looked at, at most."""


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
    movers: tuple[Movers, ...] = ()
    """Whose moves are learned, of all corpora or of each; none: as the plan has it."""
    positions: Positions | None = None
    start: Path | None = None
    """A checkpoint or run folder of the same recipe and options, whose weights the run begins with."""


class Ordered(Dataset[dict[str, Tensor]]):
    """Batches in their order, each made on the device when it is asked for; or the first one all over."""

    def __init__(self, lessons: Lessons, *, first_only: bool = False) -> None:
        self._lessons, self._first_only = lessons, first_only

    def __len__(self) -> int:
        return self._lessons.steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        return self._lessons.batches[0 if self._first_only else step]


class Lesson(pl.LightningModule):
    """One step: rows, streams, outputs, loss. Knows neither a game nor a recipe by name."""

    def __init__(self, system: System, run: Run, steps: int, epoch: int) -> None:
        super().__init__()
        self.net, self.encoding = system.net, system.encoding
        self._system, self._run, self._steps, self._epoch = system, run, steps, epoch
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
        rows = following(rows, self._system.game, self._system.objective.reads)
        seen = forget(rows, self._system.plan.forget, self._run.seed, step)
        out = self._forward({name: seen[name] for name in self.encoding.reads})
        loss, terms = self._system.objective(out, rows)
        found = {**terms, **self._measured(out, rows)}
        return {"loss": loss, "terms": {name: value.detach() for name, value in found.items()}}

    def validation_step(self, rows: dict[str, Tensor], step: int) -> None:
        self._look(rows, "validation")

    def test_step(self, rows: dict[str, Tensor], step: int) -> None:
        self._look(rows, "test")

    def _look(self, rows: dict[str, Tensor], part: str) -> None:
        rows = following(rows, self._system.game, self._system.objective.reads)
        out = self._plain_forward(rows)
        loss, terms = self._system.objective(out, rows)
        found = {"loss": loss, **terms, **self._measured(out, rows)}
        # A batch counts by the moves that it teaches, which may be more than its rows.
        self.log_dict(
            {f"{part}_{name}": value for name, value in found.items()}, batch_size=int(rows["taught"].sum())
        )

    def _measured(self, out: Mapping[str, Tensor], rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
        own = {name: measure(out, rows) for name, measure in self._system.measures.items()}
        return {**_top1(out, rows), **own}

    def configure_gradient_clipping(self, optimizer: Any, *_: Any, **__: Any) -> None:
        # Lightning refuses to clip for fused optimizers, for the sake of float16 scaling, which we never use.
        nn.utils.clip_grad_norm_(self.net.parameters(), self._system.plan.clip)

    def configure_optimizers(self) -> Any:
        plan = self._system.plan
        groups: dict[tuple[bool, float], list[nn.Parameter]] = {}
        for name, weight in self.net.named_parameters():
            factor = next((factor for begin, factor in plan.slower.items() if name.startswith(begin)), 1.0)
            groups.setdefault((_decays(name, weight), factor), []).append(weight)
        optimizer = torch.optim.AdamW(
            [
                {
                    "params": weights,
                    "lr": factor * plan.optimizer.rate,
                    "weight_decay": plan.optimizer.weight_decay if decays else 0.0,
                }
                for (decays, factor), weights in groups.items()
            ],
            betas=plan.optimizer.betas,
            fused=self._place.type == "cuda",
        )
        share = partial(_share, plan.schedule, self._steps, self._epoch)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": LambdaLR(optimizer, share), "interval": "step"},
        }


def _share(schedule: Schedule, steps: int, epoch: int, step: int) -> float:
    return schedule(step, steps, epoch)


def _decays(name: str, weight: nn.Parameter) -> bool:
    """Weight decay is for the matrices of layers, not for offsets, norms, places or biases of attention."""
    return weight.ndim == 2 and name.endswith(".weight")


def _top1(out: Mapping[str, Tensor], rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """How often the likeliest move was the played one, for nets that have a policy."""
    if "policy" not in out:
        return {}
    return {TOP1: (out["policy"].argmax(1) == rows["move"]).float().mean()}


def train(make: Callable[[], System], mixture: Mixture, run: Run) -> Path:
    """Build a system under the run's seed and train it; returns the path of its best checkpoint."""
    pl.seed_everything(run.seed, verbose=False)
    torch.set_float32_matmul_precision("high")
    system = make()
    before = {} if run.start is None else {"before": begin_with(system, run.start)}
    check_labels(system.recipe, system.objective.reads, mixture.corpora)
    plan = system.plan
    mixture = mixture.sampled(plan.sampling, run.movers, run.positions)
    cuda = torch.cuda.is_available()
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)  # its greetings and advice
    with warnings.catch_warnings(), Workers(run.workers) as workers:
        # Blocks of many batches are made on the device or by workers of our own, not by Lightning's loaders.
        warnings.filterwarnings("ignore", message=".*does not have many workers.*")
        warnings.filterwarnings("ignore", message=".*have no `val_dataloader`.*")  # a corpus may have none
        warnings.filterwarnings("ignore", message=".*LeafSpec.*")  # Lightning's own, of torch's internals
        batches = partial(
            mixture.batches,
            history=system.encoding.history,
            place=torch.empty(0, device="cuda" if cuda else "cpu"),
            workers=workers,
            chunk=plan.chunk,
            tell=lambda line: print(line, file=sys.stderr),
        )
        lessons = batches(
            Split.train, batch=run.overfit or plan.batch, seed=run.seed, steps=partial(_steps, plan.length)
        )

        def look_at(split: Split, rows: float) -> DataLoader[dict[str, Tensor]]:
            """The first `rows` positions of a part, or all."""
            part = batches(
                split, batch=plan.batch, seed=0, steps=lambda epoch: int(min(rows / plan.batch, epoch))
            )
            return DataLoader(Ordered(part), batch_size=None)

        watched = not run.overfit and mixture.has(Split.validation)
        validation = look_at(Split.validation, max(VALIDATION_ROWS, plan.batch)) if watched else None
        run.out.mkdir(parents=True, exist_ok=True)
        diary = Diary(run.out, plan.length, lessons.epoch)
        about = {"seed": run.seed, **mixture.about(), **_circumstances(), **before}
        keeper = Keeper(system, run.out, lessons.epoch, diary, about)
        trainer = pl.Trainer(
            accelerator="gpu" if cuda else "cpu",
            devices=1,
            precision="bf16-mixed" if cuda else "32-true",
            max_steps=lessons.steps,
            max_time=run.max_time,
            val_check_interval=_gap(plan.length, lessons),
            num_sanity_val_steps=0,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=[diary, keeper],
        )
        lesson = Lesson(system, run, lessons.steps, lessons.epoch)
        try:
            trainer.fit(
                lesson, DataLoader(Ordered(lessons, first_only=run.overfit > 0), batch_size=None), validation
            )
            if validation is not None and keeper.looked_at < trainer.global_step:
                trainer.validate(lesson, validation, verbose=False)
            if plan.tests and not run.overfit and mixture.has(Split.test):
                system.net.load_state_dict(load_checkpoint(keeper.best)[0])
                trainer.test(lesson, look_at(Split.test, math.inf), verbose=False)
        except SystemExit:  # how Lightning ends after Ctrl-C and after SIGTERM, the latter with code 0
            raise KeyboardInterrupt from None
    return keeper.best


def _steps(length: Steps | Epochs, epoch: int) -> int:
    return length.count if isinstance(length, Steps) else length.count * epoch


def _gap(length: Steps | Epochs, lessons: Lessons) -> int:
    """Steps between looks at the validation part."""
    if isinstance(length, Epochs):
        return lessons.epoch
    return min(lessons.steps, max(VALIDATION_GAP, lessons.steps // VALIDATIONS))


def _circumstances() -> dict[str, str]:
    return {"date": datetime.now(UTC).date().isoformat(), "torch": torch.__version__}
