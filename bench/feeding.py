"""How fast a recipe learns, and what feeding it costs: a run with real data against the same run with one
batch again and again. On a GPU it tells the MFU, too.

`python -m bench.feeding CORPUS [RECIPE] [SECONDS] [OPTION=VALUE …]` runs on a bare machine too. Both kinds
take turns within one run, so that both meet the same compiled net and the same warm device. Give it seconds
enough for several blocks, of which two are there before the first turn: it tells how many more were made.
`intuition` at size m takes a minute for each of its blocks of four million.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytorch_lightning as pl
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.sample.shuffle import Shuffle, Stream
from zeroply.corpus.score import Split
from zeroply.recipes import System, find_recipe
from zeroply.training.arithmetic import set_arithmetic
from zeroply.training.length import Length
from zeroply.training.lesson import Lesson
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.ranks import ALONE
from zeroply.training.trainer import quiet, trainer_for
from zeroply.training.work import full_speed

WARM_UP = 20
"""Steps before the first turn: the net is compiled in the first of them."""
ROUNDS = 3
"""Turns of each kind."""


class Counted(Workers):
    """Tells how many rows a block of the last stream has."""

    block = 0

    def stream(self, shuffle: Shuffle) -> Stream:
        self.block = min(shuffle.size, shuffle.positions)
        return super().stream(shuffle)


@dataclass
class Turn:
    real: bool
    steps: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """Seconds of its longest step."""


class Turns(pl.Callback, Dataset[dict[str, Tensor]]):
    """Batches, real ones or the first one in turn, and the times they took."""

    def __init__(self, batches: Batches, steps: int, seconds: float) -> None:
        self._batches, self._steps, self._each = batches, steps, seconds / (2 * ROUNDS)
        self._first = batches[0]
        self.fed = 0
        self.turns = [Turn(real=False)]
        self._began = self._marked = 0.0

    def __len__(self) -> int:
        return self._steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        if not self.turns[-1].real:
            return self._first
        self.fed += 1
        return self._batches[self.fed]

    def on_train_batch_end(self, trainer: pl.Trainer, *_: Any) -> None:
        if trainer.global_step < WARM_UP:
            return
        if trainer.global_step == WARM_UP:
            self._began = self._marked = _now()
            return
        turn, now = self.turns[-1], time.perf_counter()
        turn.steps += 1
        turn.longest, self._marked = max(turn.longest, now - self._marked), now
        if now - self._began < self._each:
            return
        turn.seconds = _now() - self._began
        trainer.should_stop = len(self.turns) == 2 * ROUNDS
        if not trainer.should_stop:
            self.turns.append(Turn(real=not turn.real))
        self._began = self._marked = _now()


def _now() -> float:
    """When the device has done all that it was told."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()


def lessons_of(mixture: Mixture, system: System, workers: Workers) -> Lessons:
    """What the recipe learns of a corpus, without an end."""
    return mixture.sampled(system.plan.sampling).batches(
        Split.train,
        batch=system.plan.batch,
        history=system.encoding.history,
        seed=0,
        place=torch.empty(0, device=ALONE.device),
        workers=workers,
        steps=lambda _: 10**9,
        chunk=system.plan.chunk,
    )


def main(corpus: str, recipe: str = "intuition", seconds: str = "120", *settings: str) -> None:
    set_arithmetic()
    mixture = Mixture.open([(Path(corpus), 1.0)])
    system = find_recipe(recipe).make(mixture.game, dict(text.split("=", 1) for text in settings))
    with quiet(), Counted(0) as workers:
        lessons = lessons_of(mixture, system, workers)
        turns = Turns(lessons.batches, lessons.steps, float(seconds))
        trainer = trainer_for(ALONE, [turns], steps=lessons.steps)
        lesson = Lesson(system, length=Length(lessons.steps, lessons.epoch), seed=0, compiled=True)
        trainer.fit(lesson, DataLoader(turns, batch_size=None))
    rates = {
        real: np.array([turn.steps / turn.seconds for turn in turns.turns if turn.real is real])
        for real in (True, False)
    }
    mean = {real: system.plan.batch * rate.mean() for real, rate in rates.items()}
    longest = {real: max(turn.longest for turn in turns.turns if turn.real is real) for real in rates}
    most = full_speed(system, ALONE.device)
    share = "" if most is None else f" (MFU {mean[False] / most:.1%})"
    fed = turns.fed * system.plan.batch
    print(
        f"{recipe}: {mean[True]:,.0f} rows/s with real data, {mean[False]:,.0f}{share} with one batch "
        f"again and again: {mean[True] / mean[False]:.3f} "
        f"(by turns {' '.join(f'{ratio:.3f}' for ratio in rates[True] / rates[False])}); "
        f"{fed:,} rows in blocks of {workers.block:,}, of which {fed // workers.block} were made meanwhile; "
        f"longest step {1e3 * longest[True]:.0f} ms against {1e3 * longest[False]:.0f} ms"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
