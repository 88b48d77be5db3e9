"""What stands between the server and the world: who is let in, what he may send, what browsers are told."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zeroply.apps.web.bounds import Clients
from zeroply.apps.web.messages import MESSAGE_LIMIT, Problem

PAGE_POLICY = (  # the pieces are data: images in the style sheet
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # built files keep their names, so browsers have to ask whether they changed
}
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine, by which no other can be meant."""
PENALTY = 1.0
"""Seconds that a request beyond the allowance waits for its refusal, so that refusing is little work."""


class Guard:
    """ASGI middleware. `hosts`, where they are given, are the only names by which the server may be called:
    a page of another site that makes its own name point to this machine is not let in by them. Numbers are
    no names, and point nowhere else."""

    def __init__(self, app: ASGIApp, clients: Clients, hosts: Collection[str] | None = None) -> None:
        self._app, self._clients, self._hosts = app, clients, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refused(Headers(scope=scope))
        if scope["type"] == "websocket":
            if refused is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": refused})
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        app, bounded = self._app, _bounded(receive)
        if refused is not None:
            app = _refusal(403, refused)
        elif not self._clients.may_ask(address_of(scope)):
            await asyncio.sleep(PENALTY)
            app = _refusal(429, "too many requests from this address. Ask more slowly")
        await app(scope, bounded, with_headers)

    def _refused(self, headers: Headers) -> str | None:
        """Why a request is not for us, or not from our own page."""
        host, origin = headers.get("host", ""), headers.get("origin")
        name = _name(host)
        if self._hosts is not None and name not in self._hosts and not _is_number(name):
            return f"this server is not called '{host}'. Known: {', '.join(sorted(self._hosts))}"
        # Browsers let any site open a websocket to any other; programs send no Origin.
        if origin is not None and origin.partition("://")[2] != host:
            return "this page is of another site"
        return None


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "?"


def _name(host: str) -> str | None:
    """Of a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_number(name: str | None) -> bool:
    try:
        ip_address(name or "")
    except ValueError:
        return False
    return True


def _bounded(receive: Receive) -> Receive:
    """No body over the limit goes in, declared or not."""
    size = 0

    async def received() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MESSAGE_LIMIT:
            raise HTTPException(413, f"the request is longer than {MESSAGE_LIMIT} bytes")
        return message

    return received


def _refusal(status: int, why: str) -> ASGIApp:
    return JSONResponse(Problem(detail=why).model_dump(), status)
