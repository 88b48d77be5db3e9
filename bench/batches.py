"""Shuffled batches on one core, from games on disk that the system has not cached, replay and all.

A corpus larger than memory is simulated: the sample's games, many times over in random order, on disk, and
before every block the system is told to drop the corpus's pages (posix_fadvise), so that each run of games is
read anew. What the disk itself may cache is beyond our reach.
"""

import gc
import os
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from zeroply.artefacts import write_json
from zeroply.corpus.build import build
from zeroply.corpus.sample.mixing import Batches
from zeroply.corpus.sample.shuffle import Block, Draw, Shuffle, Stream
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.games import game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
POSITIONS = 200_000_000
BATCH, HISTORY = 1024, 4
BLOCK = 2**20
BLOCKS = 2
RUN = 2**15
"""Positions of a run, as training has it."""
GAME = 100
"""Runs of so many positions are about a game each."""


def tile(sample: Corpus, out: Path) -> Corpus:
    """A corpus of about POSITIONS positions: the games of the sample in random order, again and again."""
    lengths = np.diff(sample.offsets)
    copies = POSITIONS // len(sample.moves)
    games = np.random.default_rng(0).permutation(np.tile(np.arange(len(sample)), copies))
    offsets = np.concatenate([[0], np.cumsum(lengths[games])])
    out.mkdir()
    with (out / "moves.npy").open("wb") as file:
        header = {"descr": "<u2", "fortran_order": False, "shape": (int(offsets[-1]),)}
        np.lib.format.write_array_header_1_0(file, header)
        moves = [sample.moves[first:last].tobytes() for first, last in pairwise(sample.offsets)]
        for game in games:
            file.write(moves[game])
        os.fsync(file.fileno())  # dirty pages are not dropped
    np.save(out / "offsets.npy", offsets)
    for name in ("results", "ratings", "years", "kinds", "starts"):
        np.save(out / f"{name}.npy", sample.array(name)[games])
    np.save(out / "positions.npy", sample.positions)
    np.save(out / "splits.npy", np.full(len(games), Split.train, np.uint8))
    write_json(
        out / "manifest.json", {**sample.manifest, "games": len(games), "plies": int(offsets[-1]), "tags": 0}
    )
    return Corpus.open(out)


def drop_cached(path: Path) -> None:
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def rate(corpus: Corpus, run: int, *, cold: bool) -> float:
    """Positions per second over some blocks, as batches."""

    def make(numbers: range) -> Block:
        if cold:
            drop_cached(corpus.path / "moves.npy")
        return shuffle.block(numbers[0])

    gc.collect()  # pages that an earlier mapping of the file still holds are not dropped
    draw = Draw(path=corpus.path, split=Split.train, block=BLOCK, runs=BLOCK // run)
    shuffle = Shuffle(draw, np.empty(0))
    batches = Batches([Stream(shuffle, make)], [1.0], batch=BATCH, history=HISTORY)
    count = BLOCKS * shuffle.size // BATCH
    begin = time.perf_counter()
    for k in range(count):
        batches[k]
    return count * BATCH / (time.perf_counter() - begin)


def main() -> None:
    with TemporaryDirectory() as folder:
        build(Path(folder) / "sample", [SAMPLE], game_named("chess"), shares={})
        corpus = tile(Corpus.open(Path(folder) / "sample"), Path(folder) / "large")
        found = {(run, cold): rate(corpus, run, cold=cold) for run in (GAME, RUN) for cold in (True, False)}
        print(
            f"shuffled batches of {len(corpus.moves) / 1e6:.0f} M positions: {found[RUN, True]:,.0f} "
            f"positions/s from disk (simulated: pages dropped before each block), "
            f"{found[RUN, True] / found[RUN, False]:.2f}× the cached rate, "
            f"{found[RUN, True] / found[GAME, True]:.2f}× single games in random order"
        )
