"""One step of training, and what follows from a plan: optimizer, rates, clipping."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR

from zeroply.corpus.sample.following import following
from zeroply.corpus.sample.portion import WHOLE, Portion
from zeroply.recipes import System
from zeroply.recipes.schedules import Schedule
from zeroply.training.average import Average
from zeroply.training.curves import OF
from zeroply.training.diary import TOP1
from zeroply.training.drawn import Chance, seed_for
from zeroply.training.flip import flip
from zeroply.training.forget import forget
from zeroply.training.length import Length
from zeroply.training.optimizers import optimizer_of
from zeroply.training.parts import Look
from zeroply.training.tally import Tally, of_the_whole, weighted_sum

Numbers = dict[str, Tensor]
"""By name: columns of rows, or what a loss is made of."""


class Lesson(pl.LightningModule):
    """One step: rows, streams, outputs, loss. Knows neither a game nor a recipe by name."""

    def __init__(
        self,
        system: System,
        *,
        length: Length,
        seed: int,
        compiled: bool,
        portion: Portion = WHOLE,
    ) -> None:
        """A run of such a length; `compiled` where it takes place on a GPU. Of each
        batch it gets a portion."""
        super().__init__()
        self.net, self.encoding = system.net, system.encoding
        self._system, self._length = system, length
        self._seed, self._compiled, self._portion = seed, compiled, portion
        self.looks: dict[str, Sequence[Look]] = {}
        """What Lightning is given to look at, by part: `validation`, `test`."""
        self._tallies, self._looked = defaultdict[int, Tally](Tally), 0
        decay = system.plan.average
        self.average = Average(self.net, decay) if decay else None
        self.judged = system if self.average is None else replace(system, net=self.average.net)
        """What is looked at and kept: the system with its weights averaged, if its plan says so."""
        self.gradient = torch.zeros(())
        """The norm of the last step's gradient, before it was clipped."""
        self._learn: Callable[[Numbers, Numbers], tuple[Tensor, Numbers, Numbers]] = self._plainly_learn

    def _plainly_learn(self, seen: Numbers, rows: Numbers) -> tuple[Tensor, Numbers, Numbers]:
        """The loss, its terms and the measures of what the net, shown `seen`, says of `rows`."""
        out = self.net(self.encoding(seen))
        loss, terms = self._system.objective(out, rows)
        return loss, terms, self._measured(out, rows)

    def setup(self, stage: str) -> None:
        if self._compiled and self._place.type == "cuda":
            self._learn = torch.compile(self._plainly_learn)

    @property
    def _place(self) -> torch.device:
        """Where the run takes place; `self.device` says so only once the net has been moved there."""
        return self.trainer.strategy.root_device

    def on_train_batch_start(self, rows: dict[str, Tensor], step: int) -> None:
        """What a net draws at random (dropout) follows from seed and step too: nothing of it need be kept."""
        place, rank = self._place, self.trainer.global_rank
        generator = (
            torch.cuda.default_generators[place.index or 0]
            if place.type == "cuda"
            else torch.default_generator
        )
        generator.manual_seed(seed_for(Chance.WITHIN_THE_NET, self._seed, step, rank))

    def training_step(self, rows: dict[str, Tensor], step: int) -> dict[str, Any]:
        rows = flip(rows, self._system.game, self._system.plan.flip, self._seed, step, self._portion)
        rows = following(rows, self._system.game, self._system.objective.reads)
        seen = forget(rows, self._system.plan.forget, self._seed, step, self._portion)
        loss, terms, measured = self._learn({name: seen[name] for name in self.encoding.reads}, rows)
        found, taught = {**terms, **measured}, rows["taught"].sum()
        counts = self._counted(found, rows)
        if self._portion.of > 1:
            found, counts, factors = of_the_whole(found, counts, self._portion)
            loss = self._system.objective.total({name: terms[name] * factors[name] for name in terms})
            torch.distributed.all_reduce(taught)
        return {
            "loss": loss,
            "terms": {name: value.detach() for name, value in found.items()},
            "counts": counts,
            "taught": taught,
        }

    def validation_step(self, rows: dict[str, Tensor], step: int, dataloader_idx: int = 0) -> None:
        self._look(rows, dataloader_idx)

    def on_validation_epoch_end(self) -> None:
        self._tell("validation", self.trainer.num_val_batches)

    def test_step(self, rows: dict[str, Tensor], step: int, dataloader_idx: int = 0) -> None:
        self._look(rows, dataloader_idx)

    def on_test_epoch_end(self) -> None:
        self._tell("test", self.trainer.num_test_batches)

    def _look(self, rows: dict[str, Tensor], look: int) -> None:
        if len(rows["move"]):  # a last batch may be too small for all processes
            self._judge(rows, self._tallies[look])
        self._looked += 1

    def _judge(self, rows: dict[str, Tensor], tally: Tally) -> None:
        rows = following(rows, self._system.game, self._system.objective.reads)
        out = self.judged.net(self.encoding(rows))
        _, terms = self._system.objective(out, rows)
        found = {**terms, **self._measured(out, rows)}
        tally.add(found, self._counted(found, rows))

    def _counted(self, found: Mapping[str, Tensor], rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """By name, of how much each of these is the mean."""
        moves = rows["taught"].sum()  # a row may teach more than its own move
        return {**dict.fromkeys(found, moves), **self._system.objective.counted(dict(rows))}

    def _tell(self, part: str, batches: Sequence[int | float]) -> None:
        # Lightning takes a StopIteration from anywhere within a look for the end of its batches.
        if self._looked != sum(batches):
            raise RuntimeError(
                f"{self._looked} of {sum(batches)} {part} batches were seen. Please report this"
            )
        looks, tallies = self.looks[part], self._tallies
        each = [tallies[look].of_all() for look in range(len(looks))]
        self._tallies, self._looked = defaultdict(Tally), 0
        whole = Tally.together((look.weight, tally) for look, tally in zip(looks, each, strict=True))
        told = {f"{part}_{name}": mean for name, mean in self._means(whole).items()}
        if len(looks) > 1:
            told |= {
                f"{part}_{name}{OF}{look.corpus}": mean
                for look, tally in zip(looks, each, strict=True)
                for name, mean in self._means(tally).items()
            }
        self.log_dict(told, sync_dist=True)

    def _means(self, tally: Tally) -> dict[str, float]:
        means = tally.means()
        return {**means, "loss": weighted_sum(means, self._system.objective.weights)}

    def _measured(self, out: Mapping[str, Tensor], rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
        own = {name: measure(out, rows) for name, measure in self._system.measures.items()}
        return own if TOP1 in own else {**_top1(out, rows), **own}

    def configure_gradient_clipping(self, optimizer: Any, *_: Any, **__: Any) -> None:
        # Lightning refuses to clip for fused optimizers, for the sake of float16 scaling, which we never use.
        self.gradient = nn.utils.clip_grad_norm_(self.net.parameters(), self._system.plan.clip)

    def optimizer_step(self, *arguments: Any, **named: Any) -> None:
        super().optimizer_step(*arguments, **named)
        if self.average is not None:
            self.average.follow(self.net, self.trainer.global_step)

    def configure_optimizers(self) -> Any:
        plan = self._system.plan
        optimizer = optimizer_of(plan, self.net, fused=self._place.type == "cuda")
        share = partial(_share, plan.schedule, self._length)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": LambdaLR(optimizer, share), "interval": "step"},
        }


def _share(schedule: Schedule, length: Length, step: int) -> float:
    return schedule(step, length.steps, length.epoch)


def _top1(out: Mapping[str, Tensor], rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """How often the likeliest move was the played one, for nets that have a policy."""
    if "policy" not in out:
        return {}
    return {TOP1: (out["policy"].argmax(1) == rows["move"]).float().mean()}
