"""What all players with a net share: whom they play like, and how a move is picked from a look."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind
from zeroply.corpus.told import UNRATED, told
from zeroply.games import Position, stack
from zeroply.players.base import Glance, Network
from zeroply.players.drawing import Drawing, usual_temperature
from zeroply.players.rules import REASONS, Because, Help, forbidden

STRONGEST = 2800
"""Told in best mode to a net that knows no engines, nor whom it learnt from: about the highest rating among
human players."""


def rated(network: Network) -> bool:
    """Whether the net looks at ratings and saw some when it learnt; one that saw none would stumble."""
    known: bool = network.about.get("training", {}).get("rated", True)
    return known and "rating" in network.reads


def strongest_seen(network: Network) -> Mapping[str, int]:
    """The rating of the best movers that it learnt from, by the name of their `Kind`; none where the net is
    not told who moves."""
    seen: Mapping[str, int] = network.about.get("training", {}).get("strongest", {})
    return seen if "kind" in network.reads else {}


def persona(network: Network, rating: int | None, best: Kind) -> dict[str, int]:
    """What the net is told of the players, by column: the mover is a person of that rating, or, where it is
    None, the best that the net has seen: a `best`, an engine, a label, or a person. His opponent is as
    strong."""
    strongest = network.about.get("training", {}).get("strongest", {}).get(Kind.human.name, STRONGEST)
    asked = strongest if rating is None else rating
    told_rating = asked if rated(network) else UNRATED
    someone = {"rating": told_rating, "opponent_rating": told_rating, "kind": Kind.human.value}
    if rating is not None:
        return someone
    seen = strongest_seen(network)
    for kind in (best, Kind.engine, Kind.label):
        if kind.name in seen:
            return {"rating": seen[kind.name], "opponent_rating": seen[kind.name], "kind": kind.value}
    return someone


class Decision(NamedTuple):
    """A move that is played, for people who see what the net preferred."""

    move: int
    because: Because | None
    """Why its likeliest move is not played; None where it is, and where chance alone decided otherwise."""


class NetPlayer(ABC):
    """`rating` is whom the net should play like, None for as well as it can, and `best` whose moves are the
    best of all, if the net can tell them from people's: an engine's, or a label's if it knows none, in a
    game, the solver's in a puzzle.
    How moves are drawn, `Drawing` tells, with the `usual_temperature` of the rating unless one is asked for.
    On its own unless it is given `helps` of the rules."""

    look: ClassVar[str]
    """What it looks at, for reports."""

    def __init__(
        self,
        network: Network,
        *,
        name: str = "net",
        rating: int | None = None,
        best: Kind = Kind.engine,
        temperature: float | None = None,
        top_p: float = 1.0,
        seed: int = 0,
        helps: Sequence[Help] = (),
    ) -> None:
        self.network, self.name = network, name
        self.rating = rating if rated(network) else None
        self.told = persona(network, rating, best)
        usual = usual_temperature(self.rating)
        self.drawing = Drawing(temperature=usual if temperature is None else temperature, top_p=top_p)
        self.helps = tuple(helps)
        self.seed = seed
        self._random = np.random.default_rng(seed)

    @abstractmethod
    def glance(self, positions: Sequence[Position]) -> list[Glance]:
        """One look at each position."""

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return self.choose_by(positions, [self._random] * len(positions))

    def choose_by(self, positions: Sequence[Position], lots: Sequence[np.random.Generator]) -> list[int]:
        return [self.pick(*look) for look in zip(positions, self.glance(positions), lots, strict=True)]

    def pick(self, position: Position, glance: Glance, lot: np.random.Generator | None = None) -> int:
        """The likeliest move, or the one that is drawn, of those that its helps leave; or of all, where these
        are forbidden; a forbidden one only where there is no other. Drawn by `lot`, or by its own."""
        return self._drawn(position, self._helped(position, glance), lot)

    def decide(self, position: Position, glance: Glance) -> Decision:
        """The same move, and whether the rules had a part in it."""
        left = self._helped(position, glance)
        move = self._drawn(position, left)
        return Decision(move, self._because(position, left, move))

    def _helped(self, position: Position, glance: Glance) -> list[Glance]:
        """The look, and what each of its helps leaves of what the one before left."""
        left = [glance]
        for help_ in self.helps:
            left.append(help_(position, left[-1]))
        return left

    def _drawn(
        self, position: Position, left: Sequence[Glance], lot: np.random.Generator | None = None
    ) -> int:
        for look in (left[-1], left[0]):
            for move in self.drawing.moves(look, lot or self._random):
                if not forbidden(position, move):
                    return move
        return int(left[-1].moves[0])

    def _because(self, position: Position, left: Sequence[Glance], move: int) -> Because | None:
        likeliest = int(left[0].moves[0])
        if move == likeliest:
            return None
        for help_, kept in zip(self.helps, left[1:], strict=True):
            # A move that no help left is played where all others are forbidden: then none had its way.
            if likeliest not in kept.moves and move in kept.moves:
                return REASONS[help_]
        return Because.forbidden if forbidden(position, likeliest) else None

    def close(self) -> None:  # noqa: B027 (no net holds anything)
        """Nothing to let go of."""

    def _ask(
        self, positions: Sequence[Position], like: Mapping[str, int] | None = None
    ) -> dict[str, NDArray[np.float32]]:
        """The net's answers, all in one batch, when it is told that someone `like` this plays; or as ever."""
        rows = stack([position.row(self.network.history) for position in positions])
        return self.network(rows | told(len(positions), **(like or self.told)))


def likeliest_first(logits: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The order of moves by weight, among equals as they stand, and their shares in that order."""
    weights = np.exp(logits - logits.max())
    order = np.argsort(-weights, kind="stable")
    return order, (weights / weights.sum())[order]
