"""A model within lichess-bot, as a homemade engine: no process of its own, the same options as by UCI.

lichess-bot is not imported here, because only its own folder has it: its homemade.py puts the two together,
`class Zeroply(Homemade, MinimalEngine)`. See docs/lichess.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import sleep
from typing import Any

import chess
import numpy as np
from chess.engine import Cp, InfoDict, Limit, Mate, PlayResult, PovScore, PovWdl, Wdl

from zeroply.apps import settings
from zeroply.apps.lines import thousandths
from zeroply.apps.position import position_of_board
from zeroply.errors import ZeroplyError
from zeroply.games import Position
from zeroply.games.chess import CHESS
from zeroply.players import Glance, NetPlayer
from zeroply.players.base import Network
from zeroply.players.expectation import centipawns
from zeroply.players.load import load_network
from zeroply.players.options import Value, text_of
from zeroply.players.pace import Clock
from zeroply.players.rules import ends_with


class Homemade:
    """What lichess-bot's MinimalEngine lacks; stands before it among the bases of one class. The options are
    those that `homemade_options` in config.yml holds."""

    scores: list[PovScore]
    """MinimalEngine's: what was thought of the positions so far."""
    offer_draw_or_resign: Callable[[PlayResult, chess.Board], PlayResult]
    """MinimalEngine's: what `draw_or_resign` in config.yml says, by these scores."""

    def __init__(self, commands: Any, options: dict[str, Any], *others: Any, **named: Any) -> None:
        super().__init__(commands, options, *others, **named)  # type: ignore[call-arg]  # it is MinimalEngine's
        self._network, self._values = opened({name: text_of(value) for name, value in options.items()})
        self._player: NetPlayer | None = None
        self._random = np.random.default_rng()

    def search(
        self, board: chess.Board, time_limit: Limit, ponder: bool, draw_offered: bool, root_moves: object
    ) -> PlayResult:
        """The move for a position; one of `root_moves` where that is a list."""
        position = position_of(board)
        if self._player is None:
            self._player = settings.player(self._network, self._values, position.ply)
        glance = self._player.glance([position])[0]
        if isinstance(root_moves, list):
            glance = glance.only(np.isin(glance.moves, [CHESS.from_uci(move.uci()) for move in root_moves]))
        move = self._player.pick(position, glance)
        clock = clock_of(time_limit, board.turn)
        sleep(settings.pause(self._values, clock, glance, self._random) or 0)
        told = info(position, glance, move, show_wdl=bool(self._values["UCI_ShowWDL"]))
        # Without a score, lichess-bot takes one by which nobody resigns or offers a draw.
        self.scores.append(told.get("score", PovScore(Mate(1), board.turn)))
        return self.offer_draw_or_resign(PlayResult(told["pv"][0], None, told), board)


def opened(texts: Mapping[str, str]) -> tuple[Network, dict[str, Value]]:
    """The model that the options name, and all options with their values."""
    common = settings.options("chess")
    values = {name: option.default for name, option in common.items()}
    values |= dict(
        settings.read(common, name, text) for name, text in texts.items() if settings.named(common, name)
    )
    network = load_network(str(values["Model"]), threads=settings.threads(values))
    if network.game.name != CHESS.name:
        raise ZeroplyError(
            f"the model '{values['Model']}' plays {network.game.name}, and lichess-bot plays chess. "
            "Name another as Model in homemade_options"
        )
    own = settings.options_of(network, ())
    values |= {name: option.default for name, option in own.items()}
    return network, values | dict(
        settings.read({**common, **own}, name, text) for name, text in texts.items()
    )


def position_of(board: chess.Board) -> Position:
    """The same position with our rules and all its past."""
    advice = "Leave standard and fromPosition alone among challenge: variants in config.yml"
    return position_of_board(CHESS, board, advice)


def clock_of(limit: Limit, white: bool) -> Clock:
    """The mover's time, in seconds there and milliseconds here."""
    left, increment = (limit.white_clock, limit.white_inc) if white else (limit.black_clock, limit.black_inc)
    return Clock(
        left=None if left is None else round(1000 * left),
        increment=round(1000 * (increment or 0)),
        moves_to_go=limit.remaining_moves,
        move_time=None if limit.time is None else round(1000 * limit.time),
    )


def info(position: Position, glance: Glance, move: int, *, show_wdl: bool) -> InfoDict:
    """What python-chess would have read from our UCI engine about the move that is played."""
    white = position.turn == 0
    at = int(np.flatnonzero(glance.moves == move)[0])
    name = CHESS.uci(move)
    told: InfoDict = {
        "string": f"{name} {glance.probabilities[at]:.2%}",
        "depth": 1,
        "seldepth": 1,
        "nodes": glance.shown,
        "pv": [chess.Move.from_uci(name)],
    }
    expected, wdl = glance.expected_of(at), glance.wdl_of(at)
    if ends_with(position, move, 1.0 - position.turn):
        told["score"] = PovScore(Mate(1), white)
    elif expected is not None:
        told["score"] = PovScore(Cp(centipawns(expected)), white)
    if wdl and show_wdl:
        told["wdl"] = PovWdl(Wdl(*thousandths(wdl)), white)
    return told
