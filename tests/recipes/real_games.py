"""Real games to learn from in seconds: the first of the collections beside the checkout, people's and
engines'; where they are not, the samples that zeroply's own players made."""

from __future__ import annotations

import importlib.util
import lzma
from pathlib import Path
from typing import Any

import numpy as np

from tests.sources import ENGINE_SAMPLE, SAMPLE, SHARED, XIANGQI_SAMPLE
from zeroply.corpus.readers.files import open_text
from zeroply.games import Game

PEOPLE = {
    "chess": (SHARED / "twic-sample.pgn.xz", SAMPLE),
    "xiangqi": (SHARED / "xiangqi-games.pgn.xz", XIANGQI_SAMPLE),
}
ENGINES = "chess-engine-games"


def games_of_people(game: Game, count: int, out: Path) -> Path:
    """The first `count` records, as they stand there; or the whole sample."""
    collection, sample = PEOPLE[game.name]
    if not collection.exists():
        return sample
    with open_text(collection) as lines, out.open("w", encoding="utf-8") as file:
        for line in lines:
            count -= line.startswith("[Event ")
            if count < 0:
                break
            file.write(line)
    return out


def games_of_engines(count: int, out: Path) -> Path:
    """The first `count` games of TCEC and CCC with their evaluations, as the folder of arrays that
    `unpack.py` beside them makes of all 54,290; or the whole sample."""
    if not (SHARED / f"{ENGINES}.meta.xz").exists():
        return ENGINE_SAMPLE
    unpack = _module(SHARED / "unpack.py")
    meta = np.frombuffer(lzma.decompress((SHARED / f"{ENGINES}.meta.xz").read_bytes()), np.uint16)
    lengths, *about = meta.reshape(5, -1)[:, :count]
    lengths = lengths.astype(np.int64)
    size = 2 * int(lengths.sum())
    # Orders and memory are those by which the two streams were packed.
    tokens = unpack.inflate(SHARED / f"{ENGINES}.0.ppmd", 8, 800 << 20, size)
    evaluations = unpack.inflate(SHARED / f"{ENGINES}.cp.ppmd", 4, 400 << 20, size)
    out.mkdir()
    np.save(out / "moves.npy", unpack.replay(lengths, np.frombuffer(tokens, np.uint8).reshape(-1, 2)))
    np.save(out / "offsets.npy", np.concatenate([[0], np.cumsum(lengths)]))
    np.save(out / "games.npy", np.stack(about, axis=1))
    np.save(out / "cp.npy", np.frombuffer(evaluations, np.int16))
    return out


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
