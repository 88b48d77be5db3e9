"""A Lichess of one game, on loopback: the part of its bot API that a bot needs, and an opponent who moves at
random. Its answers have the fields of the API's documentation; it judges every move by python-chess.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import chess

TOKEN = "lip_loopback"  # noqa: S105 (of no account)
BOT, OPPONENT = "zeroply-bot", "passer-by"
CHALLENGE, GAME = "challeng", "gameid00"
KEEP_ALIVE_SECONDS = 0.2
MOST_PLIES = 600
"""Lichess ends a game as drawn after 300 moves."""
COLOURS = {True: "white", False: "black"}

Json = dict[str, Any]


@dataclass(kw_only=True)
class Table:
    """The game: the bot's side, the clocks, how the opponent behaves, and all that became of it."""

    bot_is_white: bool = True
    fen: str | None = None
    seconds: float = 600.0
    increment: float = 0.0
    seed: int = 0
    resigns_at: int | None = None
    """The ply at which the opponent gives up."""

    board: chess.Board = field(init=False)
    status: str = "started"
    winner: bool | None = None
    events: SimpleQueue[Json | None] = field(default_factory=SimpleQueue)
    updates: SimpleQueue[Json | None] = field(default_factory=SimpleQueue)
    """What the two streams tell; None ends them."""
    chat: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """What the bot should not have asked."""
    clocks: list[float] = field(init=False)
    """Seconds of Black and of White, in this order: indexed by python-chess's colours."""

    def __post_init__(self) -> None:
        self.board = chess.Board() if self.fen is None else chess.Board(self.fen)
        self.clocks = [self.seconds, self.seconds]
        self._random = random.Random(self.seed)  # noqa: S311 (a game, not a secret)
        self._since = monotonic()
        self._lock = Lock()
        self.events.put({"type": "challenge", "challenge": self._challenge(), "compat": {"bot": True}})

    @property
    def moves(self) -> list[str]:
        return [move.uci() for move in self.board.move_stack]

    def accept(self) -> None:
        game = {"gameId": GAME, "id": GAME, "color": COLOURS[self.bot_is_white], "source": "friend"}
        self.events.put({"type": "gameStart", "game": game})

    def join(self) -> None:
        """The bot has opened the game's stream: it hears the whole state, a greeting, and perhaps a move."""
        self.updates.put(self._full())
        self.updates.put({"type": "chatLine", "room": "player", "username": OPPONENT, "text": "hi"})
        self.updates.put({"type": "opponentGone", "gone": False})
        if self.board.turn != self.bot_is_white:
            self._reply()

    def play(self, text: str) -> str | None:
        """The bot's move; what is wrong with it, or None."""
        with self._lock:
            if self.status != "started" or self.board.turn != self.bot_is_white:
                return "Not your turn, or game already over"
            try:
                move = self.board.parse_uci(text)
            except ValueError as error:
                return str(error)
            self._push(move)
            if self.status == "started":
                self._reply()
            return None

    def resign(self) -> None:
        with self._lock:
            self._end("resign", winner=not self.bot_is_white)
            self._tell()

    def _reply(self) -> None:
        if self.resigns_at is not None and len(self.board.move_stack) >= self.resigns_at:
            self._end("resign", winner=self.bot_is_white)
            self._tell()
        else:
            self._push(self._random.choice(list(self.board.legal_moves)))

    def _push(self, move: chess.Move) -> None:
        mover, now = self.board.turn, monotonic()
        if len(self.board.move_stack) >= 2:  # clocks stand until both have moved
            self.clocks[mover] += self.increment - (now - self._since)
        self._since = now
        if self.clocks[mover] <= 0:
            self.clocks[mover] = 0
            self._end("outoftime", winner=not mover)
        else:
            self.board.push(move)
            outcome = self.board.outcome()
            if outcome is not None:
                names = {chess.Termination.CHECKMATE: "mate", chess.Termination.STALEMATE: "stalemate"}
                self._end(names.get(outcome.termination, "draw"), winner=outcome.winner)
            elif len(self.board.move_stack) >= MOST_PLIES:
                self._end("draw", winner=None)
        self._tell()

    def _tell(self) -> None:
        self.updates.put(self._state())
        if self.status != "started":
            self.updates.put(None)
            self.events.put({"type": "gameFinish", "game": {"gameId": GAME, "id": GAME}})
            self.events.put(None)

    def _end(self, status: str, *, winner: bool | None) -> None:
        self.status, self.winner = status, winner

    def _state(self) -> Json:
        black, white = (round(1000 * seconds) for seconds in self.clocks)
        increment = round(1000 * self.increment)
        state = {"type": "gameState", "moves": " ".join(self.moves), "wtime": white, "btime": black}
        state |= {"winc": increment, "binc": increment, "status": self.status}
        return state if self.winner is None else {**state, "winner": COLOURS[self.winner]}

    def _full(self) -> Json:
        sides = {self.bot_is_white: _user(BOT, "BOT"), not self.bot_is_white: _user(OPPONENT)}
        return {
            "type": "gameFull",
            "id": GAME,
            "rated": False,
            "variant": self._variant(),
            "clock": {"initial": round(1000 * self.seconds), "increment": round(1000 * self.increment)},
            "speed": "rapid",
            "perf": {"name": "Rapid"},
            "createdAt": 1700000000000,
            "white": sides[True],
            "black": sides[False],
            "initialFen": self.fen or "startpos",
            "state": self._state(),
        }

    def _challenge(self) -> Json:
        clock = {"type": "clock", "limit": round(self.seconds), "increment": round(self.increment)}
        return {
            "id": CHALLENGE,
            "status": "created",
            "challenger": _user(OPPONENT),
            "destUser": _user(BOT, "BOT"),
            "variant": self._variant(),
            "rated": False,
            "speed": "rapid",
            "timeControl": clock,
            "color": COLOURS[not self.bot_is_white],
            "perf": {"name": "Rapid"},
        }

    def _variant(self) -> Json:
        if self.fen is None:
            return {"key": "standard", "name": "Standard", "short": "Std"}
        return {"key": "fromPosition", "name": "From Position", "short": "FEN"}


