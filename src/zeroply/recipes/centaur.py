"""A GPT over the squares whose CLS token tells who will win; it plays one ply ahead: seed 004."""

from __future__ import annotations

from dataclasses import dataclass

from torch import nn

from zeroply.encodings.board_tokens import BoardTokens
from zeroply.games import Game
from zeroply.games.chess.bulk import in_check
from zeroply.heads.scalars import Value
from zeroply.nets.embed import EmbedTokens
from zeroply.nets.layers import OneToken, mlp
from zeroply.nets.masks import Causal
from zeroply.nets.net import Net
from zeroply.nets.trunk import Trunk
from zeroply.objectives.terms import Terms
from zeroply.objectives.value import ResultCrossEntropy
from zeroply.recipes.base import System
from zeroply.recipes.bounds import at_least_one, layers
from zeroply.recipes.plan import AdamW, Plan, Steps
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import Constant


@dataclass(frozen=True, kw_only=True)
class Options:
    """The seed's sizes, about 2 million parameters; its training is that of minGPT, on which it is based."""

    width: int = at_least_one(128)
    """Numbers in a token."""
    depth: int = layers(10)
    """Attention blocks."""
    heads: int = at_least_one(16)
    """Attention heads of a block."""
    inner: int = at_least_one(512)
    """Width inside a block's feed-forward layers; four times the width in minGPT."""
    causal: bool = True
    """Tokens see only those before them, as in minGPT; CLS, the last, sees all in any case."""
    batch: int = at_least_one(64)
    """Positions in a step."""
    steps: int = at_least_one(100_000)
    """Steps of a whole run."""
    rate: float = 3e-4
    """Learning rate, the same from first to last."""
    weight_decay: float = 0.1
    """Pull of AdamW on matrices towards zero."""


@recipe(
    "centaur",
    games=("chess",),
    small={"width": 64, "depth": 2, "heads": 4, "inner": 128, "rate": 3e-3},
    variants=({"causal": False},),
)
def build(options: Options, game: Game) -> System:
    encoding = BoardTokens(game, in_check=in_check)
    tokens, width = encoding.streams["tokens"], options.width
    net = Net(
        embed=EmbedTokens(tokens, "tokens", width),
        mask=Causal(tokens.length) if options.causal else None,
        trunk=Trunk(
            width=width,
            depth=options.depth,
            heads=options.heads,
            inner=options.inner,
        ),
        heads={"value": Value(nn.Sequential(OneToken(-1), *mlp(width, width, width, 1)))},
    )
    return System(
        recipe="centaur",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(value=(1.0, ResultCrossEntropy())),
        plan=Plan(
            batch=options.batch,
            length=Steps(options.steps),
            optimizer=AdamW(rate=options.rate, weight_decay=options.weight_decay, betas=(0.9, 0.95)),
            schedule=Constant(),
        ),
    )
