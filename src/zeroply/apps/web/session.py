"""A game between a person and a net in messages: what the person asks for, and what the page may show."""

from __future__ import annotations

from collections.abc import Mapping

from zeroply.apps.duel import Duel, Ply, side_named, side_names
from zeroply.apps.pasted import read_pasted
from zeroply.apps.web.asked import asked_player
from zeroply.apps.web.messages import Candidate, LegalMove, MadeMove, Move, New, Resign, State, Undo
from zeroply.games.notation import RESULTS
from zeroply.players.base import Network
from zeroply.players.rules import HELPS

CANDIDATES = 5
"""How many of the net's candidates the page is told."""


class Session:
    """A game in progress, in messages."""

    def __init__(self, duel: Duel) -> None:
        self._duel = duel

    @classmethod
    def open(cls, networks: Mapping[str, Network], request: New) -> Session:
        player = asked_player(
            networks, request.model, request.rating, temperature=request.temperature, helps=HELPS
        )
        game = player.network.game
        side = side_named(game, request.side)
        if request.record is None:
            return cls(Duel(player, side, game.start(request.fen), request.moves))
        pasted = read_pasted(game, request.record)
        names = game.moves.names
        return cls(Duel(player, side, pasted.start, [names[move] for _, move in pasted.plies]))

    @property
    def awaits_net(self) -> bool:
        return self._duel.awaits_net

    def act(self, request: Move | Undo | Resign) -> None:
        """What the person does."""
        match request:
            case Move(move=name):
                self._duel.play(self._duel.game.moves.number(name))
            case Undo():
                self._duel.undo()
            case Resign():
                self._duel.resign()

    def reply(self) -> None:
        """The net's move."""
        self._duel.reply()

    def state(self) -> State:
        duel, game, now = self._duel, self._duel.game, self._duel.now
        sides, names = side_names(game), game.moves.names
        may_move = not duel.over and not duel.awaits_net
        points = duel.points()
        return State(
            game=game.name,
            model=duel.player.name,
            fen=now.fen(),
            start=duel.start.fen(),
            start_check=duel.start.in_check(),
            turn=sides[now.turn],
            side=sides[duel.side],
            moves=[
                MadeMove(move=names[ply.move], notation=ply.notation, fen=ply.fen, check=ply.check)
                for ply in duel.plies
            ],
            legal=[LegalMove(move=names[move], notation=now.notation(int(move))) for move in now.legal()]
            if may_move
            else [],
            undoable=duel.undoable,
            check=now.in_check(),
            result=None if points is None else RESULTS[points],
            reason=duel.reason(),
            resigned=duel.resigned,
            candidates=self._candidates(),
            because=None if (ply := self._last_look()) is None else ply.because,
            wdl=self._wdl(points),
            record=duel.record(),
        )

    def _last_look(self) -> Ply | None:
        return next((ply for ply in reversed(self._duel.plies) if ply.glance is not None), None)

    def _candidates(self) -> list[Candidate]:
        ply = self._last_look()
        if ply is None or ply.glance is None:
            return []
        weighed = list(zip(ply.glance.moves.tolist(), ply.glance.probabilities.tolist(), strict=True))
        return [
            Candidate(
                move=self._duel.game.moves.names[move],
                notation=ply.before.notation(move),
                probability=probability,
                played=move == ply.move,
            )
            for rank, (move, probability) in enumerate(weighed)
            if rank < CANDIDATES or move == ply.move  # a sampled move may stand far down
        ]

    def _wdl(self, points: float | None) -> tuple[float, float, float] | None:
        if points is not None:
            own = points if self._duel.side == 0 else 1 - points
            return (float(own == 1), float(own == 0.5), float(own == 0))
        ply = self._last_look()
        if ply is None or ply.glance is None or ply.glance.wdl is None:
            return None
        win, draw, loss = ply.glance.wdl
        return (loss, draw, win)  # the net looked from its own side
