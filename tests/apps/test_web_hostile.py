"""Clients that nobody wants, against a real server: others play on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from bench.hostile import LONG_GAME, UPGRADE, frame
from zeroply.apps.web.connections import STUCK, Reader

from .conftest import served

POST = b"POST /api/predict HTTP/1.1\r\nHost: localhost\r\n"

QUICK = (
    "import zeroply.apps.web.connections as c; c.OF_CLIENT = 40; c.HTTP_SECONDS = 1.0; c.GRACE = 0.5; "
    "c.SWEEP = 0.2; c.STUCK = 3; "
)
"""The same bounds with less patience, so that tests need less."""


@pytest.fixture(scope="module")
def hurried(model: str) -> Iterator[tuple[str, int]]:
    with served([model], before=QUICK) as address:
        host, port = address.removeprefix("http://").strip("/").split(":")
        yield host, int(port)


@pytest.fixture
def player(hurried: tuple[str, int]) -> Iterator[Connection]:
    """A person who plays from another address meanwhile."""
    with connect(f"ws://{hurried[0]}:{hurried[1]}/api/game", source_address=("127.0.0.9", 0)) as socket:
        yield socket


def plays(player: Connection) -> bool:
    player.send('{"type": "new"}')
    assert json.loads(player.recv(timeout=30))["type"] == "state"
    player.send('{"type": "move", "move": "e2e4"}')
    answers = [json.loads(player.recv(timeout=30)) for _ in range(2)]
    return len(answers[1]["moves"]) == 2


def opened(server: tuple[str, int], first: bytes = b"") -> socket.socket:
    one = socket.create_connection(server, timeout=30)
    one.sendall(first)
    return one


def read_to_the_end(one: socket.socket) -> bytes:
    """All that the server says until it ends the connection."""
    said = b""
    with suppress(ConnectionError):
        while piece := one.recv(2**16):
            said += piece
    return said


@pytest.mark.slow
@pytest.mark.parametrize("first", [b"", b"GET /api/models HT", POST + b"Content-Length: 9\r\n\r\n{"])
def test_a_request_that_never_ends_is_cut(hurried: tuple[str, int], player: Connection, first: bytes) -> None:
    with opened(hurried, first) as slow:
        read_to_the_end(slow)  # or this would be a timeout
    assert plays(player)


@pytest.mark.slow
def test_thousands_who_connect_leave_room_for_others(hurried: tuple[str, int], player: Connection) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(opened(hurried)) for _ in range(200)]
        assert plays(player)
        with connect(
            f"ws://{hurried[0]}:{hurried[1]}/api/game", source_address=("127.0.0.10", 0)
        ) as newcomer:
            assert plays(newcomer)
        for one in (*crowd[:5], *crowd[-5:]):
            read_to_the_end(one)


@pytest.mark.slow
def test_who_asks_on_without_reading_is_no_longer_heard(hurried: tuple[str, int], player: Connection) -> None:
    ask = frame(json.dumps({"type": "new", "record": LONG_GAME}).encode())
    with opened(hurried, UPGRADE) as deaf:
        deaf.settimeout(2)
        with pytest.raises(OSError, match=r"timed out|reset|Broken pipe"):
            deaf.sendall(ask * 5000)
        assert plays(player)
    assert plays(player)


@pytest.mark.slow
def test_a_crowd_that_begins_games_without_end_is_overtaken(
    hurried: tuple[str, int], player: Connection
) -> None:
    new, count = frame(b'{"type": "new"}'), 25
    with ExitStack() as stack:
        crowd = [stack.enter_context(opened(hurried, UPGRADE)) for _ in range(30)]
        for one in crowd:
            assert b"101" in one.recv(2**12)
            one.sendall(new * count)
        assert plays(player)
        said = [said_so_far(one) for one in crowd]
        answered = sum(text.count(STATE) for text in said)
        assert answered < count * len(crowd), "the person is answered before the crowd's backlog is done"
        for one, text in zip(crowd, said, strict=True):
            one.settimeout(30)
            while text.count(STATE) < count:
                text += (piece := one.recv(2**16))
                assert piece, "it was cut"


STATE = b'{"type":"state"'


def said_so_far(one: socket.socket) -> bytes:
    said = b""
    one.setblocking(False)
    with suppress(BlockingIOError):
        while piece := one.recv(2**16):
            said += piece
    return said


def test_nothing_read_for_long_is_stuck() -> None:
    reader = Reader("10.0.0.1")
    assert not any(reader.is_stuck(unread) for unread in [0] * 20), "there is nothing to read"
    assert not any(reader.is_stuck(unread) for unread in [9000, 8000, 9000, 5000, 0] * 5), "it reads"
    assert [reader.is_stuck(7000) for _ in range(STUCK + 1)] == [False] * STUCK + [True]
    assert Reader("10.0.0.1").is_stuck(2**21)


FLOODS: dict[str, bytes] = {
    "what is no frame": b"\x00\xff" * 5000,
    "bytes": frame(b"\x00" * 100, 2) * 500,
    "pings": frame(b"", 9) * 5000,
    "garbage": frame(b"{" * 1000) * 100,
    "a frame that claims to be huge": b"\x81\xff" + (2**40).to_bytes(8, "big"),
    "a frame that is huge": frame(b"x" * 2_000_000),
    "the longest game": frame(json.dumps({"type": "analyse", "record": LONG_GAME}).encode()),
    "parts without an end": b"\x01" + frame(b"x" * 9)[1:] + (b"\x00" + frame(b"x" * 9)[1:]) * 9000,
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_do_not_keep_others_from_playing(
    hurried: tuple[str, int], player: Connection, name: str
) -> None:
    with opened(hurried, UPGRADE) as rude:
        with suppress(ConnectionError):
            rude.sendall(FLOODS[name])
        assert plays(player)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        POST + b"Content-Length: -5\r\n\r\n",
        b"GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
)
def test_bad_requests_get_a_short_refusal(hurried: tuple[str, int], player: Connection, text: bytes) -> None:
    with opened(hurried) as rude:
        with suppress(ConnectionError):
            rude.sendall(text)
        answer = read_to_the_end(rude)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5"))
    assert b"root:" not in answer
    assert b"Traceback" not in answer
    assert plays(player)
