"""Records of another game than the one asked for, by their tags."""

from __future__ import annotations

from zeroply.corpus.readers.pgn.headers import Columns
from zeroply.errors import shortened
from zeroply.games import Game, all_games


def foreign(tags: Columns, game: Game) -> dict[int, str]:
    """What game a record is of, if it says so and that is another. Variant always counts; Game does if it
    names a game that we know, for in chess it may say anything."""
    names = [name for name in ("Variant", "Game") if name in tags]
    told = zip(*(tags[name] for name in names), strict=True)
    known = {values: _foreign(dict(zip(names, values, strict=True)), game) for values in set(told)}
    if not any(known.values()):
        return {}
    told = zip(*(tags[name] for name in names), strict=True)
    return {at: flaw for at, values in enumerate(told) if (flaw := known[values]) is not None}


def _foreign(tags: dict[str, str | None], game: Game) -> str | None:
    told = [value.lower() for value in tags.values() if value is not None]
    for other in all_games():
        if other.name != game.name and not other.titles.isdisjoint(told):
            return f"it is a game of {other.name}: read it with --game {other.name}"
    variant = tags.get("Variant")
    return None if not variant or variant.lower() in game.titles else f"it is a game of {shortened(variant)}"
