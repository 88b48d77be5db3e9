"""A stand-in for lichess-bot, which no package registry has: what it does with an engine, in our own words.

After lib/engine_wrapper.py and lib/lichess_bot.py of github.com/lichess-bot-devs/lichess-bot as of 2025: how
an engine is started and told its options, what time it is given, what is asked of a homemade class, when the
bot resigns. Left out is what an engine does not notice: matchmaking, books, logs, several games at a time.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import chess
from chess.engine import INFO_ALL, Limit, Mate, Opponent, Option, PlayResult, PovScore, SimpleEngine

Json = dict[str, Any]
FIRST_MOVE_SECONDS = 10
"""lichess-bot gives that much to the first move of each side, whose clock does not run yet."""


class EngineWrapper:
    """What UCI engines and homemade ones have in common."""

    engine: Any

    def __init__(self, options: Json, draw_or_resign: Mapping[str, Any]) -> None:
        self.scores: list[PovScore] = []
        self.draw_or_resign = draw_or_resign
        self.go_commands: Json = options.pop("go_commands", None) or {}

    def search(
        self, board: chess.Board, time_limit: Limit, ponder: bool, draw_offered: bool, root_moves: object
    ) -> PlayResult:
        if (most := self.go_commands.get("movetime")) is not None:
            time_limit.time = min(time_limit.time or most / 1000, most / 1000)
        time_limit.depth, time_limit.nodes = self.go_commands.get("depth"), self.go_commands.get("nodes")
        moves = root_moves if isinstance(root_moves, list) else None
        result: PlayResult = self.engine.play(
            board, time_limit, info=INFO_ALL, ponder=ponder, draw_offered=draw_offered, root_moves=moves
        )
        self.scores.append(result.info.get("score", PovScore(Mate(1), board.turn)))
        return self.offer_draw_or_resign(result, board)

    def offer_draw_or_resign(self, result: PlayResult, board: chess.Board) -> PlayResult:
        count, least = (
            self.draw_or_resign.get("resign_moves", 3),
            self.draw_or_resign.get("resign_score", -1000),
        )
        last = [score.relative.score(mate_score=40000) for score in self.scores[-count:]]
        if self.draw_or_resign.get("resign_enabled") and len(last) == count and max(last) <= least:
            result.resigned = True
        return result


class UCIEngine(EngineWrapper):
    def __init__(
        self,
        commands: list[str],
        options: Json,
        stderr: int | None,
        draw_or_resign: Mapping[str, Any],
        game: Json | None,
        **popen_args: Any,
    ) -> None:
        super().__init__(options, draw_or_resign)
        self.engine = SimpleEngine.popen_uci(commands, timeout=10, setpgrp=True, stderr=stderr, **popen_args)
        try:
            self.engine.configure(options)
        except Exception:
            self.engine.close()
            raise


class MinimalEngine(EngineWrapper):
    """What homemade engines derive from."""

    def __init__(
        self,
        commands: list[str],
        options: Json,
        stderr: int | None,
        draw_or_resign: Mapping[str, Any],
        game: Json | None = None,
        name: str | None = None,
        **popen_args: Any,
    ) -> None:
        super().__init__(options, draw_or_resign)
        self.engine = FillerEngine(self, type(self).__name__ if name is None else name)

    def search(
        self, board: chess.Board, time_limit: Limit, ponder: bool, draw_offered: bool, root_moves: object
    ) -> PlayResult:
        raise NotImplementedError

    def notify(self, method_name: str, *args: Any, **named: Any) -> Any:
        """Hears what is asked of `engine`, and need not care."""


class FillerEngine:
    """Has all methods, and passes their calls on."""

    def __init__(self, main_engine: MinimalEngine, name: str) -> None:
        self.id, self.name, self._main = {"name": name}, name, main_engine

    def __getattr__(self, method_name: str) -> Any:
        return lambda *args, **named: self._main.notify(method_name, *args, **named)


def create_engine(engine: Json, game: Json | None) -> EngineWrapper:
    """As the section `engine` of config.yml says."""
    path = Path(engine["dir"]) / engine["name"]
    kind: Any
    if engine["protocol"] == "homemade":
        kind = getattr(importlib.import_module("homemade"), engine["name"])
    else:
        assert engine["protocol"] == "uci"
        assert path.is_file(), f"The engine {path} file does not exist."
        assert os.access(path, os.X_OK)
        kind = UCIEngine
    given = engine.get(f"{engine['protocol']}_options") or {}
    options = {
        name: value
        for name, value in given.items()
        if not Option(name, "", None, None, None, None).is_managed()
    }
    working_dir = engine.get("working_dir") or str(Path.cwd())
    made: EngineWrapper = kind(
        [str(path.absolute())], options, None, engine.get("draw_or_resign") or {}, game, cwd=working_dir
    )
    return made


class Lichess:
    """Requests to the API, and its streams."""

    def __init__(self, url: str, token: str) -> None:
        self._host, self._token = urlsplit(url).netloc, token

    def get(self, path: str) -> Json:
        return self._ask("GET", path)

    def post(self, path: str, body: str = "") -> Json:
        return self._ask("POST", path, body)

    def stream(self, path: str) -> Iterator[Json]:
        """Each line that tells something, until the server ends it."""
        with closing(self._connection("GET", path)) as connection:
            response = connection.getresponse()
            assert response.status == 200, response.read()
            while line := response.readline():
                if line.strip():
                    yield json.loads(line)

    def _ask(self, method: str, path: str, body: str = "") -> Json:
        with closing(self._connection(method, path, body)) as connection:
            response = connection.getresponse()
            told: Json = json.loads(response.read())
            assert response.status == 200, told
            return told

    def _connection(self, method: str, path: str, body: str = "") -> HTTPConnection:
        connection = HTTPConnection(self._host, timeout=60)
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request(method, path, body, headers)
        return connection


def run(config: Json) -> list[EngineWrapper]:
    """Accept challenges and play games until the stream of events ends; the engines that have played. One is
    made before, for nothing, so that a wrong configuration is seen at once."""
    _stop(create_engine(config["engine"], None))
    lichess = Lichess(config["url"], config["token"])
    token = lichess.post("/api/token/test", config["token"])[config["token"]]
    assert "bot:play" in token["scopes"].split(",")
    profile = lichess.get("/api/account")
    assert profile["title"] == "BOT"
    played = []
    for event in lichess.stream("/api/stream/event"):
        if event["type"] == "challenge":
            challenge = event["challenge"]
            assert challenge["variant"]["key"] in config["challenge"]["variants"], "declined"
            lichess.post(f"/api/challenge/{challenge['id']}/accept")
        elif event["type"] == "gameStart":
            played.append(play_game(lichess, event["game"]["id"], config, profile["username"]))
    return played


def play_game(lichess: Lichess, game_id: str, config: Json, username: str) -> EngineWrapper:
    updates = lichess.stream(f"/api/bot/game/stream/{game_id}")
    game = next(updates)
    white = game["white"]["name"] == username
    other = game["black" if white else "white"]
    engine = create_engine(config["engine"], game)
    with closing(engine.engine):  # as lichess-bot does after a mishap; otherwise the engine has quit
        opponent = Opponent(other["name"], other["title"], other["rating"], other["title"] == "BOT")
        engine.engine.send_opponent_information(opponent=opponent, engine_rating=1500)
        seen: str | None = None
        for state in chain([game["state"]], updates):
            if state["type"] != "gameState":
                continue
            board = chess.Board() if game["initialFen"] == "startpos" else chess.Board(game["initialFen"])
            for move in state["moves"].split():
                board.push_uci(move)
            if state["status"] != "started":
                engine.engine.send_game_result(board)
                farewell = urlencode({"room": "player", "text": "Good game!"})
                lichess.post(f"/api/bot/game/{game_id}/chat", farewell)
            elif board.turn == white and state["moves"] != seen:
                _move(engine, board, state, lichess, game_id, config)
            seen = state["moves"]
        _stop(engine)
    return engine


def _stop(engine: EngineWrapper) -> None:
    engine.engine.ping()
    engine.engine.quit()


def _move(
    engine: EngineWrapper, board: chess.Board, state: Json, lichess: Lichess, game_id: str, config: Json
) -> None:
    ponder = bool(config["engine"].get("ponder")) and len(board.move_stack) >= 2
    result = engine.search(board, _limit(board, state, config), ponder, False, PlayResult(None, None))
    if result.resigned and len(board.move_stack) >= 2:
        lichess.post(f"/api/bot/game/{game_id}/resign")
        return
    assert board.variation_san(result.info["pv"])  # lichess-bot keeps it as the move's comment
    offering = str(result.draw_offered).lower()
    lichess.post(f"/api/bot/game/{game_id}/move/{result.move}?offeringDraw={offering}")


def _limit(board: chess.Board, state: Json, config: Json) -> Limit:
    if len(board.move_stack) < 2:
        return Limit(time=FIRST_MOVE_SECONDS)
    own = "wtime" if board.turn else "btime"
    times = {name: state[name] for name in ("wtime", "btime")}
    times[own] = max(1, times[own] - config["move_overhead"])
    return Limit(
        white_clock=times["wtime"] / 1000,
        black_clock=times["btime"] / 1000,
        white_inc=state["winc"] / 1000,
        black_inc=state["binc"] / 1000,
    )
