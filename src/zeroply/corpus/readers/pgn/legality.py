"""Whether the moves of many games are legal: all games are replayed in step and every move is looked at by
compiled code; position by position where numba is not installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.pgn.lines import Line
from zeroply.corpus.replay import Starts, replay
from zeroply.errors import IllegalMoveError, MissingExtraError, PositionError
from zeroply.games import Game, Position


def judged(game: Game, lines: Sequence[Line | str], fens: Sequence[str | None]) -> list[Line | str]:
    """The lines whose moves are legal from their start positions; for the others the reason."""
    flaws = {at: line for at, line in enumerate(lines) if isinstance(line, str)}
    games = {at: line.moves for at, line in enumerate(lines) if not isinstance(line, str)}
    starts = {at: fen for at, fen in enumerate(fens) if fen is not None and at in games}
    for at, fen in list(starts.items()):
        try:
            game.start(fen)
        except PositionError as error:
            flaws[at] = str(error)
            del games[at], starts[at]
    if games:
        flaws |= flaws_in(game, games, starts)
    return [flaws.get(at, line) for at, line in enumerate(lines)]


def flaws_in(
    game: Game, games: Mapping[int, NDArray[np.uint16]], starts: Mapping[int, str]
) -> dict[int, str]:
    """For each game with an illegal move: which one that is, and where. `starts` has the FENs of those that
    do not begin with the usual position."""
    try:
        return _in_step(game, games, starts)
    except MissingExtraError:
        found = {at: _one_by_one(moves, game.start(starts.get(at))) for at, moves in games.items()}
        return {at: flaw for at, flaw in found.items() if flaw is not None}


def _in_step(
    game: Game, games: Mapping[int, NDArray[np.uint16]], starts: Mapping[int, str]
) -> dict[int, str]:
    numbers, lengths = list(games), np.array(list(map(len, games.values())), np.int64)
    moves = np.concatenate(list(games.values())).astype(np.int16)
    own = np.array([at for at, number in enumerate(numbers) if number in starts], np.int64)
    state = game.rows([starts[numbers[at]] for at in own])
    # what follows an illegal move makes no sense, and does no harm
    replayed = replay(game, moves, lengths, Starts(games=own, state=state))
    bad = np.flatnonzero(~game.allows(replayed.state, moves))
    which, first = np.unique(replayed.game[bad], return_index=True)
    at = bad[first]
    fens = game.fens({name: column[at] for name, column in replayed.state.items()})
    plies = (at - replayed.first[at]).tolist()
    return {
        numbers[place]: _flaw(ply, f"{game.moves.names[move]} is not legal in {fen}")
        for place, ply, move, fen in zip(which.tolist(), plies, moves[at].tolist(), fens, strict=True)
    }


def _one_by_one(moves: NDArray[np.uint16], position: Position) -> str | None:
    for ply, move in enumerate(moves.tolist()):
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            return _flaw(ply, str(error))
    return None


def _flaw(ply: int, reason: str) -> str:
    return f"ply {ply + 1}: {reason}"
