"""A system and corpora in, a checkpoint out. Lightning runs the loop; batches are made on the device."""

from __future__ import annotations

import logging
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from zeroply.artefacts import load_checkpoint
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.portion import Portion
from zeroply.corpus.score import Split
from zeroply.recipes import System
from zeroply.recipes.checkpoints import begin_with
from zeroply.recipes.plan import Epochs, Plan, Steps
from zeroply.training.checkpoint_io import STATE, StateIO
from zeroply.training.diary import Diary
from zeroply.training.keeper import Keeper
from zeroply.training.labels import check_labels
from zeroply.training.lesson import Lesson
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.ranks import ALONE, Ranks
from zeroply.training.resuming import asked, steps_done
from zeroply.training.watch import Watch
from zeroply.training.watchers import watchers
from zeroply.training.work import full_speed

VALIDATIONS = 20
"""Looks at the validation part in a long run; in a short one they come VALIDATION_GAP steps apart."""
VALIDATION_GAP = 500
FEWEST_LOOKS = 5
"""In a run that is counted in epochs: it has one after each, or several in each of few."""
VALIDATION_ROWS = 204_800
"""Positions of the validation part that are looked at, at most."""
LOOK_TOKENS = 2**16
"""Tokens of a batch that is only looked at; it is as large as one that is learned, at least."""


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
    wandb: str | None = None
    """A project of Weights & Biases that the run is shown to as well."""
    start: Path | None = None
    """A checkpoint or run folder of the same recipe and options, whose weights the run begins with."""
    save_every: float = 60.0
    """Seconds after which its state is saved again."""
    resume: bool = False
    """Go on from the state in `out`."""
    ranks: Ranks = ALONE
    """The processes that share the run."""


class Ordered(Dataset[dict[str, Tensor]]):
    """A portion of each batch in order, made on the device when it is asked for; or the first all over."""

    def __init__(self, lessons: Lessons, portion: Portion, *, first_only: bool = False) -> None:
        self._lessons, self._portion, self._first_only = lessons, portion, first_only

    def __len__(self) -> int:
        return self._lessons.steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        return self._lessons.batches.portion(0 if self._first_only else step, self._portion)


class Onward(Sampler[int]):
    """The steps from `begin` on. It is as long as the whole run: Lightning counts the steps before too."""

    def __init__(self, begin: int, steps: int) -> None:
        self._begin, self._steps = begin, steps

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._begin, self._steps))


