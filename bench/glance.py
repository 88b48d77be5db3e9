"""One look at one position: onnxruntime on one thread. `python -m bench.glance [MODEL …]`: the bundled net
for chess, or a move of each model by turns."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import chess.pgn

from bench.timing import seconds
from zeroply.corpus.told import told
from zeroply.games import Position, game_named
from zeroply.players import NetPlayer, player_of
from zeroply.players.load import load_network

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
LOOKS = 50
ROUNDS = 3


def main(*models: str) -> None:
    if models:
        for model, time in milliseconds({model: model for model in models}).items():
            print(f"{model}: {time:.1f} ms a move")
        return
    player = player_of(load_network("chess"))
    position = game_named("chess").start()
    row = position.row(player.network.history) | told(1, **player.told)
    whole = seconds(lambda: [player.glance([position]) for _ in range(LOOKS)]) / LOOKS
    net = seconds(lambda: [player.network(row) for _ in range(LOOKS)]) / LOOKS
    print(f"one glance: {1000 * whole:.1f} ms, of which the net {net / whole:.0%}")


def milliseconds(models: Mapping[str, str]) -> dict[str, float]:
    """How long each takes to choose a move in chess, in positions of a game: the best of some turns."""
    positions = list(islice(_positions(), 10, 60, 5))
    players = {name: player_of(load_network(model)) for name, model in models.items()}
    best = dict.fromkeys(models, float("inf"))
    for _ in range(ROUNDS):
        for name, player in players.items():
            taken = seconds(partial(_choose, player, positions), tries=1)
            best[name] = min(best[name], 1000 * taken / len(positions))
    return best


def _positions() -> list[Position]:
    """Of the first game of the sample."""
    with SAMPLE.open(encoding="utf-8") as games:
        game = chess.pgn.read_game(games)
    assert game is not None
    rules = game_named("chess")
    found = [rules.start()]
    for move in game.mainline_moves():
        found.append(found[-1].play(rules.moves.number(move.uci())))
    return found


def _choose(player: NetPlayer, positions: Sequence[Position]) -> None:
    for position in positions:
        player.choose([position])


if __name__ == "__main__":
    main(*sys.argv[1:])
