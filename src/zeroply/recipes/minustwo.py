"""A GPT-2-sized trunk over 64 × 18 ones and zeros: an engine's evaluation and best move. After seed 003."""

from __future__ import annotations

from dataclasses import dataclass

from torch import nn

from zeroply.corpus.sample.choice import Positions, Sampling
from zeroply.encodings.absolute_squares import AbsoluteSquares
from zeroply.games import Game
from zeroply.heads.cells import Cells
from zeroply.heads.scalars import Evaluation
from zeroply.nets.embed import EmbedVectors
from zeroply.nets.layers import AllTokens, OneToken, mlp
from zeroply.nets.masks import Causal
from zeroply.nets.net import Net
from zeroply.nets.trunk import Trunk
from zeroply.objectives.cells import CellNLL
from zeroply.objectives.evaluation import EvaluationMSE
from zeroply.objectives.terms import Terms
from zeroply.recipes.base import System
from zeroply.recipes.bounds import above_zero, at_least_one, layers
from zeroply.recipes.plan import AdamW, Epochs, Plan
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import WarmupCosine


@dataclass(frozen=True, kw_only=True)
class Options:
    """The size of GPT-2, about 124 million parameters."""

    width: int = at_least_one(768)
    """Numbers in a token."""
    depth: int = layers(12)
    """Attention blocks."""
    heads: int = at_least_one(12)
    """Attention heads of a block."""
    inner: int = at_least_one(3072)
    """Width inside a block's feed-forward layers."""
    causal: bool = False
    """Squares see only those before them (a1 first), as GPT-2's words do; the heads then read the last."""
    move_weight: float = 0.5
    """Weight of the move's loss beside the evaluation's."""
    batch: int = at_least_one(512)
    """Positions in a step."""
    epochs: float = above_zero(1)
    """Times through the corpora; 0.5: through half of them."""
    rate: float = 2e-4
    """Highest learning rate."""
    warmup: int = 2_000
    """Steps over which the rate rises, before it falls along a cosine."""
    weight_decay: float = 0.1
    """Pull of AdamW on matrices towards zero."""


@recipe(
    "minustwo",
    games=("chess",),
    revision=2,
    small={"width": 32, "depth": 2, "heads": 4, "inner": 64, "batch": 64, "warmup": 5, "rate": 3e-3},
    variants=({"causal": True},),
)
def build(options: Options, game: Game) -> System:
    encoding = AbsoluteSquares(game)
    squares = encoding.streams["squares"]
    evaluation, cells = (_of_last if options.causal else _of_all)(options.width, squares.length)
    net = Net(
        embed=EmbedVectors(squares, "squares", options.width),
        mask=Causal(squares.length) if options.causal else None,
        trunk=Trunk(
            width=options.width,
            depth=options.depth,
            heads=options.heads,
            inner=options.inner,
        ),
        heads={"policy": Cells(game, cells), "evaluation": Evaluation(evaluation)},
    )
    return System(
        recipe="minustwo",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(evaluation=(1.0, EvaluationMSE()), policy=(options.move_weight, CellNLL(game.moves))),
        plan=Plan(
            batch=options.batch,
            length=Epochs(options.epochs),
            optimizer=AdamW(rate=options.rate, weight_decay=options.weight_decay, betas=(0.9, 0.95)),
            schedule=WarmupCosine(warmup=options.warmup),
            sampling=Sampling(positions=Positions.unique),
        ),
    )


def _of_all(width: int, squares: int) -> tuple[nn.Module, nn.Module]:
    """Layers for the evaluation, from all squares at once, and for the cells: each square its own moves."""
    return (
        nn.Sequential(AllTokens(), *mlp(squares * width, width, 1)),
        nn.Sequential(*mlp(width, width, squares), nn.Flatten(1)),
    )


def _of_last(width: int, squares: int) -> tuple[nn.Module, nn.Module]:
    """The same where only the last square has seen the whole board."""
    return (
        nn.Sequential(OneToken(-1), *mlp(width, width, 1)),
        nn.Sequential(OneToken(-1), *mlp(width, width, squares * squares)),
    )
