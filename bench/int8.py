"""The bundled form of a net, int8, against float32 in onnxruntime and torch eager: one thread, in one run."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from bench.timing import seconds
from zeroply.corpus.told import told
from zeroply.games import Game, Position, Rows, game_named, stack
from zeroply.players.base import Network
from zeroply.players.load import load_network
from zeroply.recipes import find_recipe, save
from zeroply.training.export import export

LOOKS, POSITIONS, BATCH = 10, 2_000, 64


def positions_of(game: Game) -> list[Position]:
    """Of random games, with their past."""
    chance, position, found = random.Random(0), game.start(), list[Position]()  # noqa: S311 - a sample, no secret
    while len(found) < POSITIONS:
        found.append(position)
        position = position.play(chance.choice(position.legal().tolist()))
        if position.result() is not None:
            position = game.start()
    return found


def main() -> None:
    game = game_named("chess")
    with TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "model.safetensors"
        save(find_recipe("intuition").make(game, {}), checkpoint, {})  # untrained: it takes the same time
        export(checkpoint, Path(folder) / "float32.onnx")
        export(checkpoint, Path(folder) / "int8.onnx", int8=True)
        eager = load_network(str(checkpoint), threads=1)
        nets = {name: load_network(f"{folder}/{name}.onnx") for name in ("float32", "int8")}
        positions = positions_of(game)

        def tokenised(some: list[Position]) -> Rows:
            return stack([position.row(eager.history) for position in some]) | told(len(some))

        def one(net: Network) -> float:
            return seconds(lambda: [net(tokenised([at])) for at in positions[:LOOKS]]) / LOOKS

        def many(net: Network) -> float:
            parts = [positions[at : at + BATCH] for at in range(0, POSITIONS, BATCH)]
            return seconds(lambda: [net(tokenised(part)) for part in parts], tries=1)

        threads = torch.get_num_threads()
        tokenising = seconds(lambda: [tokenised([at]) for at in positions[:LOOKS]]) / LOOKS
        alone, together = one(eager), many(eager)
        for name, net in nets.items():
            looked, batched = one(net), many(net)
            print(
                f"{name}, {threads} thread: one position {1000 * looked:.1f} ms, {looked / alone:.2f}× torch "
                f"eager's time, tokenising {tokenising / looked:.1%} of it; {POSITIONS:,} positions "
                f"in batches of {BATCH} {batched:.1f} s, {together / batched:.1f}× torch eager's speed"
            )
