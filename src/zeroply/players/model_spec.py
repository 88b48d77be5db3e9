"""A model as it is written on a command line: MODEL, then options such as look=successors."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zeroply.corpus.score import Kind
from zeroply.players.base import Network
from zeroply.players.chosen import LOOKS, player_of
from zeroply.players.drawing import MOST_TEMPERATURE
from zeroply.players.net import NetPlayer
from zeroply.players.program import Number, OneOf, pairs, values_of, words_of
from zeroply.players.ratings import asked, asked_best
from zeroply.players.rules import Help

SEED = {"seed": Number(int, 0, 2**63 - 1)}
OPTIONS: Mapping[str, Number | OneOf] = {
    "look": OneOf(LOOKS),
    "temperature": Number(float, 0, MOST_TEMPERATURE),
    "top_p": Number(float, 0, 1),
    "rating": Number(int, 0, 4000),
    "best": OneOf((Kind.engine.name, Kind.puzzle.name, Kind.label.name)),
    **SEED,
}


@dataclass(frozen=True)
class ModelSpec:
    text: str
    model: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, text: str) -> ModelSpec:
        model, *rest = spec_words(text)
        return cls(text, model, values_of(pairs(rest, text), OPTIONS, text))

    def player(
        self,
        network: Network,
        *,
        rating: int | None = None,
        temperature: float | None = None,
        best: Kind = Kind.engine,
        helps: Sequence[Help] = (),
    ) -> NetPlayer:
        """Its net's player, called as the text. `rating`, `temperature` and `best` are for one whose text
        names none."""
        if "rating" in self.options:
            rating = self.options["rating"]
            asked(network, rating, f"rating={rating} in player '{self.text}'")
        if "best" in self.options:
            best = Kind[self.options["best"]]
            asked_best(network, best, rating, f"best={best.name} in player '{self.text}'")
        others = {"temperature": temperature} | {
            name: value for name, value in self.options.items() if name not in ("rating", "best")
        }
        return player_of(network, name=self.text, rating=rating, best=best, helps=helps, **others)


def spec_words(text: str) -> list[str]:
    """The name of a player, then its options. A file that is called so, with spaces and all, is a name."""
    return [text] if os.path.exists(text) else words_of(text)
