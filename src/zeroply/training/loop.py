"""A system and corpora in, a checkpoint out. Lightning runs the loop; batches are made on the device."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only
from torch.utils.data import DataLoader

from zeroply.artefacts import load_checkpoint
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.corpus.score import Split
from zeroply.errors import ZeroplyError
from zeroply.recipes import System
from zeroply.recipes.plan import Epochs, Plan
from zeroply.training import folder
from zeroply.training.arithmetic import set_arithmetic
from zeroply.training.beginning import tell
from zeroply.training.diary import Diary
from zeroply.training.fits import check_fits
from zeroply.training.keeper import Keeper
from zeroply.training.labels import check_labels
from zeroply.training.length import Length
from zeroply.training.lesson import Lesson
from zeroply.training.max_time import MaxTime
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.parts import Parts
from zeroply.training.ranks import ALONE, Ranks
from zeroply.training.resuming import asked, steps_done
from zeroply.training.start import Start
from zeroply.training.steps import Onward, Ordered
from zeroply.training.stop import Stop
from zeroply.training.trainer import quiet, trainer_for
from zeroply.training.watch import Watch
from zeroply.training.watchers import watchers
from zeroply.training.work import full_speed

MOST_LOOKS = 10
"""At the validation part in a run of steps; fewer where that would be more work than half the learning."""
FEWEST_LOOKS = 5
"""In a run that is counted in epochs: it has one after each, or several in each of few."""
VALIDATION_ROWS = 204_800
"""Positions of the validation part that are looked at, at most."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a run is asked for beside its recipe and corpora."""

    out: Path
    seed: int = 0
    within: timedelta | None = None
    """In so long it is whole, with fewer steps than planned where that takes longer."""
    max_time: timedelta | None = None
    """After so long it is cut."""
    began: float = field(default_factory=time.monotonic)
    """When the command was given, by `time.monotonic`: `within` and `max_time` count from there."""
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
    start: Start | None = None
    """A trained net, whose weights the run begins with."""
    save_every: float = 60.0
    """Seconds after which its state is saved again."""
    resume: bool = False
    """Go on from the state in `out`."""
    ranks: Ranks = ALONE
    """The processes that share the run."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a run has ended."""

    best: Path
    """Its best checkpoint."""
    done: int
    steps: int
    planned: int
    """Steps; more than those it had time for with --within."""
    content: bool
    """It stopped because it did not get better."""
    judged: bool
    """Its best is so by a look at the validation part, or there is none."""

    def in_words(self) -> str:
        where = f"step {self.done} of {self.steps}"
        if self.content:
            return f"trained: {self.best} (at {where} the validation loss had not fallen for `patience`)"
        if self.done < self.steps:
            best = "The best so far" if self.judged else "The last, for want of a look at the validation part"
            return f"cut by --max-time at {where}; --resume goes on. {best}: {self.best}"
        if self.steps < self.planned:
            return f"trained: {self.best} ({self.steps} of {self.planned} steps, as --within has it)"
        return f"trained: {self.best}"


def train(make: Callable[[], System], mixture: Mixture, run: Run) -> Ended:
    """Build a system under the run's seed and train it."""
    pl.seed_everything(run.seed, verbose=False)
    system = make()
    before = {} if run.start is None else {"before": run.start.give(system)}
    set_arithmetic()  # only now: what a run begins with is compared more exactly than fast matrices are
    check_labels(system.recipe, system.objective.reads, mixture.corpora)
    plan, ranks = system.plan, run.ranks
    mixture = mixture.sampled(plan.sampling, run.movers, run.positions)
    rank_zero_only.rank = ranks.rank  # type: ignore[attr-defined]  # callbacks are made before Lightning knows
    batch, option = (run.overfit, "--overfit ") if run.overfit else (plan.batch, "--set batch=")
    ranks.check(batch, option)
    with quiet(), Workers(run.workers) as workers:
        parts = Parts(system, mixture, ranks, workers)
        lessons = parts.lessons(batch, run.seed)
        check_fits(system, batch, option, lessons.positions, ranks)
        try:
            with folder.held(run.out) if ranks.first else nullcontext():
                return _learn(parts, lessons, batch, run, before)
        except SystemExit:  # how Lightning ends after Ctrl-C and after SIGTERM, the latter with code 0
            raise KeyboardInterrupt from None
        except torch.OutOfMemoryError:
            smaller = f"{option}{batch // 2}"
            if plan.chunk > BLOCK:
                smaller += f", or --set chunk={BLOCK}"
            raise ZeroplyError(
                f"a batch of {batch:,} positions, or the {plan.chunk:,} that are mixed at a time, do not fit "
                f"into the memory of {torch.cuda.get_device_name()}. Choose fewer in a new --out: {smaller}"
            ) from None


