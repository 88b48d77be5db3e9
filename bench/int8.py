"""The bundled form of a net, int8, against float32 in onnxruntime and torch eager: one thread, in one run."""

from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from bench.timing import seconds
from zeroply.corpus.told import told
from zeroply.games import Rows, game_named, stack
from zeroply.players.base import Network
from zeroply.players.load import load_network
from zeroply.recipes import find_recipe, save
from zeroply.training.export import export

LOOKS, BATCH = 10, 64


def main() -> None:
    game = game_named("chess")
    with TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "model.safetensors"
        save(find_recipe("intuition").make(game, {}), checkpoint, {})  # untrained: it takes the same time
        export(checkpoint, Path(folder) / "float32.onnx")
        export(checkpoint, Path(folder) / "int8.onnx", int8=True)
        eager = load_network(str(checkpoint), threads=1)
        nets = {name: load_network(f"{folder}/{name}.onnx") for name in ("float32", "int8")}
        start = game.start()

        def tokenised(count: int) -> Rows:
            return stack([start.row(eager.history) for _ in range(count)]) | told(count)

        rows = tokenised(BATCH)

        def one(net: Network) -> float:
            return seconds(lambda: [net(tokenised(1)) for _ in range(LOOKS)]) / LOOKS

        def many(net: Network) -> float:
            return seconds(lambda: net(rows)) / BATCH

        threads = torch.get_num_threads()
        tokenising = seconds(lambda: [tokenised(1) for _ in range(LOOKS)]) / LOOKS
        alone, together = one(eager), many(eager)
        for name, net in nets.items():
            looked, batched = one(net), many(net)
            print(
                f"{name}, {threads} thread: one position {1000 * looked:.1f} ms, {looked / alone:.2f}× torch "
                f"eager's time, tokenising {tokenising / looked:.1%} of it; in batches of {BATCH} "
                f"{together / batched:.1f}× torch eager's speed"
            )
