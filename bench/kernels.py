"""What a GPU does in a step: `python -m bench.kernels CORPUS [RECIPE] [OPTION=VALUE …]`, bare machine or not.

Milliseconds of a step, with one batch again and again: from step to step, of each kind of kernel, and of the
kernels that take longest. What the kinds do not sum up to, the GPU waits.
"""

import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile
from torch.utils.data import DataLoader, Dataset

from bench.feeding import lessons_of
from zeroply.corpus.sample.ahead import Workers
from zeroply.recipes import find_recipe
from zeroply.training.arithmetic import set_arithmetic
from zeroply.training.length import Length
from zeroply.training.lesson import Lesson
from zeroply.training.mixture import Mixture
from zeroply.training.ranks import ALONE
from zeroply.training.trainer import quiet, trainer_for

WARM_UP, TIMED, PROFILED = 20, 20, 10
"""Steps: in the first the net is compiled; then they are timed, and then each kernel."""
LONGEST = 30
KINDS = {
    "attention": "^_(forth|back)",
    "matrix products": "gemm|nvjet|cutlass|cublas",
    "sums, norms and the like, compiled": "^triton_",
    "sums of the optimizer": "multi_tensor_apply",
}
"""By what is in a kernel's name, the first that fits."""


class Watched(pl.Callback, Dataset[dict[str, Tensor]]):
    """One batch all over, and what its steps took."""

    def __init__(self, batch: dict[str, Tensor]) -> None:
        self._batch, self._began, self.step = batch, 0.0, 0.0
        self.profile = profile(activities=[ProfilerActivity.CUDA])

    def __len__(self) -> int:
        return WARM_UP + TIMED + PROFILED

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        return self._batch

    def on_train_batch_end(self, trainer: pl.Trainer, *_: Any) -> None:
        if trainer.global_step == WARM_UP:
            torch.cuda.synchronize()
            self._began = time.perf_counter()
        elif trainer.global_step == WARM_UP + TIMED:
            torch.cuda.synchronize()
            self.step = 1e3 * (time.perf_counter() - self._began) / TIMED
            self.profile.start()

    def on_train_end(self, *_: Any) -> None:
        torch.cuda.synchronize()
        self.profile.stop()


def kind_of(kernel: str) -> str:
    return next((kind for kind, name in KINDS.items() if re.search(name, kernel)), "the rest")


def main(corpus: str, recipe: str = "intuition", *settings: str) -> None:
    set_arithmetic()
    mixture = Mixture.open([(Path(corpus), 1.0)])
    system = find_recipe(recipe).make(mixture.game, dict(text.split("=", 1) for text in settings))
    with quiet(), Workers(0) as workers:
        watched = Watched(lessons_of(mixture, system, workers).batches[0])
        trainer = trainer_for(ALONE, [watched], steps=len(watched))
        lesson = Lesson(system, length=Length(len(watched), len(watched)), seed=0, compiled=True)
        trainer.fit(lesson, DataLoader(watched, batch_size=None))
    kernels = watched.profile.key_averages()
    taken = Counter({kernel.key: 1e-3 * kernel.self_device_time_total / PROFILED for kernel in kernels})
    times = {kernel.key: kernel.count / PROFILED for kernel in kernels}
    kinds: Counter[str] = Counter()
    for kernel, milliseconds in taken.items():
        kinds[kind_of(kernel)] += milliseconds
    print(f"{recipe}: {watched.step:.1f} ms a step, {kinds.total():.1f} of them in kernels")
    for kind, milliseconds in kinds.most_common():
        print(f"{milliseconds:8.2f} ms  {kind}")
    print("the longest:")
    for kernel, milliseconds in taken.most_common(LONGEST):
        print(f"{milliseconds:8.2f} ms  {times[kernel]:5.1f} times  {kernel[:120]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
