"""How much one client may ask for: so many games at once, and so much a second."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zeroply.errors import ZeroplyError

GAMES_OF_CLIENT, GAMES = 250, 800
"""Open at once: of one address, since a house or a school has only one, and of all."""
REQUESTS, REQUESTS_AT_ONCE = 60.0, 300.0
"""A second, of one address, over HTTP."""
MESSAGES, MESSAGES_AT_ONCE = 5.0, 300.0
"""A second, of one websocket."""
PACE, PACE_AT_ONCE = 0.2, 2.0
"""A second, of one websocket, as people play; within it a message is answered before what is asked faster."""
PACE_OF_CLIENT, PACE_OF_CLIENT_AT_ONCE = 3.0, 10.0
"""Likewise of one address, which one person in a hurry may use, by messages and requests."""
BYTES_OF_ONE = 256
"""A message counts one more for each of these: long ones make long work."""
PLIES_OF_ONE = 20
"""Likewise a request over HTTP, for each of these plies that it wants followed."""
CLIENTS = 10_000
"""Known at once; beyond that those who asked for nothing lately are forgotten."""


class Allowance:
    """Fills up by `rate` a second to `most`; what is taken beyond that has to be waited for."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._most, self._clock = rate, most, clock
        self._left, self._at = most, clock()

    def take(self, amount: float = 1.0) -> float:
        """Seconds until that much is there; it counts as taken all the same."""
        self._fill()
        self._left -= amount
        return max(0.0, -self._left / self._rate)

    def has(self, amount: float = 1.0) -> bool:
        """Takes it only where it is there."""
        self._fill()
        enough = self._left >= amount
        self._left -= amount if enough else 0
        return enough

    @property
    def full(self) -> bool:
        self._fill()
        return self._left >= self._most

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._most, self._left + self._rate * (now - self._at))
        self._at = now


class TooManyGamesError(ZeroplyError):
    """One game more than there may be."""


class Clients:
    """Who asks, by address."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._requests: dict[str, Allowance] = {}
        self._paces: dict[str, Allowance] = {}

    @contextmanager
    def game(self, address: str) -> Iterator[None]:
        """Around one websocket."""
        if self._games[address] >= GAMES_OF_CLIENT:
            raise TooManyGamesError(f"{GAMES_OF_CLIENT} games are open from {address}. Close one of them")
        if self._games.total() >= GAMES:
            raise TooManyGamesError(f"all {GAMES} tables are taken. Try again later")
        self._games[address] += 1
        try:
            yield
        finally:
            self._games[address] -= 1
            if not self._games[address]:
                del self._games[address]

    def charge(self, address: str, plies: int) -> None:
        """For the plies of a request that was let in."""
        if address in self._requests:
            self._requests[address].take(plies / PLIES_OF_ONE)

    def may_ask(self, address: str) -> bool:
        """Whether a request over HTTP is within what its address may ask for."""
        return _of(self._requests, address, REQUESTS, REQUESTS_AT_ONCE).has()

    def asks_little(self, address: str, plies: int = 0) -> bool:
        """Whether what it asks for now goes before what others ask for."""
        return _of(self._paces, address, PACE_OF_CLIENT, PACE_OF_CLIENT_AT_ONCE).has(1 + plies / PLIES_OF_ONE)


def _of(allowances: dict[str, Allowance], address: str, rate: float, most: float) -> Allowance:
    if address not in allowances and len(allowances) >= CLIENTS:
        for name in [name for name, left in allowances.items() if left.full]:
            del allowances[name]
    return allowances.setdefault(address, Allowance(rate, most))
