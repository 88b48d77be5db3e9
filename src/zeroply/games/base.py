"""What a game is: a frozen move table, positions with exact rules, and steps over many boards at once.

Shapes: B batch, S squares, M moves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import IllegalMoveError, quoted

Array: TypeAlias = Any
"""A NumPy array or a torch tensor: the code that takes one is written once for both."""

Rows: TypeAlias = Mapping[str, Array]
"""Positions as named columns, each with a leading batch dimension; stored and live ones look the same."""


MOST_REPEATS = 127
"""A row counts earlier occurrences up to here: nobody claims the draw, and a byte must do."""


class Frame(Enum):
    """How a column changes when the board is turned to face the second player."""

    PIECES = "signed piece codes by square: squares are mirrored, signs change"
    SQUARE = "one square, -1 for none"
    SIDES = "the first player's half, then the second's: the halves change places"
    PLAIN = "the same for both players"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a row: its type, its shape without the batch, and what it means to turn the board."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    frame: Frame = Frame.PLAIN
    scale: float = 1.0
    """A large ordinary value of a plain number, by which encodings divide it."""

    @property
    def counts(self) -> bool:
        """Whether it counts something of the past, and is no part of what makes two positions the same."""
        return self.scale != 1.0


@dataclass(frozen=True, eq=False)
class MoveTable:
    """Every geometrically possible move in one frozen order; a move *is* its row number."""

    names: tuple[str, ...]
    start: NDArray[np.int64]
    """[M] the square left."""
    end: NDArray[np.int64]
    """[M] the square reached."""
    promotion: NDArray[np.int64]
    """[M] 0 for none, then knight 1, bishop 2, rook 3, queen 4."""
    mirror: NDArray[np.int64]
    """[M] the same move seen from the other side of the board."""
    flip: NDArray[np.int64] | None = None
    """[M] the same move with left and right changed; None where the game would not be the same."""

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def digest(self) -> str:
        """Stamped on every corpus and model, so that numbers are never read with another table."""
        return hashlib.sha256("\n".join(self.names).encode()).hexdigest()[:12]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def corners(self) -> tuple[str, str]:
        """The first and the last square by name: they tell how files and ranks are counted."""
        squares = sorted(name[:2] for name in self.names)
        return squares[0], squares[-1]

    def number(self, name: str) -> int:
        try:
            return self.numbers[name]
        except KeyError:
            raise IllegalMoveError(
                f"{quoted(name)} is not a move. Write the square left and the square reached, "
                f"{' to '.join(self.corners)}: {self.names[0]}"
            ) from None


class Position(Protocol):
    """Immutable; carries the history that its rules and its row need."""

    @property
    def ply(self) -> int: ...
    @property
    def turn(self) -> int:
        """0 if the first player (White, Red) is to move, else 1."""
        ...

    @property
    def repeats(self) -> int:
        """How often this position occurred before in the game."""
        ...

    @property
    def forbids_repetition(self) -> bool:
        """Whether the game's rules make a side lose for some repetitions, as for perpetual check."""
        ...

    def legal(self) -> NDArray[np.int64]:
        """Ascending move numbers; also in a drawn position, since records of games go on after such."""
        ...

    def play(self, move: int) -> Self:
        """The position after a legal move; anything else is an IllegalMoveError."""
        ...

    def result(self) -> float | None:
        """The first player's points, 1, 0.5 or 0; None while the game goes on."""
        ...

    def reason(self) -> str | None:
        """Why the game is over, for people; None while it goes on."""
        ...

    def row(self, history: int) -> dict[str, NDArray[Any]]:
        """This position as a batch of one, with its last `history` moves: what replay yields for it."""
        ...

    def fen(self) -> str: ...
    def diagram(self) -> str:
        """The board for people, in plain characters."""
        ...

    def notation(self, move: int) -> str:
        """The move as people write it here: SAN, WXF."""
        ...

    def number(self, text: str) -> int:
        """The legal move that a person means, in the notation of the move table or in any that people use
        here: SAN, WXF; IllegalMoveError where it is none, or more than one."""
        ...

    def recorded(self, move: int) -> str:
        """The move as records of games have it, which readers take back: SAN, ICCS."""
        ...

    def in_check(self) -> bool: ...

    def record(self) -> tuple[str, list[int]]:
        """The FEN where this game began and all moves since, for programs that know no other history."""
        ...


