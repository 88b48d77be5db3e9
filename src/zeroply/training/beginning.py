"""What is said before the first step: what is trained, where, on what and for how long."""

from __future__ import annotations

import sys

import torch
from pytorch_lightning.utilities import rank_zero_only

from zeroply.recipes import System
from zeroply.recipes.base import parameters
from zeroply.recipes.schedules import Warmup
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.ranks import Ranks


@rank_zero_only
def tell(
    system: System,
    mixture: Mixture,
    lessons: Lessons,
    batch: int,
    validation: Lessons | None,
    ranks: Ranks,
    begin: int,
) -> None:
    """Of a run that has `begin` steps behind it."""
    place = torch.cuda.get_device_name(ranks.device) if ranks.device.type == "cuda" else "the CPU"
    shared = f", {ranks.count} processes" if ranks.count > 1 else ""
    said = [
        f"{system.recipe} for {system.game.name}: {parameters(system.net):,} parameters, on {place}{shared}"
    ]
    for corpus in mixture.corpora:
        games, positions = corpus.manifest["games"], corpus.manifest["plies"]
        of = f" of {games:,} games" if games < positions else ""  # else each is a position by itself
        said.append(f"{corpus.path}: {positions:,} positions{of}")
    looked_at = "none" if validation is None else f"{validation.rows:,}"
    said.append(
        f"{lessons.steps:,} steps of {batch:,} rows; there are {lessons.positions:,} to learn, "
        f"{looked_at} to validate by"
    )
    schedule = system.plan.schedule
    if isinstance(schedule, Warmup) and (rising := schedule.rising(lessons.steps)) < schedule.warmup:
        said.append(
            f"the rate rises over {rising:,} steps, not warmup={schedule.warmup}: the run is too short"
        )
    if begin:
        said.append(f"going on after step {begin:,}")
    print("\n".join(said), file=sys.stderr)