def train(make: Callable[[], System], mixture: Mixture, run: Run) -> Path:
    """Build a system under the run's seed and train it; returns the path of its best checkpoint."""
    began = time.monotonic()
    pl.seed_everything(run.seed, verbose=False)
    torch.set_float32_matmul_precision("high")
    system = make()
    before = {} if run.start is None else {"before": begin_with(system, run.start)}
    check_labels(system.recipe, system.objective.reads, mixture.corpora)
    plan, ranks = system.plan, run.ranks
    ranks.check(run.overfit or plan.batch, "--overfit " if run.overfit else "--set batch=")
    mixture = mixture.sampled(plan.sampling, run.movers, run.positions)
    rank_zero_only.rank = ranks.rank  # type: ignore[attr-defined]  # callbacks are made before Lightning knows
    for name in ("pytorch_lightning", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)  # greetings and advice
    with warnings.catch_warnings(), Workers(run.workers) as workers:
        # Blocks of many batches are made on the device or by workers of our own, not by Lightning's loaders.
        warnings.filterwarnings("ignore", message=".*does not have many workers.*")
        warnings.filterwarnings("ignore", message=".*have no `val_dataloader`.*")  # a corpus may have none
        warnings.filterwarnings("ignore", message=".*your dataloader is not resumable.*")  # batch k is known
        warnings.filterwarnings("ignore", message=".*LeafSpec.*")  # Lightning's own, of torch's internals
        warnings.filterwarnings("ignore", message=".*broadcast_buffers.*")  # until torch 2.11 the only name
        batches = partial(
            mixture.batches,
            history=system.encoding.history,
            place=torch.empty(0, device=ranks.device),
            workers=workers,
            chunk=plan.chunk,
            tell=rank_zero_only(partial(print, file=sys.stderr)),
        )
        lessons = batches(
            Split.train, batch=run.overfit or plan.batch, seed=run.seed, steps=partial(_steps, plan.length)
        )

        def look_at(split: Split, rows: float) -> DataLoader[dict[str, Tensor]]:
            """The first `rows` positions of a part, or all."""
            tokens = sum(stream.length for stream in system.encoding.streams.values())
            batch = max(plan.batch, LOOK_TOKENS // tokens)
            part = batches(
                split, batch=batch, seed=0, steps=lambda epoch: int(min(max(1, rows / batch), epoch))
            )
            return DataLoader(Ordered(part, ranks.portion), batch_size=None)

        watched = not run.overfit and mixture.has(Split.validation)
        validation = look_at(Split.validation, VALIDATION_ROWS) if watched else None
        if ranks.first:
            run.out.mkdir(parents=True, exist_ok=True)
        lesson = Lesson(
            system,
            steps=lessons.steps,
            epoch=lessons.epoch,
            seed=run.seed,
            compiled=run.compiled,
            portion=ranks.portion,
        )
        chosen = {"seed": run.seed, **mixture.about(), **before}
        wanted = asked(system, overfit=run.overfit, **chosen)
        begin = steps_done(run.out, wanted) if run.resume else 0
        ordered = Ordered(lessons, ranks.portion, first_only=run.overfit > 0)
        diary = Diary(
            run.out,
            system,
            lessons.epoch,
            full_speed=full_speed(system, ranks.device),
            watchers=watchers(run.out, run.wandb, system),
        )
        watch = Watch(run.out, lambda step: lessons.batches[0 if run.overfit else step], wanted)
        keeper = Keeper(
            lesson.judged,
            run.out,
            lessons.epoch,
            diary,
            about={**chosen, **_circumstances()},
            asked=wanted,
            seconds=run.save_every,
        )
        trainer = pl.Trainer(
            **ranks.trainer(),
            accelerator="gpu" if ranks.device.type == "cuda" else "cpu",
            precision="bf16-mixed" if ranks.device.type == "cuda" else "32-true",
            max_steps=lessons.steps,
            max_time=None if run.max_time is None else _left(run.max_time, began),
            val_check_interval=_gap(plan, lessons),
            num_sanity_val_steps=0,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            plugins=[ranks.environment, StateIO()],
            callbacks=[watch, diary, keeper],
        )
        state = run.out / STATE
        try:
            trainer.fit(
                lesson,
                DataLoader(ordered, batch_size=None, sampler=Onward(begin, lessons.steps)),
                validation,
                ckpt_path=state if run.resume else None,
            )
            if validation is not None and keeper.looked_at < trainer.global_step:
                trainer.validate(lesson, validation, verbose=False)
            if plan.tests and not run.overfit and mixture.has(Split.test):
                best = load_checkpoint(keeper.best)[0] if ranks.first else {}  # other hosts have no such file
                lesson.judged.net.load_state_dict(trainer.strategy.broadcast(best))
                trainer.test(lesson, look_at(Split.test, math.inf), verbose=False)
            if keeper.is_content or trainer.global_step == lessons.steps:
                trainer.strategy.remove_checkpoint(state)  # there is nothing left to resume
        except SystemExit:  # how Lightning ends after Ctrl-C and after SIGTERM, the latter with code 0
            raise KeyboardInterrupt from None
    return keeper.best


def _left(limit: timedelta, began: float) -> timedelta:
    """What making the first batches has left of the time."""
    return max(limit - timedelta(seconds=time.monotonic() - began), timedelta(seconds=1))


def _steps(length: Steps | Epochs, epoch: int) -> int:
    return length.count if isinstance(length, Steps) else length.count * epoch


def _gap(plan: Plan, lessons: Lessons) -> int:
    """Steps between looks at the validation part."""
    if plan.keeps_epochs:
        return lessons.epoch
    if isinstance(plan.length, Epochs):
        return max(1, lessons.epoch // max(1, FEWEST_LOOKS // plan.length.count))
    return min(lessons.steps, max(VALIDATION_GAP, lessons.steps // VALIDATIONS))


def _circumstances() -> dict[str, str]:
    return {"date": datetime.now(UTC).date().isoformat(), "torch": torch.__version__}
