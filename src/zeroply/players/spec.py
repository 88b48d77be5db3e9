"""A player on a command line: a MODEL, `random`, `greedy`, an engine (`uci:`, `ucci:`), with options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroply.artefacts import digest_of
from zeroply.errors import ZeroplyError
from zeroply.games import Game, game_named
from zeroply.players.base import Network, Player
from zeroply.players.conversation import PATIENCE
from zeroply.players.dialects import Dialect, language_of
from zeroply.players.engine import EnginePlayer
from zeroply.players.load import UnknownModelError, model_file, network_for, unknown
from zeroply.players.model_spec import SEED, ModelSpec, spec_words
from zeroply.players.net import NetPlayer
from zeroply.players.program import pairs, program_of, values_of
from zeroply.players.rules import Help
from zeroply.players.simple import PLAYERS

EXAMPLES = (
    "a MODEL (a bundled name, a run folder, a checkpoint or an .onnx file), random, greedy, "
    "or an engine: 'uci:stockfish depth=5 UCI_Elo=1500', 'ucci:…'"
)


def parse_player(
    text: str,
    game: Game,
    *,
    helps: Sequence[Help] = (),
    patience: float = PATIENCE,
    threads: int | None = None,
) -> Player:
    """The player of `game` that a text means, ready to play; its name is the text.

    Models get the `helps` of the rules, and run on so many `threads` as `load_network` has it. Options are
    `name=value`, quoted where they hold a space. An engine takes depth, nodes and movetime (milliseconds);
    its other words are its command line up to the first option, then options of its own; one that is silent
    for longer than `patience` seconds has failed.
    """
    model = model_asked(text, game, threads=threads)
    if model is not None:
        spec, network = model
        return spec.player(network, helps=helps)
    kind, *rest = spec_words(text)
    dialect, program = language_of(kind)
    if dialect is not None:
        return _engine(text, game, dialect, [program, *rest], patience)
    return PLAYERS[kind](name=text, **values_of(pairs(rest, text), SEED, text))


def players_game(texts: Sequence[str], asked: str | None) -> Game:
    """What these players are to play: the game that is asked for, else that of the first model among them,
    else chess."""
    if asked is not None:
        return game_named(asked)
    for text in texts:
        model = model_asked(text, None)
        if model is not None:
            return model[1].game
    return game_named("chess")


def model_asked(
    text: str, game: Game | None, *, threads: int | None = None
) -> tuple[ModelSpec, Network] | None:
    """The model that a text means, with its net, of that game or any; None where it means a player of another
    kind."""
    words = spec_words(text)
    if not words:
        raise ZeroplyError(f"no player is named. A player is {EXAMPLES}")
    if words[0] in PLAYERS or language_of(words[0])[0] is not None:
        return None
    spec = ModelSpec.of(text)
    try:
        return spec, network_for(spec.model, game, threads=threads)
    except UnknownModelError:
        raise ZeroplyError(f"{unknown(spec.model, 'player')}. A player is {EXAMPLES}") from None


def mode_of(player: Player) -> str | None:
    """`best` or `human` for a net, by whether it plays like someone of a rating; None for others. A net that
    saw no ratings has one way to play, its best."""
    if not isinstance(player, NetPlayer):
        return None
    return "best" if player.rating is None else "human"


def look_of(player: Player) -> str | None:
    """What a net's player looks at; None for others."""
    return player.look if isinstance(player, NetPlayer) else None


def temperature_of(player: Player) -> float | None:
    """That at which a net's player draws; None for others."""
    return player.drawing.temperature if isinstance(player, NetPlayer) else None


def rules_of(player: Player) -> bool | None:
    """Whether a net's player has the rules' help; None for others, who have none to get."""
    return bool(player.helps) if isinstance(player, NetPlayer) else None


def about(player: Player) -> dict[str, Any]:
    """What every report tells of a player."""
    return {
        "program": identity_of(player),
        "mode": mode_of(player),
        "look": look_of(player),
        "temperature": temperature_of(player),
        "rules": rules_of(player),
    }


def identity_of(player: Player) -> str:
    """Which program or net a player of `parse_player` is: with its version, or its file's digest."""
    if isinstance(player, EnginePlayer):
        return player.identity
    if isinstance(player, NetPlayer):
        return net_identity(spec_words(player.name)[0], player.network)
    return player.name


def net_identity(model: str, network: Network) -> str:
    """The net that MODEL means, by its recipe and its file's digest."""
    return f"{network.about.get('recipe', 'net')} {digest_of(model_file(model))[:12]}"


def _engine(text: str, game: Game, dialect: Dialect, words: Sequence[str], patience: float) -> EnginePlayer:
    if not words[0]:
        raise ZeroplyError(f"'{text}' names no engine. A player is {EXAMPLES}")
    program = program_of(words, text)
    return EnginePlayer(
        program.command,
        game,
        dialect=dialect,
        name=text,
        limits=program.limits,
        options=program.options,
        patience=patience,
    )
