"""What is said before the first step: what is trained, where, on what and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_DOWN, Context

import torch

from zeroply.corpus.ratings import people_between
from zeroply.durations import in_words
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
    within: timedelta | None = None,
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
    if within is not None:
        said.append(f"fewer steps if these take more than {in_words(within.total_seconds())}")
    if begin:
        said.append(f"going on after step {begin:,}")
    say("\n".join(said))


def _too_often(mixture: Mixture, passes: Sequence[float]) -> list[str]:
    """Corpora that come too often where others do not, and what weights would mend it in as many steps."""
    mending = mended(mixture.weights, passes)
    if not mending:
        return []
    often = [
        f"{corpus.path} is gone through {_times(count)}, and may be learnt by heart"
        for corpus, count in zip(mixture.corpora, passes, strict=True)
        if count > OFTEN
    ]
    weights = " ".join(f"{mixture.corpora[at].path}={_rounded_down(mending[at])}" for at in mending)
    return [*often, f"for {OFTEN} times at the most: {weights}"]


def mended(weights: Sequence[float], passes: Sequence[float]) -> dict[int, float]:
    """Corpora by their place, and weights with which none comes more than OFTEN times in as many steps; the
    others keep theirs. None where all come often enough or no weights would do."""
    shares = [weight / sum(weights) for weight in weights]
    most = [share * OFTEN / count if count else 1.0 for share, count in zip(shares, passes, strict=True)]
    less, scale = set[int](), 1.0
    while more := {at for at, share in enumerate(shares) if share * scale > most[at]} - less:
        less |= more  # and what they leave goes to the others, of whom some may be too often then
        others = sum(share for at, share in enumerate(shares) if at not in less)
        if not others:
            return {}
        scale = (1 - sum(most[at] for at in less)) / others
    return {at: most[at] / scale * sum(weights) for at in sorted(less)}


def _rounded_down(weight: float) -> str:
    return f"{Context(prec=2, rounding=ROUND_DOWN).create_decimal_from_float(weight):f}"


def _times(passes: float) -> str:
    return f"{passes:.2f} times" if passes < 10 else f"{passes:,.0f} times"
