"""Squares facing the mover, a learned board geometry, a from-to policy and win, draw, loss: what we ship."""

from __future__ import annotations

from dataclasses import dataclass

from zeroply.encodings.squares import Squares
from zeroply.games import Game
from zeroply.heads.moves import FromTo
from zeroply.heads.scalars import Outcome
from zeroply.nets.embed import EmbedVectors
from zeroply.nets.geometry import StaticGeometry
from zeroply.nets.net import Net
from zeroply.nets.trunk import Trunk
from zeroply.objectives.terms import MoveNLL, OutcomeNLL, Terms
from zeroply.recipes.base import System
from zeroply.recipes.plan import AdamW, Plan, Steps
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import WarmupStableDecay


@dataclass(frozen=True, kw_only=True)
class Options:
    """The smallest size, about 6 million parameters."""

    width: int = 256
    """Numbers in a token."""
    depth: int = 8
    """Attention blocks."""
    heads: int = 8
    """Attention heads of a block."""
    inner: int = 768
    """Width inside a block's feed-forward layers."""
    history: int = 4
    """Past moves marked on the squares."""
    forget: float = 0.1
    """Share of training rows whose past, and of those whose rating, is hidden."""
    flip: float = 0.5
    """Share of training rows seen in a mirror; none in chess, where castling tells left from right."""
    outcome_weight: float = 0.3
    """Weight of the result's loss beside the move's."""
    batch: int = 4096
    """Positions in a step."""
    steps: int = 20_000
    """Steps of a whole run."""
    rate: float = 1e-3
    """Highest learning rate."""
    warmup: int = 1_000
    """Steps over which the rate rises."""
    decay: float = 0.4
    """Last share of the steps, over which the rate falls to zero."""
    weight_decay: float = 0.05
    """Pull of AdamW on matrices towards zero."""


@recipe(
    "intuition",
    games=("chess", "xiangqi"),
    small={"width": 32, "depth": 2, "heads": 4, "inner": 64, "batch": 128, "warmup": 5, "rate": 3e-3},
)
def build(options: Options, game: Game) -> System:
    encoding = Squares(game, history=options.history)
    squares = encoding.streams["squares"]
    net = Net(
        embed=EmbedVectors(squares, "squares", options.width),
        trunk=Trunk(
            width=options.width,
            depth=options.depth,
            heads=options.heads,
            inner=options.inner,
            bias=lambda: StaticGeometry(options.heads, squares.length),
        ),
        heads={"policy": FromTo(game, options.width), "wdl": Outcome(options.width)},
    )
    return System(
        recipe="intuition",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(policy=(1.0, MoveNLL()), wdl=(options.outcome_weight, OutcomeNLL())),
        plan=Plan(
            batch=options.batch,
            length=Steps(options.steps),
            optimizer=AdamW(rate=options.rate, weight_decay=options.weight_decay, betas=(0.9, 0.98)),
            schedule=WarmupStableDecay(warmup=options.warmup, decay=options.decay),
            forget=options.forget,
            flip=options.flip,
        ),
    )
