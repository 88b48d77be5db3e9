"""The stamp on every corpus and model: for which game, and for which move table, its numbers are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zeroply.errors import ArtefactError
from zeroply.games.base import Game


def stamp(game: Game) -> dict[str, Any]:
    """What a corpus or model says of the numbers that it holds."""
    return {"game": game.name, "moves": len(game.moves), "digest": game.moves.digest}


def check_stamp(found: Mapping[str, Any], game: Game, what: str) -> None:
    if found.get("digest") != game.moves.digest:
        raise ArtefactError(
            f"{what} was made for move table {found.get('digest')} ({found.get('game')}, "
            f"{found.get('moves')} moves); this program has {game.moves.digest} ({game.name}, "
            f"{len(game.moves)} moves). Build or train it again with this version"
        )
