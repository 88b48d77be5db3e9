"""The websocket: a game at a time, or games to analyse; a message wrong in itself does not end it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from zeroply.apps.web.analysis import Analysis
from zeroply.apps.web.bounds import (
    BYTES_OF_ONE,
    MESSAGES,
    MESSAGES_AT_ONCE,
    PACE,
    PACE_AT_ONCE,
    Allowance,
    Clients,
    TooManyGamesError,
)
from zeroply.apps.web.guard import address_of
from zeroply.apps.web.messages import (
    Analyse,
    Move,
    New,
    Refusal,
    Request,
    Resign,
    State,
    Undo,
    parse_request,
)
from zeroply.apps.web.session import Session
from zeroply.apps.web.work import Work
from zeroply.errors import ZeroplyError
from zeroply.players.base import Network

T = TypeVar("T")

PATIENCE = 30.0
"""Seconds that a client may take to read an answer."""
TRY_AGAIN_LATER = 1013


class Conversation:
    """With one page, from its first message until it goes away. It asks for one thing at a time: while that
    is worked on, nothing more is read from it. Nor is it when it asks more than its allowance."""

    def __init__(
        self, websocket: WebSocket, networks: Mapping[str, Network], work: Work, clients: Clients
    ) -> None:
        self._websocket, self._networks, self._work, self._clients = websocket, networks, work, clients
        self._allowance, self._pace = Allowance(MESSAGES, MESSAGES_AT_ONCE), Allowance(PACE, PACE_AT_ONCE)
        self._first = True
        self._session: Session | None = None
        self._address = address_of(websocket.scope)

    async def hold(self) -> None:
        await self._websocket.accept()
        # A page that goes away, even in the middle of an answer, or does not read, is no event.
        with contextlib.suppress(WebSocketDisconnect, TimeoutError):
            try:
                with self._clients.game(self._address):
                    while True:
                        await self._exchange()
            except TooManyGamesError as error:
                await self._send(Refusal(text=str(error)))
                await self._websocket.close(TRY_AGAIN_LATER)

    async def _exchange(self) -> None:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text = message.get("text")
        size = len(text or message.get("bytes") or "")
        await asyncio.sleep(self._allowance.take(1 + size / BYTES_OF_ONE))
        self._first = self._pace.has() or self._clients.asks_little(self._address)
        try:
            await self._answer(parse_request(text))
        except ZeroplyError as error:
            await self._send(Refusal(text=str(error)))

    async def _answer(self, request: Request) -> None:
        if isinstance(request, Analyse):
            await self._analyse(request)
            return
        if isinstance(request, New):
            task = partial(Session.open, self._networks, request)
            self._session = await self._work.following(
                request.plies, task, address=self._address, first=self._first
            )
            await self._send(await self._short(self._session.state))
        elif self._session is None:
            raise ZeroplyError("there is no game yet. Send a message of type 'new' first")
        else:
            await self._send(await self._short(partial(_acted, self._session, request)))
        if self._session.awaits_net:
            await self._send(await self._short(partial(_replied, self._session)))

    async def _analyse(self, request: Analyse) -> None:
        analysis = await self._long(partial(Analysis, self._networks, request))
        for number in range(len(analysis)):
            await self._send(await self._long(partial(analysis.part, number)))

    async def _short(self, task: Callable[[], T]) -> T:
        return await self._work.short(task, address=self._address, first=self._first)

    async def _long(self, task: Callable[[], T]) -> T:
        return await self._work.long(task, address=self._address)

    async def _send(self, message: BaseModel) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._websocket.send_text(message.model_dump_json())


def _acted(session: Session, request: Move | Undo | Resign) -> State:
    session.act(request)
    return session.state()


def _replied(session: Session) -> State:
    session.reply()
    return session.state()
