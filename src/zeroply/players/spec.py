"""A player on a command line: a MODEL, `random`, `greedy`, an engine (`uci:`, `ucci:`), with options."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.players.base import Player
from zeroply.players.dialects import UCCI, UCI, Dialect
from zeroply.players.drawing import MOST_TEMPERATURE
from zeroply.players.engine import EnginePlayer, Limits
from zeroply.players.kinds import player_of
from zeroply.players.load import UnknownModelError, network_for
from zeroply.players.net import NetPlayer
from zeroply.players.ratings import asked
from zeroply.players.rules import Help
from zeroply.players.simple import GreedyPlayer, RandomPlayer

EXAMPLES = (
    "a MODEL (a bundled name, a run folder, a checkpoint or an .onnx file), random, greedy, "
    "or an engine: 'uci:stockfish depth=5 UCI_Elo=1500', 'ucci:…'"
)
DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (UCI, UCCI)}
"""By what stands before an engine's name and a colon."""


@dataclass(frozen=True)
class Number:
    """What an option may be."""

    kind: type[int] | type[float]
    low: float
    high: float


SEED = {"seed": Number(int, 0, 2**63 - 1)}
MODEL = {
    "temperature": Number(float, 0, MOST_TEMPERATURE),
    "top_p": Number(float, 0, 1),
    "rating": Number(int, 0, 4000),
    **SEED,
}
LIMITS = {name: Number(int, 1, 2**63 - 1) for name in ("depth", "nodes", "movetime")}


def parse_player(text: str, game: Game, *, helps: Sequence[Help] = ()) -> Player:
    """The player of `game` that a text means, ready to play; its name is the text.

    Models get the `helps` of the rules. Options are `name=value`, quoted where they hold a space. An engine
    takes depth, nodes and movetime (milliseconds); its other words are its command line up to the first
    option, then options of its own.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ZeroplyError(f"'{text}' is not a player: {error}. Quotes go in pairs") from None
    if not words:
        raise ZeroplyError(f"no player is named. A player is {EXAMPLES}")
    kind, rest = words[0], words[1:]
    language, colon, program = kind.partition(":")
    if colon and language in DIALECTS:
        return _engine(text, game, DIALECTS[language], [program, *rest])
    if kind == "random":
        return RandomPlayer(name=text, **_numbers(_pairs(rest, text), SEED, text))
    if kind == "greedy":
        return GreedyPlayer(name=text, **_numbers(_pairs(rest, text), SEED, text))
    options = _numbers(_pairs(rest, text), MODEL, text)
    try:
        network = network_for(kind, game)
    except UnknownModelError:
        raise ZeroplyError(f"there is no player '{kind}'. A player is {EXAMPLES}") from None
    asked(network, options.get("rating"), f"rating={options.get('rating')} in player '{text}'")
    return player_of(network, name=text, helps=helps, **options)


def mode_of(player: Player) -> str | None:
    """`best` or `human` for a net, by whether it plays like someone of a rating; None for others. A net that
    saw no ratings has one way to play, its best."""
    if not isinstance(player, NetPlayer):
        return None
    return "best" if player.rating is None else "human"


def look_of(player: Player) -> str | None:
    """What a net's player looks at; None for others."""
    return player.look if isinstance(player, NetPlayer) else None


def _engine(text: str, game: Game, dialect: Dialect, words: Sequence[str]) -> EnginePlayer:
    if not words[0]:
        raise ZeroplyError(f"'{text}' names no engine. A player is {EXAMPLES}")
    # An engine may itself be a command with arguments: uci:python3 engine.py --book=x depth=5
    arguments = 1
    while arguments < len(words) and ("=" not in words[arguments] or words[arguments].startswith("-")):
        arguments += 1
    options = _pairs(words[arguments:], text)
    limits = {name: options.pop(name) for name in LIMITS if name in options}
    if any(name.lower() == "uci_elo" for name in options):
        options.setdefault("UCI_LimitStrength", "true")
    return EnginePlayer(
        words[:arguments],
        game,
        dialect=dialect,
        name=text,
        limits=Limits(**_numbers(limits, LIMITS, text)),
        options=options,
    )


def _pairs(words: Sequence[str], text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise ZeroplyError(f"what is '{word}' in player '{text}'? Options look like name=value")
        pairs[name] = value
    return pairs


def _numbers(pairs: Mapping[str, str], known: Mapping[str, Number], text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs.items():
        if name not in known:
            raise ZeroplyError(f"unknown option '{name}' in player '{text}'. Known: {', '.join(known)}")
        number = known[name]
        try:
            values[name] = number.kind(value)
        except ValueError:
            values[name] = math.nan
        if not number.low <= values[name] <= number.high:
            wanted = "a whole number" if number.kind is int else "a number"
            raise ZeroplyError(
                f"{name}={value} in player '{text}' is not {wanted} from {number.low:g} to {number.high:g}"
            )
    return values
