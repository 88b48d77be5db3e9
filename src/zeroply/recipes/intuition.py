"""Squares facing the mover, a from-to policy and win, draw, loss: what we ship."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from torch import nn

from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.encodings.squares import Squares
from zeroply.encodings.told import WEAKEST, Mover, Players
from zeroply.games import Game
from zeroply.heads.moves import FromTo
from zeroply.heads.scalars import EvaluationBins, Outcome, PliesLeft
from zeroply.nets.embed import EmbedVectors
from zeroply.nets.geometry import StaticGeometry
from zeroply.nets.net import Net
from zeroply.nets.smolgen_per_head import SharedMaps
from zeroply.nets.trunk import Trunk
from zeroply.objectives.evaluation_bins import EvaluationHistogram, middles
from zeroply.objectives.plies_left import PliesLeftError
from zeroply.objectives.policy import PLAYED_MOVE, BestLines, PolicyNLL
from zeroply.objectives.terms import OutcomeNLL, Term, Terms
from zeroply.recipes.base import System
from zeroply.recipes.bounds import at_least_one, below_one, between, layers, past_moves, share
from zeroply.recipes.plan import AdamW, Muon, Plan, Steps
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import Constant, Schedule, Stairs, WarmupCosine, WarmupStableDecay


class Size(StrEnum):
    """About 7, 13 and 42 million parameters."""

    s = "s"
    m = "m"
    l = "l"  # noqa: E741 (it is the size's name)


class Conditioning(StrEnum):
    """What the net is told of who plays."""

    mover = "mover"
    """The mover's rating."""
    players = "players"
    """Both ratings, and whether people, engines or a puzzle's solver play."""


class Bias(StrEnum):
    """What is added to attention."""

    none = "none"
    static = "static"
    """A number for each block, head and pair of squares."""
    smolgen = "smolgen"
    """A map for each block and head, drawn for the position."""


class Loss(StrEnum):
    """Among which moves the right one is to be found."""

    whole = "whole"
    """All of the table."""
    pseudo_legal = "pseudo_legal"
    """Those that fit the pieces and what stands in their way."""


class Optimizer(StrEnum):
    """By what the weights move."""

    adamw = "adamw"
    muon = "muon"
    """The trunk's matrices by Muon, all else by AdamW."""


class Rates(StrEnum):
    """How the rate goes."""

    wsd = "wsd"
    """Warm-up, stable, decay: up, level, down to zero."""
    cosine = "cosine"
    """Up, then down half a wave."""
    step = "step"
    """Down to a tenth and to a hundredth, each for a third of the run; without a warm-up."""
    constant = "constant"
    """Level from the first step on, without a warm-up."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    Size.m: {"width": 384, "depth": 8, "heads": 6, "inner": 1024, "conditioning": Conditioning.players},
    Size.l: {"width": 768, "depth": 8, "heads": 12, "inner": 1536, "conditioning": Conditioning.players},
}
STAIRS = (1.0, 0.1, 0.01)
"""Shares of the highest rate, where the schedule is `step`."""
OPTIMIZERS: Mapping[str, type[AdamW] | type[Muon]] = {Optimizer.adamw: AdamW, Optimizer.muon: Muon}


@dataclass(frozen=True, kw_only=True)
class Options:
    """The smallest size, about 7 million parameters."""

    size: Size = Size.s
    """`s`, `m` or `l`: about 7, 13 or 42 million parameters, by other defaults of the options beneath."""
    width: int = at_least_one(256)
    """Numbers in a token."""
    depth: int = layers(8)
    """Attention blocks."""
    heads: int = at_least_one(8)
    """Attention heads of a block."""
    inner: int = at_least_one(768)
    """Width inside a block's feed-forward layers."""
    bias: Bias = Bias.smolgen
    """Geometry that attention knows: `smolgen`, drawn for the position; `static`, the same in all; `none`."""
    drawing: int = at_least_one(64)
    """Numbers from which smolgen draws a head's map: Lc0's "gen size"."""
    history: int = past_moves(4)
    """Past moves marked on the squares."""
    conditioning: Conditioning = Conditioning.mover
    """Who plays, as far as the net is told: `mover`, his rating; `players`, both ratings and their kind."""
    weakest: int = WEAKEST
    """The lowest rating that is told apart: lower ones count as this."""
    forget: float = share(0.1)
    """Share of rows in which the past is hidden; in as many who plays is, ratings and kind at once."""
    flip: float = share(0.5)
    """Share of training rows seen in a mirror; none in chess, where castling tells left from right."""
    soft: int = 0
    """Centipawns, the temperature at which an engine's best moves share the target; 0: the first alone."""
    loss: Loss = Loss.whole
    """The right move is to be found among the `whole` table, or among `pseudo_legal` moves."""
    elsewhere: float = share(0.1)
    """What is given to moves that are not pseudo-legal counts by this; where the loss is `whole`, by 1."""
    outcome_weight: float = 0.3
    """Weight of the result's loss beside the move's; with 0 the net has no such part. So with others."""
    evaluation_weight: float = 0.0
    """Weight of the loss of an engine's evaluation, where a row has one."""
    evaluation_bins: int = between(2, 10_000, 64)
    """Bins into which an evaluation may fall."""
    plies_left_weight: float = 0.0
    """Weight of the loss of the game's length."""
    batch: int = at_least_one(4096)
    """Positions in a step."""
    chunk: int = at_least_one(BLOCK)
    """Positions mixed at a time: the more, the less of a game comes together; and the more memory."""
    steps: int = at_least_one(20_000)
    """Steps of a whole run."""
    optimizer: Optimizer = Optimizer.muon
    """`muon` for the trunk's matrices and AdamW for all else, or `adamw` for all."""
    rate: float = 2e-3
    """Highest learning rate."""
    schedule: Rates = Rates.wsd
    """The rate: `wsd`, up, level, down; `cosine`; `step`, a tenth after each third; or `constant`."""
    warmup: int = 1_000
    """Steps over which the rate of `wsd` and `cosine` rises; fewer where the run is short."""
    decay: float = share(0.4)
    """Last share of the steps, over which the rate of `wsd` falls to zero."""
    weight_decay: float = 0.05
    """Pull of the optimizer on matrices towards zero."""
    patience: int = 0
    """Steps without a lower validation loss after which the run stops; 0: it never does."""
    average: float = below_one(0.0)
    """What a running mean of the weights keeps of itself at a step (0.999, say); it is then what is kept."""