def _learn(parts: Parts, lessons: Lessons, batch: int, run: Run, before: Mapping[str, Any]) -> Ended:
    """The run itself, and the last looks; `before` is how the weights that it begins with were trained."""
    system, mixture, ranks = parts.system, parts.mixture, run.ranks
    looks = [] if run.overfit else parts.looks_at(Split.validation, VALIDATION_ROWS)
    rows = sum(look.lessons.rows for look in looks)
    length = Length(lessons.steps, lessons.epoch, run.within, run.began, look=rows / batch)
    lesson = Lesson(
        system,
        length=length,
        seed=run.seed,
        compiled=run.compiled,
        portion=ranks.portion,
    )
    chosen = {"seed": run.seed, **mixture.about(), **before}
    wanted = asked(system, overfit=run.overfit, **chosen)
    paths = [corpus.path for corpus in mixture.corpora]
    begin = steps_done(run.out, wanted, paths) if run.resume else 0
    tell(
        system,
        mixture,
        lessons,
        batch,
        looks,
        ranks,
        begin=begin,
        overfit=run.overfit > 0,
        within=run.within,
    )
    diary = Diary(
        run.out,
        system,
        length,
        full_speed=full_speed(system, ranks.device),
        watchers=watchers(run.out, run.wandb, system),
    )
    watch = Watch(run.out, lambda step: lessons.batches[0 if run.overfit else step], wanted)
    about = {**chosen, **_circumstances()}
    stop = Stop()
    keeper = Keeper(
        lesson.judged, run.out, lessons.epoch, diary, stop, about=about, asked=wanted, seconds=run.save_every
    )
    lesson.looks["validation"] = looks
    gap = _gap(system.plan, lessons, rows)
    limit = run.max_time
    limits = [] if limit is None else [MaxTime(limit, run.began, batch=batch, gap=gap, rows=rows)]
    trainer = trainer_for(
        ranks,
        [length, watch, diary, stop, keeper, *limits],
        steps=lessons.steps,
        val_check_interval=gap,
    )
    ordered = Ordered(lessons, ranks.portion, first_only=run.overfit > 0)
    training = DataLoader(ordered, batch_size=None, sampler=Onward(begin, lessons.steps))
    loaders = parts.loaders(looks) or None
    state = run.out / folder.STATE
    trainer.fit(lesson, training, loaders, ckpt_path=state if run.resume else None)
    ended = keeper.is_content or trainer.global_step == length.steps
    if loaders and ended and length.ends_with_a_look and keeper.looked_at < trainer.global_step:
        trainer.validate(lesson, loaders, verbose=False)
    if loaders and not keeper.has_looked:
        keeper.take_the_last_for_the_best()
    if ended and system.plan.tests and not run.overfit and mixture.having(Split.test):
        _test(trainer, lesson, keeper.best, parts)
    if ended:
        trainer.strategy.remove_checkpoint(state)  # there is nothing left to resume
    return Ended(
        best=keeper.best,
        done=trainer.global_step,
        steps=length.steps,
        planned=length.planned,
        content=keeper.is_content,
        judged=not looks or keeper.has_looked,
    )


def _test(trainer: pl.Trainer, lesson: Lesson, best: Path, parts: Parts) -> None:
    """Show the best weights the test part."""
    weights = load_checkpoint(best)[0] if parts.ranks.first else {}  # other hosts have no such file
    lesson.judged.net.load_state_dict(trainer.strategy.broadcast(weights))
    looks = lesson.looks["test"] = parts.looks_at(Split.test, math.inf)
    trainer.test(lesson, parts.loaders(looks), verbose=False)


def _gap(plan: Plan, lessons: Lessons, rows: int) -> int:
    """Steps between looks at the validation part, each at so many rows."""
    epoch = min(lessons.epoch, lessons.steps)
    if plan.keeps_epochs:
        return epoch
    if isinstance(plan.length, Epochs):
        return max(1, epoch // max(1, int(FEWEST_LOOKS / max(1, plan.length.count))))
    # A look at a row takes a third of the work of learning it.
    looks = min(MOST_LOOKS, max(1, round(1.5 * lessons.rows / max(1, rows))))
    return max(1, lessons.steps // looks)


def _circumstances() -> dict[str, str]:
    return {"date": datetime.now(UTC).date().isoformat(), "torch": torch.__version__}
