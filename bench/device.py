"""Replay and pseudo-legal moves on a GPU: of the sample's games, or of `python -m bench.device CORPUS`, which
runs on a bare machine too."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray

from zeroply.corpus.replay import Starts, replay, replay_games
from zeroply.corpus.store import Corpus, unpack_positions
from zeroply.games import game_named

SAMPLE = Path(__file__).parent.parent / "examples" / "games.pgn"
BLOCKS = (2**22, 2**24, 2**25)
"""Positions at a time; training takes the first."""
MASKS = 100_000


def main(device: str = "cuda", blocks: tuple[int, ...] = BLOCKS) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        print("replay on a GPU: left out, there is none")
        return
    if sys.argv[1:]:
        measure(Corpus.open(Path(sys.argv[1])), device, blocks)
        return
    from zeroply.corpus.build import build  # wants more than a bare machine has

    with TemporaryDirectory() as folder:
        build(Path(folder) / "sample", [SAMPLE], game_named("chess"), shares={})
        measure(Corpus.open(Path(folder) / "sample"), device, blocks)


def measure(corpus: Corpus, device: str, blocks: tuple[int, ...]) -> None:
    place = torch.empty(0, device=device)
    everything = np.arange(len(corpus))
    here, there = (replay_games(corpus, everything, where) for where in (np.empty(0), place))
    for name, column in here.state.items():
        np.testing.assert_array_equal(there.state[name].cpu().numpy(), column, err_msg=name)
    print(f"replay: equal to NumPy in every column of {len(here):,} positions of {len(corpus):,} games")

    for block in blocks:
        games = np.tile(everything, max(1, round(block / len(here))))
        print(f"replay of {block / 2**20:.0f} Mi positions: {speeds(corpus, games, place)}")

    index = np.random.default_rng(0).integers(0, len(here), MASKS)
    rows = here.take(index, 0)
    moved = {name: torch.as_tensor(column, device=device) for name, column in rows.items()}
    equal = np.array_equal(corpus.game.pseudo_legal(moved).cpu().numpy(), corpus.game.pseudo_legal(rows))
    rate = MASKS / median_seconds(lambda: corpus.game.pseudo_legal(moved))
    print(
        f"pseudo-legal moves: {'equal' if equal else 'NOT EQUAL'} to NumPy's; {rate / 1e6:.1f} M positions/s"
    )


def speeds(corpus: Corpus, games: NDArray[np.int64], place: torch.Tensor) -> str:
    moves, lengths = replay_games(corpus, games, place).moves, corpus.lengths_of(games)
    own = np.flatnonzero(corpus.starts[games] >= 0)
    state = unpack_positions(corpus.game, corpus.positions[corpus.starts[games[own]]])
    starts = Starts(games=own, state=state)
    there = len(moves) / median_seconds(lambda: replay(corpus.game, moves, lengths, starts))
    whole = len(moves) / median_seconds(lambda: replay_games(corpus, games, place))
    peak = torch.cuda.max_memory_allocated() / 2**30 if place.is_cuda else 0
    return f"{there / 1e6:.1f} M/s; {whole / 1e6:.1f} M/s from the corpus on; at most {peak:.1f} GiB"


def median_seconds(work: Callable[[], object], tries: int = 5) -> float:
    found = []
    for _ in range(tries + 1):
        begin = time.perf_counter()
        work()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        found.append(time.perf_counter() - begin)
    return float(np.median(found[1:]))  # the first one warms up


if __name__ == "__main__":
    main()
