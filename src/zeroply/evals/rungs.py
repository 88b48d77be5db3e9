"""The rungs of a ladder: one engine at rising UCI_Elo, with fixed nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.players import Player
from zeroply.players.dialects import language_of
from zeroply.players.engine import EnginePlayer
from zeroply.players.spec import parse_player

ENGINES: Mapping[str, str] = {"chess": "stockfish", "xiangqi": "fairy-stockfish"}
"""By game, where none is named."""
LIMIT = "UCI_Elo"


@dataclass(frozen=True)
class Climb:
    """Whom a ladder is played against."""

    scale: str
    """What its ratings mean."""
    rungs: Sequence[int]
    """From the lowest."""
    opponent: Callable[[int], Player]
    """A new one of that rating; who asks for it closes it."""

    @classmethod
    def of(
        cls,
        engine: str | None,
        game: Game,
        *,
        nodes: int,
        step: int,
        lowest: int | None = None,
        highest: int | None = None,
        patience: float,
    ) -> Climb:
        """Of an engine as on a command line, from its lowest strength to its highest if not said."""
        text = engine or ENGINES[game.name]
        dialect, _ = language_of(text)
        base = f"{text if dialect else f'uci:{text}'} nodes={nodes}"
        player = parse_player(base, game, patience=patience)
        with closing(player):
            # The text names a language of engines, so it is one.
            allowed = player.range_of(LIMIT) if isinstance(player, EnginePlayer) else None
            identity = player.identity if isinstance(player, EnginePlayer) else player.name
        if allowed is None:
            raise ZeroplyError(
                f"{identity} has no option {LIMIT}, and cannot limit its strength. Choose another --engine"
            )
        low, high = (
            one if given is None else given for one, given in zip(allowed, (lowest, highest), strict=True)
        )
        if not allowed[0] <= low <= high <= allowed[1]:
            raise ZeroplyError(
                f"rungs from {low} to {high} will not do: {identity} plays at {LIMIT} {allowed[0]} to "
                f"{allowed[1]}. Choose --lowest and --highest there"
            )
        return cls(
            f"{identity} {LIMIT} at {nodes:,} nodes",
            range(low, high + 1, step),
            lambda rung: parse_player(f"{base} {LIMIT}={rung}", game, patience=patience),
        )
