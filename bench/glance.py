"""One look at one position: onnxruntime on one thread. `python -m bench.glance [MODEL …]`: the bundled net
for chess, or a move of each model by turns."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from bench.timing import seconds
from zeroply.corpus.readers import read
from zeroply.corpus.score import Score
from zeroply.corpus.told import told
from zeroply.games import Game, Position, game_named
from zeroply.players import NetPlayer, player_of
from zeroply.players.load import load_network

EXAMPLES = Path(__file__).parent.parent / "examples"
SAMPLES = {"chess": EXAMPLES / "games.pgn", "xiangqi": EXAMPLES / "xiangqi.pgn"}
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
    """How long each takes to choose a move, in positions of a game that it plays: the best of some turns."""
    players = {name: player_of(load_network(model)) for name, model in models.items()}
    positions = {
        name: list(islice(sample_positions(player.network.game), 10, 60, 5))
        for name, player in players.items()
    }
    best = dict.fromkeys(models, float("inf"))
    for _ in range(ROUNDS):
        for name, player in players.items():
            taken = seconds(partial(_choose, player, positions[name]), tries=1)
            best[name] = min(best[name], 1000 * taken / len(positions[name]))
    return best


def sample_positions(game: Game) -> Iterator[Position]:
    """Of the first game of the sample."""
    score = next(read(SAMPLES[game.name], game))
    assert isinstance(score, Score)
    position = game.start(score.start)
    for move in score.moves:
        yield position
        position = position.play(int(move))


def _choose(player: NetPlayer, positions: Sequence[Position]) -> None:
    for position in positions:
        player.choose([position])


if __name__ == "__main__":
    main(*sys.argv[1:])