class Game(Protocol):
    """A game's numbers, its rules for one position, and its rules for many boards at once."""

    @property
    def name(self) -> str: ...
    @property
    def titles(self) -> frozenset[str]:
        """What records call the game in their tags Variant and Game, in lower case."""
        ...

    @property
    def sides(self) -> tuple[str, str]:
        """The first and the second player: "White", "Black". Also the names of their tags in records."""
        ...

    @property
    def record_tags(self) -> Mapping[str, str]:
        """Tags that every record of this game has, so that programs know what they read."""
        ...

    @property
    def files(self) -> int: ...
    @property
    def ranks(self) -> int: ...
    @property
    def kinds(self) -> int:
        """Piece kinds: codes run from -kinds to kinds, 0 is an empty square."""
        ...

    @property
    def attackers(self) -> tuple[int, ...]:
        """Codes of the pieces that go everywhere and are no pawns: where they stand, and how many are left,
        tells an opening from an endgame."""
        ...

    @property
    def moves(self) -> MoveTable: ...
    @property
    def mirror(self) -> NDArray[np.int64]:
        """[S] each square as the other side sees it."""
        ...

    @property
    def flip(self) -> NDArray[np.int64] | None:
        """[S] each square with left and right changed; None where the game would not be the same."""
        ...

    @property
    def columns(self) -> Mapping[str, Column]:
        """The state of a position, in the order in which a start position is packed."""
        ...

    def start(self, fen: str | None = None) -> Position: ...
    def restore(self, row: Rows) -> Position:
        """The position of a row (the first of a batch), without the moves that led to it."""
        ...

    def fens(self, rows: Rows) -> list[str]:
        """[P] each position of NumPy columns as `Position.fen` writes it, far sooner than one by one."""
        ...

    def rows(self, fens: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Columns [k, …] of positions that are known to be sound: what `start(fen).row` has."""
        ...

    def examined(self, fens: Sequence[str]) -> tuple[dict[str, NDArray[Any]], dict[int, str]]:
        """Of texts that may be anything: the columns of those that are positions, in their order, and what
        `start` says of the others, by their place."""
        ...

    def recorded(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> list[str]:
        """[P] the move of each position of NumPy columns as `Position.recorded` writes it, far sooner."""
        ...

    def uci(self, move: int) -> str:
        """The move as UCI programs write it, who count ranks from 1."""
        ...

    def from_uci(self, text: str) -> int:
        """The move of such a text; IllegalMoveError where there is none."""
        ...

    def first_state(self) -> dict[str, NDArray[Any]]:
        """The usual first position as a batch of one, columns as above."""
        ...

    def steps(self, state: dict[str, Array]) -> Stepper:
        """Bulk moves over a batch of states, NumPy or torch."""
        ...

    def legal(self, rows: Rows) -> NDArray[np.bool_]:
        """[B, M] exactly the moves that `Position.legal` lists, for many positions at once, by compiled code
        on NumPy columns. A row takes M bytes: hand over large collections in blocks."""
        ...

    def allows(self, rows: Rows, moves: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """[B] whether moves[i] is legal in position i: what `legal` marks, for any number of positions."""
        ...

    def pseudo_legal(self, rows: Rows) -> Array:
        """[B, M] bool, the moves that fit the pieces and what stands in their way, whether or not they leave
        the mover's king attacked; every legal move is among them. NumPy or torch on any device, also in
        compiled graphs: for masks in a loss."""
        ...


class Stepper(Protocol):
    """Many games advanced in step by array operations, in place."""

    state: dict[str, Array]
    key: Array
    """[B] 64-bit hash by which positions of one game, not older than `halfmove` says, are the same for the
    repetition rules; complete once settled."""

    def keep(self, count: int) -> None:
        """Drop all games behind the first `count`."""
        ...

    def step(self, move: Array) -> None:
        """Play move[i] (int64, legal) in game i."""
        ...

    def settle(self, rows: dict[str, Array], keys: Array) -> None:
        """Complete, in place, the states and keys of many steps with what is sooner found for all at once."""
        ...


def stack(rows: Sequence[Rows]) -> dict[str, NDArray[Any]]:
    """Batches of rows joined into one."""
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
