"""One game between a person and a net: whose turn it is, what was played, and what the page may show."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from zeroply.apps.web.messages import Candidate, MadeMove, Move, New, Resign, State, Undo
from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games import Game, Position
from zeroply.games.notation import RESULTS, UNKNOWN
from zeroply.games.record import written
from zeroply.players import Glance, NetPlayer, player_of
from zeroply.players.base import Network
from zeroply.players.rules import HELPS

CANDIDATES = 5
"""How many of the net's candidates the page is told."""


@dataclass(frozen=True, kw_only=True)
class Ply:
    """A move that was made; with the net's look at the board if the net made it."""

    before: Position
    move: int
    made: MadeMove
    """The same move for people."""
    recorded: str
    """The same move for records of games."""
    glance: Glance | None = None


class Session:
    """A game in progress. `side` is the person's: 0 moves first."""

    def __init__(self, player: NetPlayer, side: int, start: Position, moves: Sequence[str]) -> None:
        self._player, self._side, self._start = player, side, start
        self._plies, self._now = replay(player.network.game, start, moves)
        self._resigned = False
        self._date = date.today()

    @classmethod
    def open(cls, networks: Mapping[str, Network], request: New) -> Session:
        name, network = find_network(networks, request.model)
        side = _side(network.game, request.side)
        player = player_of(
            network,
            name=name,
            rating=request.rating,
            temperature=request.temperature,
            seed=secrets.randbits(32),  # a fixed one would repeat the same game
            helps=HELPS,
        )
        return cls(player, side, network.game.start(request.fen), request.moves)

    @property
    def over(self) -> bool:
        return self._resigned or self._now.result() is not None

    @property
    def awaits_net(self) -> bool:
        return not self.over and self._now.turn != self._side

    def act(self, request: Move | Undo | Resign) -> None:
        """What the person does."""
        match request:
            case Move(move=name):
                self._play(name)
            case Undo():
                self._undo()
            case Resign():
                self._refuse_if_over()
                self._resigned = True

    def reply(self) -> None:
        """The net's move: one look."""
        (glance,) = self._player.glance([self._now])
        self._make(self._player.pick(self._now, glance), glance)

    def _play(self, name: str) -> None:
        self._refuse_if_over()
        if self.awaits_net:
            raise IllegalMoveError("it is not your turn")
        self._make(self._player.network.game.moves.number(name))

    def _make(self, move: int, glance: Glance | None = None) -> None:
        game, before = self._player.network.game, self._now
        self._now = before.play(move)
        self._plies.append(_ply(game, before, move, glance))

    def _undo(self) -> None:
        """Take back the last thing that the person did, and the net's answer to it."""
        if self._resigned:
            self._resigned = False
            return
        own = self._last_own()
        if own is None:
            raise ZeroplyError("there is no move of yours to take back")
        self._now = self._plies[own].before
        del self._plies[own:]

    def _last_own(self) -> int | None:
        own = [number for number, ply in enumerate(self._plies) if ply.before.turn == self._side]
        return own[-1] if own else None

    def _refuse_if_over(self) -> None:
        if self.over:
            raise ZeroplyError("the game is over. Start a new one")

    def state(self) -> State:
        game, now = self._player.network.game, self._now
        sides = _side_names(game)
        may_move = not self.over and not self.awaits_net
        points = self._points()
        return State(
            game=game.name,
            model=self._player.name,
            fen=now.fen(),
            start=self._start.fen(),
            turn=sides[now.turn],
            side=sides[self._side],
            moves=[ply.made for ply in self._plies],
            last=self._plies[-1].made.move if self._plies else None,
            legal=[_made(game, now, int(move)) for move in now.legal()] if may_move else [],
            undoable=self._resigned or self._last_own() is not None,
            check=now.in_check(),
            result=None if points is None else RESULTS[points],
            reason=self._reason(),
            candidates=self._candidates(),
            wdl=self._wdl(points),
            record=self._record(points),
        )

    def _points(self) -> float | None:
        """The first player's points; None while the game goes on."""
        return float(self._side) if self._resigned else self._now.result()

    def _reason(self) -> str | None:
        return "you resigned" if self._resigned else self._now.reason()

    def _record(self, points: float | None) -> str:
        game = self._player.network.game
        players = ("you", f"zeroply {self._player.name}")
        first, second = players if self._side == 0 else reversed(players)
        tags = {
            "Event": "zeroply",
            "Site": "?",
            "Date": self._date.strftime("%Y.%m.%d"),
            "Round": "-",
            game.sides[0]: first,
            game.sides[1]: second,
            "Result": UNKNOWN if points is None else RESULTS[points],
        }
        return written(game, tags, self._start, [ply.recorded for ply in self._plies], self._reason())

    def _last_look(self) -> Ply | None:
        return next((ply for ply in reversed(self._plies) if ply.glance is not None), None)

    def _candidates(self) -> list[Candidate]:
        ply = self._last_look()
        if ply is None or ply.glance is None:
            return []
        game = self._player.network.game
        weighed = list(zip(ply.glance.moves.tolist(), ply.glance.probabilities.tolist(), strict=True))
        return [
            Candidate(
                move=game.moves.names[move],
                notation=ply.before.notation(move),
                probability=probability,
                played=move == ply.move,
            )
            for rank, (move, probability) in enumerate(weighed)
            if rank < CANDIDATES or move == ply.move  # a sampled move may stand far down
        ]

    def _wdl(self, points: float | None) -> tuple[float, float, float] | None:
        if points is not None:
            own = points if self._side == 0 else 1 - points
            return (float(own == 1), float(own == 0.5), float(own == 0))
        ply = self._last_look()
        if ply is None or ply.glance is None or ply.glance.wdl is None:
            return None
        win, draw, loss = ply.glance.wdl
        return (loss, draw, win)  # the net looked from its own side


def _side_names(game: Game) -> list[str]:
    return [side.lower() for side in game.sides]


def _side(game: Game, wanted: str | None) -> int:
    """0 for who moves first; a name is one of the game's, or "random"."""
    names = _side_names(game)
    if wanted == "random":
        return secrets.randbelow(2)
    if wanted is not None and wanted not in names:
        raise ZeroplyError(f"'{wanted}' is no side of {game.name}. Known: {', '.join(names)}, random")
    return 0 if wanted is None else names.index(wanted)


def _ply(game: Game, before: Position, move: int, glance: Glance | None = None) -> Ply:
    return Ply(
        before=before,
        move=move,
        made=_made(game, before, move),
        recorded=before.recorded(move),
        glance=glance,
    )


def _made(game: Game, before: Position, move: int) -> MadeMove:
    return MadeMove(move=game.moves.names[move], notation=before.notation(move))


def replay(game: Game, start: Position, moves: Sequence[str]) -> tuple[list[Ply], Position]:
    """The moves made one by one, and where they lead."""
    plies, now = [], start
    for name in moves:
        before, move = now, game.moves.number(name)
        now = before.play(move)
        plies.append(_ply(game, before, move))
    return plies, now


def find_network(networks: Mapping[str, Network], name: str | None) -> tuple[str, Network]:
    """The model by its name; the first one where none is asked for."""
    chosen = next(iter(networks), "") if name is None else name
    if chosen not in networks:
        raise ZeroplyError(f"there is no model '{chosen}' here. Known: {', '.join(networks) or 'none'}")
    return chosen, networks[chosen]
