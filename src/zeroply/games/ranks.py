"""Many boards as text. The same ranks come again and again, so each different one is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray


def rank_texts(
    boards: NDArray[np.int8], files: int, write: Callable[[list[int]], str]
) -> Iterator[list[str]]:
    """For each board of [P, S] its ranks as text, the first player's first; `write` gets a rank's codes."""
    known = _Known(write)
    raw, squares = boards.tobytes(), boards.shape[1]
    for board in range(0, len(raw), squares):
        yield [known[raw[at : at + files]] for at in range(board, board + squares, files)]


class _Known(dict[bytes, str]):
    """Ranks, written when they are first asked for."""

    def __init__(self, write: Callable[[list[int]], str]) -> None:
        self._write = write

    def __missing__(self, rank: bytes) -> str:
        self[rank] = text = self._write(np.frombuffer(rank, np.int8).tolist())
        return text
