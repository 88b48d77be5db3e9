"""The server of the page: three routes, and the built files of the front end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

import uvicorn
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect, WebSocketException
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from zeroply import __version__
from zeroply.apps.web.guard import Guard, from_this_site
from zeroply.apps.web.messages import (
    MESSAGE_LIMIT,
    GameShape,
    Model,
    Models,
    New,
    Predict,
    PredictedMove,
    Prediction,
    Problem,
    Refusal,
    first_flaw,
    parse_request,
)
from zeroply.apps.web.session import Session, find_network
from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games.line import follow
from zeroply.players import player_of
from zeroply.players.base import Network
from zeroply.players.load import load_network
from zeroply.players.net import rated

STATIC = Path(__file__).parent / "static"

T = TypeVar("T")


def create_app(networks: Mapping[str, Network]) -> FastAPI:
    """The page and its API over these nets; the first one is the default."""
    app = FastAPI(
        title="zeroply",
        version=__version__,
        description="Play against a net that looks once and moves: no search.",
        docs_url=None,  # it would load scripts from elsewhere; /openapi.json says the same
        redoc_url=None,
    )
    app.add_middleware(Guard)
    one_at_a_time = ThreadPoolExecutor(max_workers=1, thread_name_prefix="glance")

    async def off_the_loop(work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(one_at_a_time, work)

    @app.exception_handler(ZeroplyError)
    async def refuse(request: Request, error: ZeroplyError) -> JSONResponse:
        return JSONResponse(Problem(detail=str(error)).model_dump(), 422)

    @app.exception_handler(RequestValidationError)
    async def refuse_form(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse(Problem(detail=first_flaw(error.errors())).model_dump(), 422)

    @app.get("/api/models", response_model_exclude_none=True)
    async def models() -> Models:
        """The nets that can be played against."""
        games = {network.game.name: network.game for network in networks.values()}
        return Models(
            version=__version__,
            models=[_describe(name, network) for name, network in networks.items()],
            games=[
                GameShape(name=name, files=game.files, ranks=game.ranks, sides=game.sides)
                for name, game in games.items()
            ],
        )

    @app.post("/api/predict", responses={413: {"model": Problem}, 422: {"model": Problem}})
    async def predict(request: Predict) -> Prediction:
        """What a net would play in a position, likeliest first, and what the side to move may expect."""
        return await off_the_loop(partial(_predict, networks, request))

    async def next_request(websocket: WebSocket, session: Session | None) -> Session:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        request = parse_request(message.get("text"))
        if isinstance(request, New):
            return await off_the_loop(partial(Session.open, networks, request))
        if session is None:
            raise ZeroplyError("there is no game yet. Send a message of type 'new' first")
        session.act(request)
        return session

    @app.websocket("/api/game")
    async def game(websocket: WebSocket) -> None:
        if not from_this_site(websocket):
            raise WebSocketException(1008, "this page is of another site")
        await websocket.accept()
        session: Session | None = None
        # A page that goes away, even in the middle of an answer, is no event.
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                try:
                    session = await next_request(websocket, session)
                    await websocket.send_text(session.state().model_dump_json())
                    if session.awaits_net:
                        await off_the_loop(session.reply)
                        await websocket.send_text(session.state().model_dump_json())
                except ZeroplyError as error:
                    await websocket.send_text(Refusal(text=str(error)).model_dump_json())

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def _describe(name: str, network: Network) -> Model:
    about = network.about
    return Model(
        name=name,
        game=network.game.name,
        rated=rated(network),
        recipe=about.get("recipe"),
        parameters=about.get("parameters"),
    )


def _predict(networks: Mapping[str, Network], request: Predict) -> Prediction:
    name, network = find_network(networks, request.model)
    game = network.game
    position = follow(game.start(request.fen), request.moves)
    if not len(position.legal()):
        raise IllegalMoveError(f"there is nothing to play in {position.fen()}: {position.reason()}")
    (glance,) = player_of(network, name=name, rating=request.rating).glance([position])
    best = zip(glance.moves[: request.top].tolist(), glance.probabilities.tolist(), strict=False)
    return Prediction(
        moves=[
            PredictedMove(
                move=game.moves.names[move], notation=position.notation(move), probability=probability
            )
            for move, probability in best
        ],
        wdl=glance.wdl,
        expected=glance.expected,
    )


def serve(
    models: Sequence[str], host: str = "127.0.0.1", port: int = 8000, open_browser: bool = False
) -> None:
    """Serve the page until Ctrl-C; port 0 takes a free one."""
    networks = _load(models)
    listener = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"
    print(f"zeroply is at {address} (stop with Ctrl-C)", flush=True)
    if open_browser:
        # In a thread, because some browsers return only when they are closed. The socket listens already.
        threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
    config = uvicorn.Config(
        create_app(networks),
        log_level="warning",
        ws_max_size=MESSAGE_LIMIT,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    with contextlib.suppress(KeyboardInterrupt), listener:
        uvicorn.Server(config).run(sockets=[listener])


def _load(models: Sequence[str]) -> dict[str, Network]:
    networks: dict[str, Network] = {}
    for model in models:
        name = Path(model).stem
        if name in networks:
            raise ZeroplyError(f"two of the models are named '{name}': {', '.join(models)}. Rename one")
        networks[name] = load_network(model)
    if not networks:
        raise ZeroplyError("no model to serve. Name one, for example: chess")
    return networks


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ZeroplyError(f"port {port} of {host} is in use. Choose another with --port") from None
        raise ZeroplyError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None
    except OverflowError:
        raise ZeroplyError(f"there is no port {port}. Ports are 0 to 65535") from None


def _open_browser(address: str) -> None:
    """A machine without a browser still serves: its user has read the address."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
