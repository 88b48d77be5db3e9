"""`zeroply serve`: nets loaded, a socket that listens, and the page behind it until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Collection, Sequence
from pathlib import Path

import uvicorn

from zeroply.apps.web.connections import BoundedWebSocket, Connections, door
from zeroply.apps.web.guard import LOOPBACK
from zeroply.apps.web.messages import MESSAGE_LIMIT
from zeroply.apps.web.server import create_app
from zeroply.errors import ZeroplyError
from zeroply.players.base import Network
from zeroply.players.load import load_network

SWITCH = 0.0005
"""Seconds after which a thread that follows a long game lets others have the interpreter; Python's own five
milliseconds add up for those who only want a move."""

BACKLOG = 64
"""Connections that are accepted before anyone else gets his turn again."""


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
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        create_app(networks, hosts=_names(host)),
        http=door(Connections()),
        ws=BoundedWebSocket,
        log_level="error",  # what clients get wrong is theirs to know
        ws_max_size=MESSAGE_LIMIT,
        ws_per_message_deflate=False,  # memory for each game, and work for each message
        server_header=False,
        proxy_headers=False,  # or anyone on this machine could say that he is someone else
        timeout_graceful_shutdown=1,
        backlog=BACKLOG,
    )
    with contextlib.suppress(KeyboardInterrupt), listener:
        uvicorn.Server(config).run(sockets=[listener])


def _names(host: str) -> Collection[str]:
    """By which the server may be called, beside numbers: those of this machine, and what it was told."""
    own = socket.gethostname().lower()
    return {*LOOPBACK, host.lower(), own, f"{own}.local"}


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
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ZeroplyError(
                f"port {port} of {host} is in use. Choose another with --port (make play PORT=N)"
            ) from None
        raise ZeroplyError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None
    except OverflowError:
        raise ZeroplyError(f"there is no port {port}. Ports are 0 to 65535") from None


def _open_browser(address: str) -> None:
    """A machine without a browser still serves: its user has read the address."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
