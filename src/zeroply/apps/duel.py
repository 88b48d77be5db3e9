"""One game between a person and a net: whose turn it is, what was played, how it ended, and its record."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games import Game, Position
from zeroply.games.line import steps
from zeroply.games.notation import RESULTS, UNKNOWN
from zeroply.games.record import written
from zeroply.players import Glance, NetPlayer
from zeroply.players.rules import Because


@dataclass(frozen=True, kw_only=True)
class Ply:
    """A move that was made; with the net's look at the board if the net made it."""

    before: Position
    move: int
    notation: str
    """The same move for people."""
    recorded: str
    """The same move for records of games."""
    fen: str
    check: bool
    """Both after the move; kept, since pages are told of all moves again and again."""
    glance: Glance | None = None
    because: Because | None = None
    """Likewise: why the net did not play its likeliest move, unless chance alone decided."""


class Duel:
    """A game in progress. `side` is the person's: 0 moves first."""

    def __init__(self, player: NetPlayer, side: int, start: Position, moves: Sequence[str] = ()) -> None:
        self.player, self.side, self.start = player, side, start
        self.plies, self.now = list[Ply](), start
        for before, move, self.now in steps(start, moves):
            self.plies.append(_ply(before, move, self.now))
        self.resigned = False
        self._date = date.today()

    @property
    def game(self) -> Game:
        return self.player.network.game

    @property
    def over(self) -> bool:
        return self.points() is not None

    @property
    def awaits_net(self) -> bool:
        return not self.over and self.now.turn != self.side

    @property
    def undoable(self) -> bool:
        """Whether there is something of the person's to take back."""
        return self.resigned or self._last_own() is not None

    def play(self, move: int) -> None:
        """The person's move."""
        self._refuse_if_over()
        if self.awaits_net:
            raise IllegalMoveError("it is not your turn")
        self._make(move)

    def reply(self) -> Glance:
        """The net's move: one look."""
        (glance,) = self.player.glance([self.now])
        self._make(*self.player.decide(self.now, glance), glance)
        return glance

    def undo(self) -> None:
        """Take back the last thing that the person did, and the net's answer to it."""
        if self.resigned:
            self.resigned = False
            return
        own = self._last_own()
        if own is None:
            raise ZeroplyError("there is no move of yours to take back")
        self.now = self.plies[own].before
        del self.plies[own:]

    def resign(self) -> None:
        self._refuse_if_over()
        self.resigned = True

    def points(self) -> float | None:
        """The first player's points; None while the game goes on."""
        return float(self.side) if self.resigned else self.now.result()

    def reason(self) -> str | None:
        """Why the game is over, for people."""
        return "you resigned" if self.resigned else self.now.reason()

    def record(self) -> str:
        """The game as PGN."""
        points = self.points()
        players = ("you", f"zeroply {self.player.name}")
        first, second = players if self.side == 0 else reversed(players)
        tags = {
            "Event": "zeroply",
            "Site": "?",
            "Date": self._date.strftime("%Y.%m.%d"),
            "Round": "-",
            self.game.sides[0]: first,
            self.game.sides[1]: second,
            "Result": UNKNOWN if points is None else RESULTS[points],
        }
        return written(self.game, tags, self.start, [ply.recorded for ply in self.plies], self.reason())

    def _make(self, move: int, because: Because | None = None, glance: Glance | None = None) -> None:
        before = self.now
        self.now = before.play(move)
        self.plies.append(_ply(before, move, self.now, because, glance))

    def _last_own(self) -> int | None:
        own = [number for number, ply in enumerate(self.plies) if ply.before.turn == self.side]
        return own[-1] if own else None

    def _refuse_if_over(self) -> None:
        if self.over:
            raise ZeroplyError("the game is over. Start a new one")


def side_names(game: Game) -> list[str]:
    return [side.lower() for side in game.sides]


def side_named(game: Game, wanted: str | None) -> int:
    """0 for who moves first, also where nothing is wanted; a name is one of the game's, or "random"."""
    names = side_names(game)
    if wanted == "random":
        return secrets.randbelow(2)
    if wanted is not None and wanted not in names:
        raise ZeroplyError(f"'{wanted}' is no side of {game.name}. Known: {', '.join(names)}, random")
    return 0 if wanted is None else names.index(wanted)


def _ply(
    before: Position,
    move: int,
    after: Position,
    because: Because | None = None,
    glance: Glance | None = None,
) -> Ply:
    return Ply(
        before=before,
        move=move,
        notation=before.notation(move),
        recorded=before.recorded(move),
        fen=after.fen(),
        check=after.in_check(),
        glance=glance,
        because=because,
    )
