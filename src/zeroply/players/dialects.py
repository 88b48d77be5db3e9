"""UCI and UCCI: what differs between the two languages of engines, for both ends of a conversation.

The same move of xiangqi is h3e3 in UCI, where ranks count from 1, and h2e2 in UCCI, where they count from 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games import Game
from zeroply.players.options import Value, number_after
from zeroply.players.pace import Clock


class Dialect(Protocol):
    @property
    def name(self) -> str:
        """Also the first word that an engine hears; with `ok` behind it, the last of its greeting."""
        ...

    @property
    def own_game(self) -> str:
        """What engines play that know no other game, and so have no option UCI_Variant."""
        ...

    @property
    def only(self) -> str | None:
        """The game that the language is for, if it is for one."""
        ...

    @property
    def no_move(self) -> str:
        """The answer where there is none."""
        ...

    @property
    def farewell(self) -> tuple[str, ...]:
        """What an engine says before it ends."""
        ...

    @property
    def remark(self) -> str:
        """The beginning of a line for people."""
        ...

    def text(self, game: Game, move: int) -> str: ...
    def number(self, game: Game, text: str) -> int:
        """The move of such a text; IllegalMoveError where there is none."""
        ...

    def declare(self, name: str, declared: str) -> str:
        """An engine's line about one of its options."""
        ...

    def set_option(self, name: str, value: str) -> str: ...
    def read_setting(self, words: Sequence[str]) -> tuple[str, str]:
        """Name and value in the words behind `setoption`."""
        ...

    def new_game(self, options: Collection[str]) -> str:
        """What tells an engine with these options that the next position is of another game."""
        ...

    @property
    def settings(self) -> Mapping[str, str]:
        """What engines are told that have such options, named in small letters."""
        ...

    def go(self, limits: Mapping[str, int], options: Collection[str]) -> str:
        """`limits` may have depth, nodes and movetime, in milliseconds; `options` are the engine's."""
        ...

    @property
    def limits(self) -> frozenset[str]:
        """Words behind `go` that have a number behind them."""
        ...

    def clock(self, words: Sequence[str], turn: int, values: Mapping[str, Value]) -> Clock:
        """What the words behind `go` say of the mover's time; `values` are those of the options."""
        ...

    def judgement(self, place: int, score: int | None, nodes: int, *, mates: bool = False) -> str:
        """What is said of a line of play: its place among several, the mover's centipawns where they are
        known, how many positions were looked at, and whether its first move wins the game."""
        ...

    def over(self, *, lost: bool) -> tuple[str, ...]:
        """What is said before `no_move` where there is no move."""
        ...


class Uci:
    name = "uci"
    own_game = "chess"
    only = None
    no_move = "bestmove (none)"
    farewell = ()
    remark = "info string"
    settings: Mapping[str, str] = {}
    limits = frozenset(["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"])

    def text(self, game: Game, move: int) -> str:
        return game.uci(move)

    def number(self, game: Game, text: str) -> int:
        return game.from_uci(text)

    def declare(self, name: str, declared: str) -> str:
        return f"option name {name} {declared}"

    def set_option(self, name: str, value: str) -> str:
        return f"setoption name {name} value {value}" if value else f"setoption name {name}"

    def read_setting(self, words: Sequence[str]) -> tuple[str, str]:
        if words[:1] != ["name"]:
            raise ZeroplyError("write it so: setoption name MultiPV value 3")
        at = words.index("value") if "value" in words else len(words)
        return " ".join(words[1:at]), " ".join(words[at + 1 :])

    def new_game(self, options: Collection[str]) -> str:
        return "ucinewgame"

    def go(self, limits: Mapping[str, int], options: Collection[str]) -> str:
        return " ".join(["go", *(f"{name} {limit}" for name, limit in limits.items())])

    def clock(self, words: Sequence[str], turn: int, values: Mapping[str, Value]) -> Clock:
        side = "wb"[turn]
        return Clock(
            left=number_after(f"{side}time", words),
            increment=number_after(f"{side}inc", words) or 0,
            moves_to_go=number_after("movestogo", words),
            move_time=number_after("movetime", words),
        )

    def judgement(self, place: int, score: int | None, nodes: int, *, mates: bool = False) -> str:
        judged = " score mate 1" if mates else "" if score is None else f" score cp {score}"
        return f"depth 1 seldepth 1 multipv {place}{judged} nodes {nodes}"

    def over(self, *, lost: bool) -> tuple[str, ...]:
        return (f"info depth 0 score {'mate' if lost else 'cp'} 0",)


class Ucci:
    name = "ucci"
    own_game = only = "xiangqi"
    no_move = "nobestmove"
    farewell = ("bye",)
    remark = "info message"
    settings: Mapping[str, str] = {"usemillisec": "true"}
    limits = frozenset(
        ["depth", "nodes", "time", "movestogo", "increment", "opptime", "oppmovestogo", "oppincrement"]
    )

    def text(self, game: Game, move: int) -> str:
        return game.moves.names[move]

    def number(self, game: Game, text: str) -> int:
        return game.moves.number(text)

    def declare(self, name: str, declared: str) -> str:
        return f"option {name} {declared}"

    def set_option(self, name: str, value: str) -> str:
        return f"setoption {name} {value}" if value else f"setoption {name}"

    def read_setting(self, words: Sequence[str]) -> tuple[str, str]:
        if not words:
            raise ZeroplyError("write it so: setoption MultiPV 3")
        return words[0], " ".join(words[1:])

    def new_game(self, options: Collection[str]) -> str:
        """The standard has a button for it; engines after UCI's fashion have a command."""
        return "setoption newgame" if "newgame" in options else "uccinewgame"

    def go(self, limits: Mapping[str, int], options: Collection[str]) -> str:
        """The standard knows a clock only: a move's time is one with a single move to go. It counts whole
        seconds unless the engine can be told otherwise."""
        words = ["go"]
        for name, limit in limits.items():
            if name == "movetime":
                time = limit if "usemillisec" in options else math.ceil(limit / 1000)
                words.append(f"time {time} movestogo 1")
            else:
                words.append(f"{name} {limit}")
        return " ".join(words)

    def clock(self, words: Sequence[str], turn: int, values: Mapping[str, Value]) -> Clock:
        """Times are in seconds unless `usemillisec` says otherwise."""
        unit = 1 if values.get("usemillisec") else 1000
        left = number_after("time", words)
        return Clock(
            left=None if left is None else unit * left,
            increment=unit * (number_after("increment", words) or 0),
            moves_to_go=number_after("movestogo", words),
        )

    def judgement(self, place: int, score: int | None, nodes: int, *, mates: bool = False) -> str:
        return "depth 1" if score is None else f"depth 1 score {score}"

    def over(self, *, lost: bool) -> tuple[str, ...]:
        return ()


def moves_among(dialect: Dialect, game: Game, words: Sequence[str]) -> list[int]:
    """The moves that a list begins with; what follows them is something else."""
    moves = []
    for word in words:
        try:
            moves.append(dialect.number(game, word))
        except IllegalMoveError:
            break
    return moves


UCI, UCCI = Uci(), Ucci()
DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (UCI, UCCI)}
"""By what stands before an engine's name and a colon."""


def language_of(text: str) -> tuple[Dialect | None, str]:
    """The language before an engine's name and a colon, and the name; None where none is told."""
    language, colon, name = text.partition(":")
    return (DIALECTS[language], name) if colon and language in DIALECTS else (None, text)
