"""Connections as the machine has them, beneath all requests: how many, for how long, and who stopped reading.

A client that opens connections and says nothing, writes its request a byte a minute, or never reads the
answer, costs a place and nothing else; and places are counted by address.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from zeroply.apps.web.bounds import Allowance

OF_CLIENT, OF_ALL = 300, 900
"""Connections at once; with more than about 1,000 many systems run out of file handles."""
ARRIVALS, ARRIVALS_AT_ONCE = 50.0, 600.0
"""New connections of one address a second."""
HTTP_SECONDS = 60.0
"""A connection that is no websocket ends after so long; who has more to ask opens another."""
GRACE = 10.0
"""Seconds that an answer under way then has to be read."""
SWEEP = 5.0
"""Seconds between two looks at who reads."""
STUCK = 6
"""Looks at which nothing of what is written was read, until the connection is cut."""
UNREAD = 2**20
"""Bytes written and not read at which it is cut at once: pongs are not waited for."""
PIECE, BYTES, BYTES_AT_ONCE = 2**12, 2.0**12, 2.0**17
"""Of what a websocket sends so much is looked at at a time, a second, and at first: control frames of a few
bytes are work too, and no game waits for them."""
HELD = 2**20
"""Bytes sent and not looked at yet at which the sender is cut: it does not wait for answers."""


class Connections:
    """All that are open; who is one too many, or comes too often, is let go at once."""

    def __init__(self) -> None:
        self._open: dict[asyncio.Transport, Reader] = {}
        self._arrivals: dict[str, Allowance] = {}
        self._sweeping = False

    def admit(self, transport: asyncio.Transport) -> bool:
        address = _address(transport)
        if not self._arrivals.setdefault(address, Allowance(ARRIVALS, ARRIVALS_AT_ONCE)).has():
            return False
        if self._full(address):
            self._forget_closed()
        if self._full(address):
            return False
        self._open[transport] = Reader(address)
        if not self._sweeping:
            self._sweeping = True
            asyncio.get_running_loop().call_later(SWEEP, self._sweep)
        return True

    def _full(self, address: str) -> bool:
        own = sum(reader.address == address for reader in self._open.values())
        return len(self._open) >= OF_ALL or own >= OF_CLIENT

    def _sweep(self) -> None:
        self._forget_closed()
        self._arrivals = {name: left for name, left in self._arrivals.items() if not left.full}
        for transport, reader in self._open.items():
            if reader.is_stuck(transport.get_write_buffer_size()):
                transport.abort()
        self._sweeping = bool(self._open)
        if self._sweeping:
            asyncio.get_running_loop().call_later(SWEEP, self._sweep)

    def _forget_closed(self) -> None:
        """A transport that is closing still has its socket until what was written is read."""
        closed = [one for one in self._open if one.get_extra_info("socket").fileno() < 0]
        for transport in closed:
            del self._open[transport]


class Reader:
    """How a client reads what is written to it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._unread, self._looks = 0, 0

    def is_stuck(self, unread: int) -> bool:
        self._looks = self._looks + 1 if 0 < self._unread <= unread else 0
        self._unread = unread
        return self._looks >= STUCK or unread > UNREAD


class BoundedHttp(H11Protocol):
    """Uvicorn's protocol, and not for ever."""

    _timer: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer = self.loop.call_later(HTTP_SECONDS, self._end)

    def data_received(self, data: bytes) -> None:
        # In pieces: of a head only what is not complete yet is bounded, and all of it may come at once.
        for at in range(0, len(data), PIECE):
            if self._is_http() and not self.transport.is_closing():
                super().data_received(data[at : at + PIECE])
            elif not self.transport.is_closing():
                cast(asyncio.Protocol, self.transport.get_protocol()).data_received(data[at : at + PIECE])

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()  # or thousands who come and go would be remembered for so long
        super().connection_lost(exc)

    def _end(self) -> None:
        if self._is_http():
            if not self.transport.is_closing():
                self.shutdown()  # after the answer that is under way
            self._timer = self.loop.call_later(GRACE, self._cut)

    def _cut(self) -> None:
        if self._is_http():
            self.transport.abort()

    def _is_http(self) -> bool:
        return self.transport.get_protocol() is self  # a websocket has a protocol of its own


def door(connections: Connections) -> type[asyncio.Protocol]:
    """What uvicorn is given for its protocol. Only those who are let in cost more than this."""

    class Door(asyncio.Protocol):
        def __init__(self, **parts: Any) -> None:
            self._parts = parts

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            visitor = cast(asyncio.Transport, transport)
            if not connections.admit(visitor):
                visitor.abort()
                return
            inside = BoundedHttp(**self._parts)
            visitor.set_protocol(inside)
            inside.connection_made(visitor)

    return Door


class BoundedWebSocket(cast(type[Any], AutoWebSocketsProtocol)):  # type: ignore[misc]
    """Uvicorn's protocol, fed a little at a time with what a client sends, and nothing while a message waits
    in its queue, which has no bound."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._held, self._allowance = bytearray(), Allowance(BYTES, BYTES_AT_ONCE)
        self._feeding = False

    async def receive(self) -> Any:
        message = await super().receive()  # which reads on where its queue is empty now
        if self._held and not self.transport.is_closing():
            self.transport.pause_reading()
            if not self._feeding:
                self._feed()
        return message

    def data_received(self, data: bytes) -> None:
        self._held += data
        if len(self._held) > HELD:
            self.transport.abort()
        elif not self._feeding:
            self._feed()

    def _feed(self) -> None:
        self._feeding = False
        if self.transport.is_closing() or self._is_full():
            return
        piece = bytes(self._held[:PIECE])
        del self._held[:PIECE]
        try:
            super().data_received(piece)
        except Exception:  # frames before the handshake is over it takes for its own mistake, at great length
            self.transport.abort()
        if self.transport.is_closing():
            return
        wait = self._allowance.take(len(piece))
        if self._held:
            self._feeding = True
            self.transport.pause_reading()  # who floods had better wait than come again
            self.loop.call_later(wait, self._feed)
        elif not self._is_full():
            self.transport.resume_reading()

    def _is_full(self) -> bool:
        """Uvicorn's own pause, from a message until that was taken."""
        return bool(getattr(self, "read_paused", False))


def _address(transport: asyncio.Transport) -> str:
    peer = transport.get_extra_info("peername")
    return peer[0] if isinstance(peer, tuple) else "?"