def _user(name: str, title: str | None = None) -> Json:
    return {"id": name.lower(), "name": name, "title": title, "rating": 1500}


@contextmanager
def lichess(table: Table) -> Iterator[str]:
    """The address of such a server, for as long as it is needed."""
    handler = type("Handler", (_Handler,), {"table": table})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    table: ClassVar[Table]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Not to the terminal."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if not self._allowed():
            return
        if path == "/api/account":
            self._answer({"id": BOT, "username": BOT, "title": "BOT"})
        elif path == "/api/stream/event":
            self._stream(self.table.events)
        elif path == f"/api/bot/game/stream/{GAME}":
            self.table.join()
            self._stream(self.table.updates)
        else:
            self._refuse(404, "No such endpoint")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path, table = urlsplit(self.path).path, self.table
        if path == "/api/token/test":
            known = {"userId": BOT, "scopes": "bot:play", "expires": None}
            self._answer({body: known if body == TOKEN else None})
            return
        if not self._allowed():
            return
        move = re.fullmatch(rf"/api/bot/game/{GAME}/move/(\w+)", path)
        if path == f"/api/challenge/{CHALLENGE}/accept":
            table.accept()
            self._answer({"ok": True})
        elif move:
            wrong = table.play(move[1])
            self._answer({"ok": True}) if wrong is None else self._refuse(400, wrong)
        elif path == f"/api/bot/game/{GAME}/resign":
            table.resign()
            self._answer({"ok": True})
        elif path == f"/api/bot/game/{GAME}/chat":
            table.chat += parse_qs(body)["text"]
            self._answer({"ok": True})
        else:
            self._refuse(404, "No such endpoint")

    def _allowed(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self._refuse(401, "No such token")
        return False

    def _refuse(self, code: int, why: str) -> None:
        self.table.refused.append(f"{self.command} {self.path}: {why}")
        self._answer({"error": why}, code)

    def _answer(self, told: Json, code: int = 200) -> None:
        body = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, lines: SimpleQueue[Json | None]) -> None:
        """A line of JSON each, an empty one where there is nothing to tell, until there is a None."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        told: Json | None = {}
        while told is not None:
            try:
                told = lines.get(timeout=KEEP_ALIVE_SECONDS)
            except Empty:
                told = {}
            line = b"" if told is None else (json.dumps(told).encode() if told else b"") + b"\n"
            chunk = b"%x\r\n%s\r\n" % (len(line), line)
            self.wfile.write(chunk if line else b"0\r\n\r\n")
