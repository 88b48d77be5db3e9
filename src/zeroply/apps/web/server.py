"""The page and its API: four routes, and the built files of the front end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, HTTPException, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from zeroply import __version__
from zeroply.apps.web import questions
from zeroply.apps.web.bounds import Clients
from zeroply.apps.web.game import Conversation
from zeroply.apps.web.guard import Guard, address_of
from zeroply.apps.web.messages import (
    Attention,
    AttentionOf,
    GameShape,
    Model,
    Models,
    Predict,
    Prediction,
    Problem,
    Question,
    first_flaw,
)
from zeroply.apps.web.together import Together
from zeroply.apps.web.work import Work
from zeroply.errors import ZeroplyError
from zeroply.players.base import Network
from zeroply.players.ratings import known_ratings

T = TypeVar("T")

STATIC = Path(__file__).parent / "static"
REFUSED: dict[int | str, dict[str, Any]] = {status: {"model": Problem} for status in (403, 413, 422, 429)}
OTHER_METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE"]
OBJECT = 'send a JSON object such as {"moves": []}, with the header Content-Type: application/json'
"""To those who sent something else."""


def create_app(networks: Mapping[str, Network], *, hosts: Collection[str] | None = None) -> FastAPI:
    """The page and its API over these nets; the first one is the default. `hosts` are the names by which it
    may be called, any where none are given."""
    app = FastAPI(
        title="zeroply",
        version=__version__,
        description="Play against a net that looks once and moves: no search.",
        docs_url=None,  # it would load scripts from elsewhere; /openapi.json says the same
        redoc_url=None,
    )
    clients, work = Clients(), Work()
    app.add_middleware(Guard, clients=clients, hosts=hosts)
    shared = {name: Together(network) for name, network in networks.items()}

    async def ask(task: Callable[[], T], request: Question, http: Request) -> T:
        address, plies = address_of(http.scope), len(request.moves)
        clients.charge(address, plies)
        first = clients.asks_little(address, plies)
        return await work.following(plies, task, address=address, first=first)

    @app.exception_handler(ZeroplyError)
    async def refuse(request: Request, error: ZeroplyError) -> JSONResponse:
        return JSONResponse(Problem(detail=str(error)).model_dump(), 422)

    @app.exception_handler(RequestValidationError)
    async def refuse_form(request: Request, error: RequestValidationError) -> JSONResponse:
        flaws = error.errors()
        is_object = flaws[0]["type"] != "json_invalid" and tuple(flaws[0]["loc"]) != ("body",)
        return JSONResponse(Problem(detail=first_flaw(flaws) if is_object else OBJECT).model_dump(), 422)

    @app.get("/api/models")
    async def models() -> Models:
        """The nets that can be played against."""
        return models_of(shared)

    @app.post("/api/predict", responses=REFUSED)
    async def predict(request: Predict, http: Request) -> Prediction:
        """What a net would play in a position, likeliest first, and what the side to move may expect."""
        return await ask(partial(questions.predict, shared, request), request, http)

    @app.post("/api/attention", responses=REFUSED)
    async def attention(request: AttentionOf, http: Request) -> Attention:
        """How much each square looks at each other, in a layer and a head of a net."""
        return await ask(partial(questions.attention, shared, request), request, http)

    @app.api_route("/api/predict", methods=OTHER_METHODS, include_in_schema=False)
    @app.api_route("/api/attention", methods=OTHER_METHODS, include_in_schema=False)
    async def refuse_method() -> None:  # or the files below would answer that there is none of that name
        raise HTTPException(405, f"use POST: {OBJECT}", {"Allow": "POST"})

    @app.websocket("/api/game")
    async def game(websocket: WebSocket) -> None:
        await Conversation(websocket, shared, work, clients).hold()

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def models_of(networks: Mapping[str, Network]) -> Models:
    """What a page has to know before anything is played."""
    games = {network.game.name: network.game for network in networks.values()}
    return Models(
        version=__version__,
        models=[_describe(name, network) for name, network in networks.items()],
        games=[
            GameShape(name=name, files=game.files, ranks=game.ranks, sides=game.sides)
            for name, game in games.items()
        ],
    )


def _describe(name: str, network: Network) -> Model:
    about = network.about
    layers, heads = questions.sizes(network)
    return Model(
        name=name,
        game=network.game.name,
        ratings=known_ratings(network),
        layers=layers,
        heads=heads,
        recipe=about.get("recipe"),
        parameters=about.get("parameters"),
    )
