"""A position as 84 tokens, a map of its squares added to attention, policy and rights from CLS: seed 001."""

from __future__ import annotations

from dataclasses import dataclass

from torch import nn

from zeroply.corpus.sample.choice import Sampling
from zeroply.corpus.sample.movers import Movers
from zeroply.encodings.position_tokens import Facing, PositionTokens
from zeroply.games import Game
from zeroply.heads.flat import Flat
from zeroply.heads.rights import Rights
from zeroply.nets.embed_position import EmbedPosition
from zeroply.nets.layers import OneToken
from zeroply.nets.net import Net
from zeroply.nets.smolgen import Smolgen
from zeroply.nets.trunk import Trunk
from zeroply.objectives.policy import PolicyNLL
from zeroply.objectives.rights import RightsBCE
from zeroply.objectives.terms import Terms
from zeroply.recipes.base import System
from zeroply.recipes.bounds import above_zero, at_least_one, between, layers
from zeroply.recipes.plan import AdamW, Epochs, Plan
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import Stairs

RATES = (4e-4, 1e-4, 3e-5)
"""The seed's rates, each for a third of the run."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The seed's numbers; about 23 million parameters."""

    facing: Facing = Facing.mover
    """Who sees the board: `mover`, with own pieces and the enemy's, or `absolute`, White's and Black's."""
    width: int = at_least_one(256)
    """Numbers in a token."""
    depth: int = layers(12)
    """Attention blocks."""
    heads: int = at_least_one(8)
    """Attention heads of a block."""
    inner: int = at_least_one(1024)
    """Width inside a block's feed-forward layers."""
    registers: int = between(0, 1_000, 2)
    """Learned tokens that stand for nothing; they make up the seed's number of 84."""
    rights_weight: float = 0.1
    """Weight of the rights' loss beside the move's."""
    batch: int = at_least_one(1168)
    """Positions in a step."""
    epochs: float = above_zero(6)
    """Times through the corpora; 0.5: through half of them."""
    rate: float = RATES[0]
    """Learning rate of the first third; it falls to a quarter of that, then to 0.075 of it."""
    head_rate: float = 0.1
    """Factor on the rate of the output heads."""


@recipe(
    "smolgen",
    games=("chess",),
    small={
        "width": 48,
        "depth": 2,
        "heads": 4,
        "inner": 96,
        "batch": 128,
        "epochs": 3,
        "rate": 2e-2,
    },
    variants=({"facing": Facing.absolute},),
)
def build(options: Options, game: Game) -> System:
    encoding = PositionTokens(game, facing=options.facing)
    squares = encoding.streams["squares"].length
    net = Net(
        embed=EmbedPosition(encoding.streams, width=options.width, registers=options.registers),
        trunk=nn.Sequential(
            Trunk(
                width=options.width,
                depth=options.depth,
                heads=options.heads,
                inner=options.inner,
                bias=lambda: Smolgen(options.width, squares),
            ),
            OneToken(0),
        ),
        heads={
            "policy": Flat(game, options.width, len(game.moves)),
            "next_rights": Rights(game, options.width),
        },
    )
    return System(
        recipe="smolgen",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(policy=(1.0, PolicyNLL()), rights=(options.rights_weight, RightsBCE(game))),
        plan=Plan(
            batch=options.batch,
            length=Epochs(options.epochs),
            optimizer=AdamW(rate=options.rate),
            schedule=Stairs([rate / RATES[0] for rate in RATES]),
            slower={"heads.": options.head_rate},
            sampling=Sampling(movers=Movers.winner),
        ),
    )
