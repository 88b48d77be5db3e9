"""Records of another game than the one asked for, by their tags."""

from __future__ import annotations

from collections.abc import Mapping

from zeroply.games import Game, all_games


def foreign(tags: Mapping[str, str], game: Game) -> str | None:
    """What game a record is of, if it says so and that is another. Variant always counts; Game does if it
    names a game that we know, for in chess it may say anything."""
    variant, title = tags.get("Variant"), tags.get("Game", "").lower()
    if variant is not None and variant.lower() not in game.titles:
        return f"it is a game of {variant}"
    others = [other.name for other in all_games() if title in other.titles - game.titles]
    return f"it is a game of {others[0]}" if others else None
