"""What tests of commands say: how a command ended, and what lies in folders after it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

from zeroply.corpus.store import Corpus


class Done(NamedTuple):
    code: int
    out: str
    error: str


class Command(Protocol):
    def __call__(self, *arguments: object) -> Done: ...


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def games_of(corpus: Path) -> set[tuple[int, ...]]:
    found = Corpus.open(corpus)
    return {tuple(found.moves[a:b].tolist()) for a, b in zip(found.offsets, found.offsets[1:], strict=False)}