@recipe(
    "intuition",
    games=("chess", "xiangqi"),
    small={"width": 32, "depth": 2, "heads": 4, "inner": 64, "batch": 128, "warmup": 5, "rate": 3e-3},
    variants=(
        {
            "bias": Bias.static,
            "conditioning": Conditioning.players,
            "soft": 100,
            "optimizer": Optimizer.adamw,
        },
        {"loss": Loss.pseudo_legal, "evaluation_weight": 0.5, "plies_left_weight": 0.1, "bias": Bias.none},
    ),
    presets={"size": PRESETS},
)
def build(options: Options, game: Game) -> System:
    told = (Players if options.conditioning == Conditioning.players else Mover)(options.weakest)
    encoding = Squares(game, history=options.history, told=told)
    squares, width = encoding.streams["squares"], options.width
    parts = {name: part for name, part in _parts(options, game).items() if part[0] > 0}
    net = Net(
        embed=EmbedVectors(squares, "squares", width),
        trunk=Trunk(
            width=width,
            depth=options.depth,
            heads=options.heads,
            inner=options.inner,
            bias=_bias(options, squares.length),
        ),
        heads={name: make() for name, (_, make, _) in parts.items()},
    )
    return System(
        recipe="intuition",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(**{name: (weight, term) for name, (weight, _, term) in parts.items()}),
        plan=Plan(
            batch=options.batch,
            length=Steps(options.steps),
            optimizer=OPTIMIZERS[options.optimizer](
                rate=options.rate, weight_decay=options.weight_decay, betas=(0.9, 0.98)
            ),
            schedule=_schedule(options),
            chunk=options.chunk,
            forget=options.forget,
            flip=options.flip,
            average=options.average,
            patience=Steps(options.patience) if options.patience else None,
        ),
    )


def _schedule(options: Options) -> Schedule:
    if options.schedule == Rates.constant:
        return Constant()
    if options.schedule == Rates.step:
        return Stairs(STAIRS)
    if options.schedule == Rates.cosine:
        return WarmupCosine(warmup=options.warmup)
    return WarmupStableDecay(warmup=options.warmup, decay=options.decay)


def _bias(options: Options, squares: int) -> Callable[[], nn.Module] | None:
    """Makes the attention bias of each block."""
    if options.bias == Bias.none:
        return None
    if options.bias == Bias.static:
        return lambda: StaticGeometry(options.heads, squares)
    return SharedMaps(
        blocks=options.depth,
        width=options.width,
        heads=options.heads,
        tokens=squares,
        drawing=options.drawing,
    )


def _parts(options: Options, game: Game) -> dict[str, tuple[float, Callable[[], nn.Module], Term]]:
    """What the net may answer: the weight, the head and the loss of each."""
    width, bins = options.width, options.evaluation_bins
    right = BestLines(options.soft) if options.soft else PLAYED_MOVE
    possible = game.pseudo_legal if options.loss == Loss.pseudo_legal else None
    return {
        "policy": (1.0, lambda: FromTo(game, width), PolicyNLL(right, possible, options.elsewhere)),
        "wdl": (options.outcome_weight, lambda: Outcome(width), OutcomeNLL()),
        "evaluation": (
            options.evaluation_weight,
            lambda: EvaluationBins(width, *middles(bins)),
            EvaluationHistogram(bins),
        ),
        "plies_left": (options.plies_left_weight, lambda: PliesLeft(width), PliesLeftError()),
    }
