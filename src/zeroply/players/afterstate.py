"""A player whose net judges positions: it looks one ply ahead, at all that it could do. So are nets played
that propose no moves, and others where that is asked for: these weigh what they propose by what it leads to.

This is a look at successors, which "policy alone" never has: reports name it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind
from zeroply.games import Position
from zeroply.players.base import Glance
from zeroply.players.expectation import expected_points
from zeroply.players.net import NetPlayer, likeliest_first, persona

SPREAD = 0.1
"""How far a move may fall behind another and still be e times less likely than it, if the net proposes both
alike: the shares of moves are proportional to policy × exp(points / SPREAD), the policy that comes out when
points are wanted and a departure from the first policy has its price. A player's temperature multiplies both.
"""

BATCH = 512
"""Successors shown to the net at a time: those of all positions at once would fill the memory."""


class AfterstatePlayer(NetPlayer):
    """A move is worth what it leaves to the opponent: 1 - the points that he may expect after it. Where a
    move ends the game, the rules tell: 1, ½ or 0."""

    look = "successors"

    def glance(self, positions: Sequence[Position]) -> list[Glance]:
        successors = [[position.play(int(move)) for move in position.legal()] for position in positions]
        points, outlooks = self._judge([after for those in successors for after in those])
        proposed = self._proposed(positions)
        looks = []
        end = 0
        for position, those, proposal in zip(positions, successors, proposed, strict=True):
            own = slice(end, end := end + len(those))
            order, probabilities = likeliest_first(proposal + points[own] / SPREAD)
            glance = Glance(
                moves=position.legal()[order],
                probabilities=probabilities,
                expected=float(points[own][order[0]]),
                shown=len(those) + self._proposes,
                points=points[own][order],
                outlooks=None if outlooks is None else outlooks[own][order],
            )
            looks.append(replace(glance, wdl=glance.wdl_of(0)))
        return looks

    @property
    def _judging(self) -> Mapping[str, int]:
        """Neither puzzles nor labels tell how a game ends: an engine judges what is left to the opponent."""
        knows_no_end = self.told["kind"] in (Kind.puzzle, Kind.label)
        return persona(self.network, None, Kind.engine) if knows_no_end else self.told

    @property
    def _proposes(self) -> bool:
        return "policy" in self.network.outputs

    def _proposed(self, positions: Sequence[Position]) -> list[NDArray[np.float64]]:
        """Of each position's legal moves the net's log-probabilities; zeros where it proposes none."""
        if not self._proposes:
            return [np.zeros(len(position.legal())) for position in positions]
        policy = self._ask(positions)["policy"].astype(np.float64)
        return [policy[at, position.legal()] for at, position in enumerate(positions)]

    def _judge(
        self, successors: Sequence[Position]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """What each position is worth to the side that has just moved: points [n], and win, draw, loss [n, 3]
        where the net tells them apart."""
        results = [_result(after) for after in successors]
        points = np.array([np.nan if result is None else result for result in results], np.float64)
        outlooks = np.stack([points == 1, points == 0.5, points == 0], 1).astype(np.float64)
        open_ones = np.flatnonzero(np.isnan(points))
        for at in range(0, len(open_ones), BATCH):
            part = open_ones[at : at + BATCH]
            out = self._ask([successors[number] for number in part], self._judging)
            points[part] = 1 - expected_points(out)
            if "wdl" in out:
                outlooks[part] = np.exp(out["wdl"].astype(np.float64))[:, ::-1]
        return points, outlooks if "wdl" in self.network.outputs else None


def _result(after: Position) -> float | None:
    """The points of the side that has just moved; None while the game goes on."""
    result = after.result()
    if result is None:
        return None
    return result if after.turn == 1 else 1 - result
