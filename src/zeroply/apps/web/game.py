"""The websocket: a game at a time, or games to analyse; a message wrong in itself does not end it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import partial

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from zeroply.apps.web.analysis import Analysis
from zeroply.apps.web.messages import Analyse, New, Refusal, Request, parse_request
from zeroply.apps.web.session import Session
from zeroply.apps.web.work import Work
from zeroply.errors import ZeroplyError
from zeroply.players.base import Network


class Conversation:
    """With one page, from its first message until it goes away."""

    def __init__(self, websocket: WebSocket, networks: Mapping[str, Network], work: Work) -> None:
        self._websocket, self._networks, self._work = websocket, networks, work
        self._session: Session | None = None

    async def hold(self) -> None:
        await self._websocket.accept()
        # A page that goes away, even in the middle of an answer, is no event.
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                try:
                    await self._answer(await self._next())
                except ZeroplyError as error:
                    await self._send(Refusal(text=str(error)))

    async def _next(self) -> Request:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        return parse_request(message.get("text"))

    async def _answer(self, request: Request) -> None:
        if isinstance(request, Analyse):
            await self._analyse(request)
            return
        if isinstance(request, New):
            self._session = await self._work.play(partial(Session.open, self._networks, request))
        elif self._session is None:
            raise ZeroplyError("there is no game yet. Send a message of type 'new' first")
        else:
            self._session.act(request)
        await self._send(self._session.state())
        if self._session.awaits_net:
            await self._work.play(self._session.reply)
            await self._send(self._session.state())

    async def _analyse(self, request: Analyse) -> None:
        analysis = await self._work.analyse(partial(Analysis, self._networks, request))
        for number in range(len(analysis)):
            await self._send(await self._work.analyse(partial(analysis.part, number)))

    async def _send(self, message: BaseModel) -> None:
        await self._websocket.send_text(message.model_dump_json())
