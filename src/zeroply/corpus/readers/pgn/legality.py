"""Whether the moves of many games are legal: all games are replayed in step and every move is looked at by
compiled code; position by position where numba is not installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.readers.pgn.lines import Line
from zeroply.corpus.replay import Starts, replay
from zeroply.errors import IllegalMoveError, MissingExtraError
from zeroply.games import Game, Position


def judged(game: Game, lines: Sequence[Line | str], fens: Sequence[str | None]) -> list[Line | str]:
    """The lines whose moves are legal from their start positions; for the others the reason."""
    flaws = {at: line for at, line in enumerate(lines) if isinstance(line, str)}
    told = {at: fen for at, fen in enumerate(fens) if fen is not None and at not in flaws}
    state, bad = game.examined(list(told.values()))
    flaws |= {at: bad[place] for place, at in enumerate(told) if place in bad}
    games = {at: line.moves for at, line in enumerate(lines) if at not in flaws and not isinstance(line, str)}
    if games:
        own = np.array([place for place, at in enumerate(games) if at in told], np.int64)
        flaws |= flaws_in(game, games, Starts(games=own, state=state))
    return [flaws.get(at, line) for at, line in enumerate(lines)]


def flaws_in(game: Game, games: Mapping[int, NDArray[np.uint16]], starts: Starts) -> dict[int, str]:
    """For each game with an illegal move: which one that is, and where. `starts` counts the games by their
    place among those given."""
    try:
        return _in_step(game, games, starts)
    except MissingExtraError:
        first = dict.fromkeys(range(len(games)), game.start())
        for row, place in enumerate(starts.games.tolist()):
            first[place] = game.restore({name: column[[row]] for name, column in starts.state.items()})
        found = {at: _one_by_one(moves, first[place]) for place, (at, moves) in enumerate(games.items())}
        return {at: flaw for at, flaw in found.items() if flaw is not None}


def _in_step(game: Game, games: Mapping[int, NDArray[np.uint16]], starts: Starts) -> dict[int, str]:
    numbers, lengths = list(games), np.array(list(map(len, games.values())), np.int64)
    moves = np.concatenate(list(games.values())).astype(np.int16)
    # what follows an illegal move makes no sense, and does no harm
    replayed = replay(game, moves, lengths, starts)
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
