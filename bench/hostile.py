"""Clients that nobody wants, each from an address of its own: python -m bench.hostile KIND HOST PORT

slow   opens what it may and never reads: websockets that ask and ask, requests written a byte at a time
rude   sends garbage, huge messages, pings without end, the longest games to analyse, thousands of connects
many   240 websockets that begin a game as soon as they have the last one
keen   200 connections that ask for predictions and attention as fast as answers come
"""

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import Coroutine
from typing import Any

LONG_GAME = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 250)
UPGRADE = (
    b"GET /api/game HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ADDRESSES = {"slow": "127.0.0.2", "rude": "127.0.0.3", "many": "127.0.0.4", "keen": "127.0.0.5"}


def post(path: str, **body: Any) -> bytes:
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"Content-Type: application/json\r\n\r\n" + content


def frame(payload: bytes, kind: int = 1) -> bytes:
    """A websocket frame of a client, with a mask of zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0xFF]) + size.to_bytes(8, "big")
    return bytes([0x80 | kind]) + length + bytes(4) + payload


class Client:
    """Raw bytes to the server; whatever becomes of a connection, another is tried."""

    def __init__(self, own: str, host: str, port: int) -> None:
        self._own, self._host, self._port = own, host, port

    async def again(self, act: Any) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await act()
            await asyncio.sleep(0.05)

    async def _open(self) -> socket.socket:
        one = socket.socket()
        one.setblocking(False)
        one.bind((self._own, 0))
        await asyncio.get_running_loop().sock_connect(one, (self._host, self._port))
        return one

    async def _send(self, one: socket.socket, data: bytes) -> None:
        await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(one, data), 60)

    async def never_reads(self) -> None:
        with await self._open() as one:
            await self._send(one, UPGRADE)
            while True:
                await self._send(one, frame(json.dumps({"type": "new", "record": LONG_GAME[:8000]}).encode()))

    async def drips(self) -> None:
        with await self._open() as one:
            await self._send(one, b"POST /api/predict HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            while True:
                await self._send(one, b"X")
                await asyncio.sleep(1)

    async def silent(self) -> None:
        with await self._open():
            await asyncio.sleep(600)

    async def _reads_all(self, one: socket.socket) -> None:
        while await asyncio.get_running_loop().sock_recv(one, 2**16):
            pass

    async def floods(self, data: bytes) -> None:
        with await self._open() as one:
            await self._send(one, UPGRADE)
            reading = asyncio.create_task(self._reads_all(one))
            try:
                while not reading.done():
                    await self._send(one, data)
            finally:
                reading.cancel()

    async def asks(self, request: bytes, first: bytes = b"") -> None:
        """The same as fast as answers come; the first piece of one counts for all of it."""
        with await self._open() as one:
            await self._send(one, first)
            while True:
                await self._send(one, request)
                if not await asyncio.get_running_loop().sock_recv(one, 2**16):
                    return

    async def connects(self) -> None:
        """Hundreds a second."""
        crowd = [await self._open() for _ in range(100)]
        for one in crowd:
            one.close()
        await asyncio.sleep(0.2)


def slow(client: Client) -> list[Coroutine[Any, Any, None]]:
    acts = [client.never_reads] * 20 + [client.drips] * 50 + [client.silent] * 100
    return [client.again(act) for act in acts]


def rude(client: Client) -> list[Coroutine[Any, Any, None]]:
    analyse = frame(json.dumps({"type": "analyse", "record": LONG_GAME}).encode())
    floods = [
        b"\x00\xff garbage" * 50,
        frame(b"{" * 60_000),
        frame(b"x" * 10**6),
        frame(b"", 9) * 600,
        analyse,
    ]
    acts = [lambda data=data: client.floods(data) for data in floods] * 2
    predict = post("/api/predict", moves=LONG_GAME.split()[:60], top=500)
    asks = [lambda: client.asks(predict)] * 2
    return [client.again(act) for act in [*acts, *asks, client.connects]]


def many(client: Client) -> list[Coroutine[Any, Any, None]]:
    new = frame(json.dumps({"type": "new", "side": "black"}).encode())
    return [client.again(lambda: client.asks(new, UPGRADE)) for _ in range(240)]


def keen(client: Client) -> list[Coroutine[Any, Any, None]]:
    questions = [post("/api/predict", model="xiangqi"), post("/api/attention", model="xiangqi", layer=0)]
    acts = [lambda asked=asked: client.asks(asked) for asked in questions] * 100
    return [client.again(act) for act in acts]


async def main(kind: str, host: str, port: int) -> None:
    os.nice(10)  # its own work would be another machine's
    client = Client(ADDRESSES[kind], host, port)
    await asyncio.gather(*{"slow": slow, "rude": rude, "many": many, "keen": keen}[kind](client))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
