"""What a websocket sends ahead of answers: it waits outside, or the sender is cut."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from bench.hostile import UPGRADE, frame
from zeroply.apps.web.connections import HELD, PIECE, BoundedWebSocket

MESSAGE = frame(b'{"type": "undo"}')


class Wire(asyncio.Transport):
    """A transport without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted, self.reading = False, True

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def write(self, data: Any) -> None:
        pass


async def opened(app: Any) -> tuple[BoundedWebSocket, Wire]:
    config = uvicorn.Config(app, log_level="critical", ws_ping_interval=None)
    config.load()
    protocol, wire = BoundedWebSocket(config, ServerState(), {}), Wire()
    protocol.connection_made(wire)
    protocol.data_received(UPGRADE)
    await settled()
    return protocol, wire


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_messages_wait_outside_while_one_is_worked_on() -> None:
    async def scene() -> None:
        go, answered = asyncio.Semaphore(0), 0

        async def app(scope: Any, receive: Any, send: Any) -> None:
            nonlocal answered
            await receive()
            await send({"type": "websocket.accept"})
            while True:
                await go.acquire()
                await receive()
                answered += 1

        protocol, wire = await opened(app)
        count = 20 * PIECE // len(MESSAGE)
        protocol.data_received(MESSAGE * count)
        most = PIECE // len(MESSAGE) + 1
        for taken in range(count):
            await asyncio.sleep(0.0005 if taken % 100 == 0 else 0)
            assert protocol.queue.qsize() <= most, "no more than one piece of them"
            assert not (wire.reading and protocol._held), "nothing is read while something waits"
            go.release()
        while answered < count:
            await asyncio.sleep(0)
        assert not protocol._held
        assert wire.reading
        for task in protocol.tasks:
            task.cancel()

    asyncio.run(asyncio.wait_for(scene(), 60))


def test_who_sends_on_and_on_is_cut() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    async def scene() -> None:
        protocol, wire = await opened(app)
        for _ in range(HELD // 2**16):
            protocol.data_received(frame(b"x" * (2**16 - 14)))
        assert not wire.aborted
        protocol.data_received(b"x" * 2 * PIECE)
        assert wire.aborted
        for task in protocol.tasks:
            task.cancel()

    asyncio.run(asyncio.wait_for(scene(), 60))
