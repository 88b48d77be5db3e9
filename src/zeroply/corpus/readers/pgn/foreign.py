"""Records of another game than the one asked for, by their tags."""

from __future__ import annotations

from collections.abc import Mapping

from zeroply.games import Game, all_games


def foreign(tags: Mapping[str, str], game: Game) -> str | None:
    """What game a record is of, if it says so and that is another. Variant always counts; Game does if it
    names a game that we know, for in chess it may say anything."""
    if "Variant" not in tags and "Game" not in tags:
        return None
    told = [tags[name].lower() for name in ("Variant", "Game") if name in tags]
    for other in all_games():
        if other.name != game.name and not other.titles.isdisjoint(told):
            return f"it is a game of {other.name}: read it with --game {other.name}"
    variant = tags.get("Variant")
    return None if variant is None or variant.lower() in game.titles else f"it is a game of {variant}"
