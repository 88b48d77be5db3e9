"""What a player is: positions in, moves out; and what one look at a position tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from zeroply.games import Game, Position, Rows
from zeroply.players.answer import Answer


class Network(Protocol):
    """A net that runs: rows of `game` with `history` past moves in, named arrays out; not every net has all.

    `policy` [B, M] log-probabilities of all moves of the table, before any thought of legality;
    `wdl` [B, 3] log-probabilities that the mover wins, draws, loses;
    `value` [B] the points that the mover may expect, 0 … 1;
    `evaluation` [B] the mover's centipawns / 1500.
    """

    @property
    def game(self) -> Game: ...
    @property
    def history(self) -> int: ...
    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of a row that it looks at."""
        ...

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of what it returns, known before it is run: they tell how it can be played."""
        ...

    @property
    def about(self) -> Mapping[str, Any]:
        """What the file says of itself: recipe, options, training."""
        ...

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Inside:
    """What a net's attention does with some positions."""

    flipped: NDArray[np.bool_]
    """[B] whether the board was turned for the mover."""
    attention: list[NDArray[np.float32]]
    """By layer [B, H, L, L]: how much each token looks at each other; it sums to 1."""


@dataclass(frozen=True, kw_only=True)
class Layer:
    """What is known of a layer's attention before the net is run."""

    heads: int
    squares: tuple[int, ...]
    """[S] the token of each square, the first player's first rank first, of a board that is not turned; on
    one that is, a square is where its mirror image would be. Empty: no token is a square."""


@runtime_checkable
class OpenNetwork(Network, Protocol):
    """One that can be looked into."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        """As `Inside.attention` has them; none where this net does not show its attention."""
        ...

    def look_inside(self, rows: Rows) -> Inside: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Glance:
    """One look at one position: its legal moves, likeliest first, and who will win, if the net knows."""

    moves: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    """As `moves`; they sum to 1."""
    wdl: tuple[float, float, float] | None = None
    """Win, draw, loss for the side to move."""
    expected: float | None = None
    """The points that the side to move may expect, 0 … 1."""
    shown: int = 1
    """How many positions the look was at: this one, all that its moves lead to, or both."""
    points: NDArray[np.float64] | None = None
    """As `moves`: what the mover may expect after each, where the net was shown what it leads to."""
    outlooks: NDArray[np.float64] | None = None
    """As `moves`, [k, 3]: win, draw, loss after each, likewise."""

    def expected_of(self, at: int) -> float | None:
        """The points after the move at that place, or those of the position where moves were not tried."""
        return self.expected if self.points is None else float(self.points[at])

    def wdl_of(self, at: int) -> tuple[float, float, float] | None:
        """Win, draw, loss, likewise."""
        if self.outlooks is None:
            return self.wdl
        win, draw, loss = self.outlooks[at].tolist()
        return win, draw, loss

    def only(self, keep: NDArray[np.bool_]) -> Glance:
        """The look at some of the moves alone, alike where none had any chance; at all where none is left."""
        if not keep.any() or keep.all():
            return self
        shares = np.maximum(self.probabilities[keep], np.finfo(np.float64).tiny)
        return replace(
            self,
            moves=self.moves[keep],
            probabilities=shares / shares.sum(),
            points=None if self.points is None else self.points[keep],
            outlooks=None if self.outlooks is None else self.outlooks[keep],
        )


class Player(Protocol):
    """Anything that can be asked for moves: a net, an engine, a random mover."""

    @property
    def name(self) -> str: ...

    def choose(self, positions: Sequence[Position]) -> list[int]:
        """A legal move for each position; none of them may be over."""
        ...

    def close(self) -> None:
        """Let go of what the player holds: a process, a file."""
        ...


class Choice(NamedTuple):
    """A move, and what its position is worth to the mover as a corpus stores it."""

    move: int
    evaluation: int


@runtime_checkable
class Judge(Protocol):
    """A player whose program thinks for itself, and also says what it thinks of a position. It is asked by
    one thread and understood by another, so that it need not wait for us."""

    def ask(self, position: Position) -> Answer:
        """Several threads may do so at a time. An EngineError says why there is no answer."""
        ...

    def choice(self, position: Position, answer: Answer) -> Choice:
        """NO_EVALUATION where it says nothing; an EngineError where the answer is no move."""
        ...


@runtime_checkable
class Gambler(Protocol):
    """A player that draws lots, and can be told by which: then a game does not depend on those beside it."""

    @property
    def seed(self) -> int: ...

    def choose_by(self, positions: Sequence[Position], lots: Sequence[np.random.Generator]) -> list[int]:
        """As `Player.choose`, with lots of its own for each position."""
        ...
