"""What is said before the first step: what is trained, where, on what and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_DOWN, Context

import torch

from zeroply.corpus.ratings import people_between
from zeroply.recipes import System
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Steps
from zeroply.recipes.schedules import Warmup
from zeroply.training.labels import has_results
from zeroply.training.mixture import Lessons, Mixture
from zeroply.training.parts import Look
from zeroply.training.ranks import Ranks, say

OFTEN = 8
"""Times after which a small corpus among others is learnt by heart, it seems: the loss of xiangqi positions
labelled by an engine rose from there, while people's games went on teaching (docs/log.md, 2026-11-19)."""


def tell(
    system: System,
    mixture: Mixture,
    lessons: Lessons,
    batch: int,
    looks: Sequence[Look],
    ranks: Ranks,
    *,
    begin: int,
    overfit: bool,
) -> None:
    """Of a run that has `begin` steps behind it, and learns only the first batch if it is to `overfit`."""
    place = torch.cuda.get_device_name(ranks.device) if ranks.device.type == "cuda" else "the CPU"
    shared = f", {ranks.count} processes" if ranks.count > 1 else ""
    said = [
        f"{system.recipe} for {system.game.name}: {parameters(system.net):,} parameters, on {place}{shared}"
    ]
    for corpus, passes in zip(mixture.corpora, lessons.passes, strict=True):
        games, positions = corpus.manifest["games"], corpus.manifest["plies"] - corpus.manifest.get("past", 0)
        of = f" of {games:,} games" if games < positions else ""  # else each is a position by itself
        often = "" if overfit else f", gone through {_times(passes)}"
        said.append(f"{corpus.path}: {positions:,} positions{of}{often}")
    learnt = f"{batch:,} of" if overfit else "there are"
    looked_at = f"{sum(look.lessons.rows for look in looks):,}" if looks else "none"
    said.append(
        f"{lessons.steps:,} steps of {batch:,} rows; {learnt} {lessons.positions:,} to learn, "
        f"{looked_at} to validate by"
    )
    if not looks and system.plan.patience is not None and not overfit:
        said.append("patience does nothing: there is no validation part whose loss could stop falling")
    if "outcome" in system.objective.reads and not any(map(has_results, mixture.corpora)):
        said.append("what the net says of win, draw and loss is not learnt: no game has a result")
    people, weakest = people_between(mixture.corpora), getattr(system.options, "weakest", 0)
    if people is not None and people[0] < weakest:
        said.append(
            f"people from {people[0]} to {people[1]} play here; all below {weakest} count as {weakest}. "
            f"To tell them apart: --set weakest={people[0]}"
        )
    schedule = system.plan.schedule
    if isinstance(schedule, Warmup) and (rising := schedule.rising(lessons.steps)) < schedule.warmup:
        said.append(
            f"the rate rises over {rising:,} steps, not warmup={schedule.warmup}: the run is too short"
        )
    if not overfit and isinstance(system.plan.length, Steps):  # else so many times are what was asked for
        said += _too_often(mixture, lessons.passes)
    if begin:
        said.append(f"going on after step {begin:,}")
    say("\n".join(said))


def _too_often(mixture: Mixture, passes: Sequence[float]) -> list[str]:
    """Corpora that come too often where others do not, and what weights would mend it in as many steps."""
    weighed = list(zip(mixture.corpora, mixture.weights, passes, strict=True))
    others = sum(weight for _, weight, count in weighed if count <= OFTEN)
    fitting = {
        corpus.path: weight / sum(mixture.weights) * OFTEN / count
        for corpus, weight, count in weighed
        if count > OFTEN
    }
    if not others:
        return []  # no weights would
    scale = others / (1 - sum(fitting.values()))
    return [
        f"{corpus.path} is gone through {_times(count)}, and may be learnt by heart. "
        f"For {OFTEN} times: {corpus.path}={_rounded_down(fitting[corpus.path] * scale)}"
        for corpus, _, count in weighed
        if count > OFTEN
    ]


def _rounded_down(weight: float) -> str:
    return f"{Context(prec=2, rounding=ROUND_DOWN).create_decimal_from_float(weight):f}"


def _times(passes: float) -> str:
    return f"{passes:.2f} times" if passes < 10 else f"{passes:,.0f} times"
