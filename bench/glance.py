"""One look at one position with the bundled model, row and all: onnxruntime on one thread."""

from bench.timing import seconds
from zeroply.corpus.told import told
from zeroply.games import game_named
from zeroply.players import player_of
from zeroply.players.load import load_network

LOOKS = 50


def main() -> None:
    player = player_of(load_network("chess"))
    position = game_named("chess").start()
    row = position.row(player.network.history) | told(1, **player.told)
    whole = seconds(lambda: [player.glance([position]) for _ in range(LOOKS)]) / LOOKS
    net = seconds(lambda: [player.network(row) for _ in range(LOOKS)]) / LOOKS
    print(f"one glance: {1000 * whole:.1f} ms, of which the net {net / whole:.0%}")
