"""A game that someone pastes, as a net sees it: position by position, a few at a time."""

from __future__ import annotations

from collections.abc import Mapping

from zeroply.apps.pasted import read_pasted
from zeroply.apps.web.asked import asked_player
from zeroply.apps.web.messages import Analyse, AnalysedPly, AnalysisPart, PredictedMove
from zeroply.errors import ReadError
from zeroply.games import Position
from zeroply.players import Glance
from zeroply.players.base import Network

PLIES = 8
"""Looked at together: a batch large enough to be quick, so small that those who play hardly wait for it."""


class Analysis:
    """`len` counts its parts; `part` looks at the positions of one."""

    def __init__(self, networks: Mapping[str, Network], request: Analyse) -> None:
        self._player = asked_player(networks, request.model, request.rating)
        self._game = self._player.network.game
        self._pasted = read_pasted(self._game, request.record)
        if not self._pasted.plies:
            raise ReadError("it has no moves. Paste a game")

    def __len__(self) -> int:
        return -(-len(self._pasted.plies) // PLIES)

    def part(self, number: int) -> AnalysisPart:
        pasted, first = self._pasted, number * PLIES
        some = pasted.plies[first : first + PLIES]
        looks = self._player.glance([before for before, _ in some])
        afters = [before for before, _ in pasted.plies[first + 1 : first + PLIES + 1]]
        if is_last := number == len(self) - 1:
            afters.append(pasted.last)
        return AnalysisPart(
            game=self._game.name,
            model=self._player.name,
            start=pasted.start.fen(),
            start_check=pasted.start.in_check(),
            result=pasted.result,
            names=pasted.names,
            total=len(pasted.plies),
            first=first,
            plies=[
                self._ply(before, move, after, look)
                for (before, move), after, look in zip(some, afters, looks, strict=True)
            ],
            last_expected=self._last_expected() if is_last else None,
            ended=is_last and pasted.last.result() is not None,
            record=pasted.record(self._game) if is_last else None,
        )

    def _ply(self, before: Position, move: int, after: Position, look: Glance) -> AnalysedPly:
        at = look.moves.tolist().index(move)
        played = self._predicted(before, look, at)
        return AnalysedPly(
            **played.model_dump(),
            fen=after.fen(),
            check=after.in_check(),
            rank=at + 1,
            best=self._predicted(before, look, 0),
            expected=_of_first_player(before, look.expected),
        )

    def _predicted(self, position: Position, look: Glance, at: int) -> PredictedMove:
        move = int(look.moves[at])
        return PredictedMove(
            move=self._game.moves.names[move],
            notation=position.notation(move),
            probability=float(look.probabilities[at]),
        )

    def _last_expected(self) -> float | None:
        """By the rules where the game is over."""
        last = self._pasted.last
        if last.result() is not None:
            return last.result()
        (look,) = self._player.glance([last])
        return _of_first_player(last, look.expected)


def _of_first_player(position: Position, expected: float | None) -> float | None:
    return expected if expected is None or position.turn == 0 else 1 - expected
