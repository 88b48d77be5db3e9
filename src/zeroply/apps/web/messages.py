"""Everything that crosses the border, as pydantic models: what comes in is checked here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from zeroply.errors import ZeroplyError, shortened
from zeroply.games.notation import Result
from zeroply.players.rules import Because

MESSAGE_LIMIT = 65_536
"""Bytes in a request or a websocket message: a game with comments fits."""


class MessageError(ZeroplyError):
    """A message that is not of the protocol."""


def _plain_fen(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9/ -]+", text):
        raise ValueError("a FEN holds only letters, digits, '/', '-' and spaces")
    if re.search(r"[0-9]{5}", text):  # rows keep counters in 16 bits
        raise ValueError("a counter of the FEN has more than four digits")
    return text


Fen = Annotated[str, Field(max_length=150), AfterValidator(_plain_fen)]
MoveName = Annotated[str, Field(min_length=1, max_length=8)]
Moves = Annotated[list[MoveName], Field(max_length=1000)]
ModelName = Annotated[str, Field(max_length=200)]
Rating = Annotated[int, Field(ge=0, le=4000)] | None
"""Whom the net should play like, 0 for a person of no known rating; None: as well as it can. Which ratings a
net knows, it says itself."""
Temperature = Annotated[float, Field(ge=0, le=2)]
Record = Annotated[str, Field(min_length=1, max_length=60_000)]
"""A game as people paste it: PGN, a list of moves, a FEN, or a FEN and moves."""
SideName = Annotated[str, Field(max_length=20)]
"""Who moves first and who moves second, as the game calls them, in small letters: white, red, black."""


class _Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Question(_Incoming):
    """A position, given by a start and the moves since, that a net shall look at."""

    fen: Fen | None = None
    """The usual first position where it is left out."""
    moves: Moves = []
    model: ModelName | None = None
    """The first model of /api/models where it is left out."""
    rating: Rating = None


class Predict(Question):
    """What it would play there."""

    top: Annotated[int, Field(ge=1, le=500)] = 5


class AttentionOf(Question):
    """Where a net looks in that position."""

    layer: Annotated[int, Field(ge=0, le=1000)]
    """Counted from 0."""
    head: Annotated[int, Field(ge=0, le=1000)] | None = None
    """The mean of all where it is left out."""


class New(_Incoming):
    """Start a game, or take up one whose connection was lost: then `moves` are those made so far. Or go on
    from a `record`."""

    type: Literal["new"]
    side: SideName | None = None
    """The person's, or "random"; who moves first where it is left out."""
    model: ModelName | None = None
    fen: Fen | None = None
    moves: Moves = []
    record: Record | None = None
    rating: Rating = None
    temperature: Temperature | None = None
    """The usual one of the rating where it is left out."""

    @property
    def plies(self) -> int:
        """That have to be followed, at the most."""
        return len(self.moves) if self.record is None else len(self.record) // 2

    @model_validator(mode="after")
    def _one_start(self) -> Self:
        if self.record is not None and (self.fen is not None or self.moves):
            raise ValueError(
                "a record brings its start and its moves. Leave out fen and moves, or the record"
            )
        return self


class Move(_Incoming):
    type: Literal["move"]
    move: MoveName


class Undo(_Incoming):
    type: Literal["undo"]


class Resign(_Incoming):
    type: Literal["resign"]


class Analyse(_Incoming):
    """Look at every position of a game."""

    type: Literal["analyse"]
    record: Record
    model: ModelName | None = None
    rating: Rating = None


Request: TypeAlias = New | Move | Undo | Resign | Analyse
_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="type")])


def parse_request(text: str | None) -> Request:
    """A websocket message from the page; None stands for one that was not text."""
    if text is None:
        raise MessageError("messages are JSON text, not bytes")
    if len(text.encode("utf-8", "replace")) > MESSAGE_LIMIT:
        raise MessageError(f"the message is longer than {MESSAGE_LIMIT} bytes")
    try:
        return _REQUEST.validate_json(text)
    except ValidationError as error:
        raise MessageError(first_flaw(error.errors(include_url=False))) from None


