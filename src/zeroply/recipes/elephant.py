"""The moves of a game as a sequence, a head for each coordinate of the next one. After seed 002."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from torch import nn

from zeroply.corpus.sample.choice import Positions, Sampling
from zeroply.encodings.move_tokens import MoveTokens, MoveTokensAndBoard
from zeroply.errors import RecipeError
from zeroply.games import Game
from zeroply.games.coordinates import coordinates
from zeroply.heads.coordinates import Coordinates
from zeroply.nets.embed import FAINT, EmbedTokens, Joined
from zeroply.nets.masks import Causal, CausalThenBoard
from zeroply.nets.net import Net
from zeroply.nets.trunk import Trunk
from zeroply.objectives.sequence import AllCoordinatesRight, CoordinateNLL
from zeroply.objectives.terms import Terms
from zeroply.recipes.base import System
from zeroply.recipes.bounds import above_zero, at_least_one, layers, past_moves
from zeroply.recipes.plan import AdamW, Epochs, Plan
from zeroply.recipes.registry import recipe
from zeroply.recipes.schedules import Constant


class Conditioning(StrEnum):
    """What the net is told beside the past moves."""

    none = "none"
    board = "board"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The seed names no sizes; these are ours, after the public project of that name."""

    width: int = at_least_one(256)
    """Numbers in a token."""
    depth: int = layers(6)
    """Attention blocks."""
    heads: int = at_least_one(8)
    """Attention heads of a block."""
    inner: int = at_least_one(1024)
    """Width inside a block's feed-forward layers."""
    history: int = past_moves(127)
    """Past moves in a sequence, four tokens each, in chess five; of longer games the oldest are dropped."""
    conditioning: Conditioning = Conditioning.none
    """`board`: the board is seen too (the seed's step 7); a row then teaches its own move alone."""
    batch: int = at_least_one(32)
    """Sequences in a step."""
    epochs: float = above_zero(10)
    """Times through the games at most; 0.5: through half of them."""
    patience: int = 2
    """Epochs without a lower validation loss after which the run stops; 0: it never does."""
    rate: float = 6e-4
    """Learning rate, the same throughout."""
    weight_decay: float = 0.01
    """Pull of AdamW on matrices towards zero."""


SHORTEST = 3
"""Past moves that the smallest windows need, where only one side's moves are learned."""


@recipe(
    "elephant",
    games=("xiangqi", "chess"),
    small={"width": 32, "depth": 2, "heads": 4, "inner": 64, "history": 15, "batch": 16, "rate": 3e-3},
    variants=({"conditioning": Conditioning.board},),
)
def build(options: Options, game: Game) -> System:
    if options.history < SHORTEST:
        raise RecipeError(f"history={options.history} is too short to learn by. Choose {SHORTEST} or more")
    encoding, embed, mask, sampling = _conditioned(options, game)
    net = Net(
        embed=embed,
        mask=mask,
        trunk=Trunk(width=options.width, depth=options.depth, heads=options.heads, inner=options.inner),
        heads={"moves": Coordinates(game, options.width, history=options.history)},
    )
    names = [coordinate.name for coordinate in coordinates(game)]
    return System(
        recipe="elephant",
        options=options,
        game=game,
        encoding=encoding,
        net=net,
        objective=Terms(**{name: (1.0, CoordinateNLL(game, name)) for name in names}),
        measures={"top1": AllCoordinatesRight(game)},
        plan=Plan(
            batch=options.batch,
            length=Epochs(options.epochs),
            optimizer=AdamW(rate=options.rate, weight_decay=options.weight_decay),
            schedule=Constant(),
            sampling=sampling,
            patience=Epochs(options.patience) if options.patience else None,
            tests=True,
        ),
    )


def _conditioned(options: Options, game: Game) -> tuple[MoveTokens, nn.Module, nn.Module, Sampling]:
    """What the net reads, its tokens, how they see each other, and which positions teach it: with the board,
    which is there for a row's own move alone, all; without it few, each with the moves of a window."""
    with_board = options.conditioning == Conditioning.board  # a checkpoint's is plain text
    encoding = (MoveTokensAndBoard if with_board else MoveTokens)(game, history=options.history)
    tokens = encoding.streams["tokens"]
    embed = EmbedTokens(tokens, "tokens", options.width, spread=FAINT)  # as a GPT begins
    if with_board:
        board = EmbedTokens(encoding.streams["board"], "board", options.width, spread=FAINT)
        return (
            encoding,
            Joined(embed, board),
            CausalThenBoard(tokens.length, of_a_move=len(coordinates(game))),
            Sampling(),
        )
    windows = Sampling(positions=Positions.windows, window=(options.history + 1) // 2)
    return encoding, embed, Causal(tokens.length), windows
