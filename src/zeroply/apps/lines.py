"""What an engine says of a look at a position: shares of moves, then a line for each with its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from zeroply.games import Game, Position
from zeroply.players import Glance
from zeroply.players.dialects import Dialect
from zeroply.players.expectation import centipawns
from zeroply.players.options import Value
from zeroply.players.rules import ends_with


def lines_about(
    dialect: Dialect,
    game: Game,
    position: Position,
    glance: Glance,
    chosen: int,
    values: Mapping[str, Value],
) -> Iterator[str]:
    """The move that is played comes first, then the likeliest others: as many as the options ask for."""
    count, show_wdl = int(values["MultiPV"]), values["UCI_ShowWDL"]
    first = int(np.flatnonzero(glance.moves == chosen)[0])
    places = [first, *(at for at in range(len(glance.moves)) if at != first)][:count]
    names = [dialect.text(game, int(glance.moves[at])) for at in places]
    for at, name in zip(places, names, strict=True):
        yield f"{dialect.remark} {name} {glance.probabilities[at]:.2%}"
    for place, (at, name) in enumerate(zip(places, names, strict=True), 1):
        expected, wdl = glance.expected_of(at), glance.wdl_of(at)
        score = None if expected is None else centipawns(expected)
        mates = ends_with(position, int(glance.moves[at]), 1.0 - position.turn)
        judgement = dialect.judgement(place, score, glance.shown, mates=mates)
        shares = " wdl {} {} {}".format(*thousandths(wdl)) if wdl and show_wdl else ""
        yield f"info {judgement}{shares} pv {name}"


def thousandths(wdl: tuple[float, float, float]) -> tuple[int, int, int]:
    """Win, draw and loss as engines tell them."""
    win, loss = round(1000 * wdl[0]), round(1000 * wdl[2])
    return win, max(0, 1000 - win - loss), loss
