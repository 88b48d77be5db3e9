"""A value of a position that is worked out once, when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 (a decorator)
    """functools.cached_property without its lock. Before Python 3.12 that is one lock for all positions, held
    while a value is worked out: where games are played in many threads, all would wait for each other. Here
    two threads may at worst work out the same value twice."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> T:
        # Found in the instance's own dictionary from now on: this is not called again.
        value: T = self._work(instance)
        instance.__dict__[self._name] = value
        return value
