"""Batches: enough games for one call of a fast parser, few enough for memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

GAMES = 1024
"""More are slower: the parser's boards leave the processor's cache."""
CHARACTERS = 2**23
"""Games of engines carry long comments."""

T = TypeVar("T")


def batched(items: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Lists of up to so many items or characters."""
    batch, characters = list[T](), 0
    for item in items:
        batch.append(item)
        characters += size(item)
        if len(batch) >= GAMES or characters >= CHARACTERS:
            yield batch
            batch, characters = [], 0
    yield batch