def first_flaw(errors: Sequence[Any]) -> str:
    """One line for people out of pydantic's list: where, and what is wrong there. Both may repeat
    what came."""
    place = shortened(".".join(str(part) for part in errors[0]["loc"] if part != "body"))
    flaw = shortened(str(errors[0]["msg"]).removeprefix("Value error, "), 200)
    return f"{place}: {flaw}" if place else flaw


class LegalMove(BaseModel):
    move: str
    notation: str


class MadeMove(LegalMove):
    fen: str
    """After the move."""
    check: bool
    """Likewise: whether it gave check."""


class PredictedMove(LegalMove):
    probability: float


class Candidate(PredictedMove):
    played: bool


class State(BaseModel):
    """All that the page shows of a game. Sent after each change: twice where the net answers."""

    type: Literal["state"] = "state"
    game: str
    model: str
    fen: str
    start: str
    """FEN of the game's first position."""
    start_check: bool
    """Whether who is to move there is in check."""
    turn: SideName
    side: SideName
    """The person's."""
    moves: list[MadeMove]
    legal: list[LegalMove]
    """What the person may play now; empty while the net is to move and when the game is over."""
    undoable: bool
    """Whether there is something of the person's to take back."""
    check: bool
    result: Result | None
    reason: str | None
    resigned: bool
    """Whether the person gave it up, which the moves do not tell."""
    candidates: list[Candidate]
    """What the net weighed at its last move, likeliest first."""
    because: Because | None
    """Why it did not play the likeliest of these; null where it did, and where chance alone decided."""
    wdl: tuple[float, float, float] | None
    """For the person: how the game ended, or what the net saw at its last move, where it tells that."""
    record: str
    """The game as PGN, for people to keep."""


class AnalysedPly(MadeMove, PredictedMove):
    """A move that was made, and what the net thought of it and of its position."""

    rank: int
    """1: the likeliest."""
    best: PredictedMove
    expected: float | None
    """The points that the first player (White, Red) may expect before the move, 0 … 1; null where the net
    does not tell."""


class AnalysisPart(BaseModel):
    """Some plies of a game that is analysed; so a long one shows progress."""

    type: Literal["analysis"] = "analysis"
    game: str
    model: str
    start: str
    """FEN of the game's first position."""
    start_check: bool
    """Whether who is to move there is in check."""
    result: Result | None
    names: tuple[str, str] | None
    """Of the first and the second player."""
    total: int
    """Plies of the whole game."""
    first: int
    """Of these plies, counted from 0."""
    plies: list[AnalysedPly]
    last_expected: float | None = None
    """After the last move, in the last part."""
    ended: bool = False
    """In the last part: whether the rules end the game there; then `last_expected` is how."""
    record: str | None = None
    """In the last part: the game as PGN, for people to keep."""


class Refusal(BaseModel):
    type: Literal["error"] = "error"
    text: str


class Problem(BaseModel):
    """Why a request was refused, in one line."""

    detail: str


class Prediction(BaseModel):
    moves: list[PredictedMove]
    wdl: tuple[float, float, float] | None
    """Win, draw, loss for the side to move; null where the net does not tell."""
    expected: float | None
    """The points that the side to move may expect, 0 … 1, likewise."""


class Attention(BaseModel):
    layers: int
    heads: int
    weights: list[list[float]]
    """weights[i][j]: how much square i looks at square j. Squares are counted along the ranks, from the first
    player's left: a1, b1, … or a0, b0, …. What falls on something else than squares is left out, so a row may
    sum to less than 1."""


class Model(BaseModel):
    name: str
    game: str
    ratings: tuple[int, int] | None
    """The lowest and the highest of the players that it can be asked to move like; null where it knows no
    ratings."""
    layers: int | None
    heads: int | None
    """Of attention that can be shown on the board; null where there is none."""
    recipe: str | None = None
    parameters: int | None = None


class GameShape(BaseModel):
    """What there is to know of a game before a board is drawn."""

    name: str
    files: int
    ranks: int
    sides: tuple[str, str]
    """For people; messages have them in small letters."""


class Models(BaseModel):
    version: str
    models: list[Model]
    games: list[GameShape]
    """Those that the models play."""
