"""How a system wants to be trained: all numbers that its seed names beside the net."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroply.corpus.sample.choice import EVERYTHING, Sampling
from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.recipes.schedules import Schedule


@dataclass(frozen=True)
class Steps:
    """A run of so many steps; epochs of the corpora come and go within."""

    count: int


@dataclass(frozen=True)
class Epochs:
    """A run of so many times through the corpora, or of a part of them, with a look at the validation part
    after each."""

    count: float


@dataclass(frozen=True, kw_only=True)
class AdamW:
    """Decay is for matrices alone; without it this is Adam."""

    rate: float
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.999)


@dataclass(frozen=True, kw_only=True)
class Muon:
    """Steps that turn the matrices of trunks about equally in all directions; AdamW for all other weights.
    Steps are as long as AdamW's, so its rates are where to begin; twice them may be better (docs/log.md)."""

    rate: float
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.999)
    """Of AdamW."""
    momentum: float = 0.95


@dataclass(frozen=True, kw_only=True)
class Plan:
    batch: int
    length: Steps | Epochs
    optimizer: AdamW | Muon
    schedule: Schedule
    clip: float = 1.0
    """Gradients whose norm is greater are shortened to it."""
    slower: Mapping[str, float] = field(default_factory=dict)
    """Factors on the rate of parameters whose names begin so."""
    sampling: Sampling = EVERYTHING
    """Which positions are learned unless the command says otherwise."""
    chunk: int = BLOCK
    """Positions mixed at a time."""
    forget: float = 0.0
    """Share of rows in which the past is hidden in training; in as many who plays is, ratings and kind at
    once."""
    flip: float = 0.0
    """Share of rows seen in a mirror, left and right exchanged, in games where that changes nothing."""
    average: float = 0.0
    """A running mean of the weights is what is looked at and kept: how much of itself it keeps at each step.
    0: the weights themselves are."""
    patience: Steps | Epochs | None = None
    """The run stops at a look at the validation part whose loss has not been lower for so long."""
    keeps_epochs: bool = False
    """A checkpoint of every epoch stays, beside the best and the last."""
    tests: bool = False
    """At the end the best is shown the test part, if there is one."""
