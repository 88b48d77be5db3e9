"""The moves so far and the board in two transformers, side by side into one answer: seed 000."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from torch import nn

from zeroply.corpus.sample.choice import Positions, Sampling
from zeroply.encodings.moves_and_board import MovesAndBoard
from zeroply.games import Game
from zeroply.heads.flat import Flat
from zeroply.nets.layers import gelu, mlp
from zeroply.nets.net import Net
from zeroply.nets.towers import BoardTower, MoveTower, RightsTower, SideBySide
from zeroply.nets.trunk import Trunk
from zeroply.objectives.policy import PolicyNLL
from zeroply.objectives.terms import Terms
from zeroply.recipes.base import System
from zeroply.recipes.bounds import above_zero, at_least_one, layers, past_moves, share
from zeroply.recipes.plan import AdamW, Epochs, Plan
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import EpochDecay


@dataclass(frozen=True, kw_only=True)
class Options:
    """The seed's numbers where it has some; widths, layers and the longest past are ours."""

    width: int = at_least_one(256)
    """Numbers in a token and in each tower's feature."""
    move_layers: int = layers(4)
    """Attention blocks over the past moves."""
    board_layers: int = layers(4)
    """Attention blocks over the squares."""
    heads: int = at_least_one(8)
    """Attention heads of a block."""
    inner: int = at_least_one(1024)
    """Width inside a block's feed-forward layers."""
    hidden: int = at_least_one(512)
    """Width of the layers that the board's tokens and the joined features go through."""
    history: int = past_moves(256)
    """Past moves at the most; of longer games the oldest are dropped."""
    outputs: int = 4140
    """Logits; those beyond the moves of the table are never a target."""
    forget: float = share(0.0)
    """Share of training rows whose past is hidden: a game's first position is no example otherwise."""
    batch: int = at_least_one(64)
    """Positions in a step."""
    epochs: float = above_zero(20)
    """Times through the corpus; 0.5: through half of it."""
    rate: float = 1e-4
    """Learning rate of the first epochs."""
    decay: float = share(0.1)
    """Factor on the rate, time and again."""
    decay_epochs: int = at_least_one(5)
    """Epochs after which it comes."""
    chunk: int = at_least_one(1_600_000)
    """Positions of the corpus whose games are expanded and mixed at a time: the seed's 20,000 games."""


@recipe(
    "castle",
    games=("chess",),
    revision=2,
    small={
        "width": 32,
        "move_layers": 1,
        "board_layers": 1,
        "heads": 4,
        "inner": 64,
        "hidden": 64,
        "history": 12,
        "batch": 32,
        "rate": 3e-3,
    },
    variants=({"history": 1},),
)
def build(options: Options, game: Game) -> System:
    encoding = MovesAndBoard(game, history=options.history)
    streams, width, hidden = encoding.streams, options.width, options.hidden
    trunk = partial(Trunk, width=width, heads=options.heads, inner=options.inner)
    net = Net(
        embed=SideBySide(
            MoveTower(streams["past"], width, trunk(depth=options.move_layers)),
            BoardTower(streams["board"], width, hidden, trunk(depth=options.board_layers)),
            RightsTower(streams["rights"], width),
        ),
        trunk=nn.Sequential(mlp(3 * width, hidden, hidden), gelu()),
        heads={"policy": Flat(game, hidden, options.outputs)},
    )
    return System(
        recipe="castle",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(policy=(1.0, PolicyNLL())),
        plan=Plan(
            batch=options.batch,
            length=Epochs(options.epochs),
            optimizer=AdamW(rate=options.rate),
            schedule=EpochDecay(factor=options.decay, epochs=options.decay_epochs),
            sampling=Sampling(positions=Positions.subsequences),
            chunk=options.chunk,
            forget=options.forget,
            keeps_epochs=True,
        ),
    )
