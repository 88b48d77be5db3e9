"""What stands between the server and the world: a bound on size, headers for browsers, who may play."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import HTTPException, WebSocket
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zeroply.apps.web.messages import MESSAGE_LIMIT

PAGE_POLICY = (  # the pieces are data: images in the style sheet
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # built files keep their names, so browsers have to ask whether they changed
}


class Guard:
    """ASGI middleware: no body over the limit goes in, no answer without the headers goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        size = 0

        async def bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > MESSAGE_LIMIT:
                raise HTTPException(413, f"the request is longer than {MESSAGE_LIMIT} bytes")
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, bounded, with_headers)


def from_this_site(websocket: WebSocket) -> bool:
    """Whether a websocket comes from our own page, or from a program, which sends no Origin.

    Browsers let any site open a websocket to any other; only this check keeps those out.
    """
    origin = websocket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == websocket.headers.get("host")
