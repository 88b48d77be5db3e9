"""`serve` as a real process: addresses, ports, browsers, and clients that misbehave."""

from __future__ import annotations

import json
import shutil
import socket
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from zeroply.apps.web import serve
from zeroply.apps.web.messages import MESSAGE_LIMIT
from zeroply.artefacts import bundled
from zeroply.errors import ZeroplyError

from .conftest import served


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 (our own address)
        return str(answer.read().decode())


def test_the_page_is_at_the_printed_address(address: str) -> None:
    assert "<title>zeroply</title>" in get(address)


@pytest.mark.slow
def test_the_bundled_nets_are_served_together() -> None:
    with served(list(bundled())) as found:
        models = json.loads(get(f"{found}api/models"))["models"]
    assert [(model["name"], model["game"]) for model in models] == [
        ("chess", "chess"),
        ("xiangqi", "xiangqi"),
    ]


def test_a_client_that_sends_too_much_loses_only_its_own_connection(address: str) -> None:
    endpoint = address.replace("http", "ws") + "api/game"
    with connect(endpoint) as polite, connect(endpoint) as rude:
        polite.send('{"type": "new"}')
        polite.recv(timeout=30)
        rude.send("x" * (MESSAGE_LIMIT * 10))
        with pytest.raises(ConnectionClosed):
            rude.recv(timeout=30)
        polite.send('{"type": "move", "move": "e2e4"}')
        assert '"moves":[{"move":"e2e4"' in str(polite.recv(timeout=30))


@pytest.mark.slow
def test_nobody_is_believed_to_be_another(model: str) -> None:
    one_game = "import zeroply.apps.web.bounds as bounds; bounds.GAMES_OF_CLIENT = 1; "
    with served([model], before=one_game) as address:
        endpoint = address.replace("http", "ws") + "api/game"
        with (
            connect(endpoint, additional_headers={"X-Forwarded-For": "10.0.0.1"}) as first,
            connect(endpoint, additional_headers={"X-Forwarded-For": "10.0.0.2"}) as second,
        ):
            assert "1 games are open from 127.0.0.1" in str(second.recv(timeout=30))
            first.send('{"type": "new"}')
            assert '"state"' in str(first.recv(timeout=30))


def test_a_page_that_leaves_while_the_net_looks_is_no_event(address: str) -> None:
    for _ in range(5):
        with connect(address.replace("http", "ws") + "api/game") as hasty:
            hasty.send('{"type": "new", "side": "black"}')
    assert "zeroply" in get(address)


def test_a_port_in_use_is_one_line(model: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ZeroplyError, match=f"port {port} of 127.0.0.1 is in use") as error:
            serve([model], port=port)
    assert "\n" not in str(error.value)
    assert "--port (make play PORT=N)" in str(error.value)


@pytest.mark.parametrize(
    ("host", "port", "hint"),
    [("no.such.host.invalid", 8000, "cannot listen at no.such.host.invalid"), ("127.0.0.1", 70000, "70000")],
)
def test_an_address_that_does_not_exist_is_one_line(model: str, host: str, port: int, hint: str) -> None:
    with pytest.raises(ZeroplyError, match=hint):
        serve([model], host=host, port=port)


def test_models_need_names_of_their_own(model: str) -> None:
    with pytest.raises(ZeroplyError, match="two of the models are named"):
        serve([model, model])
    with pytest.raises(ZeroplyError, match="no model to serve"):
        serve([])
    with pytest.raises(ZeroplyError, match="there is no model 'missing'"):
        serve(["missing"])


@pytest.mark.slow
def test_the_browser_opens_at_a_server_that_listens(model: str, tmp_path: Path) -> None:
    seen, browser = tmp_path / "seen", tmp_path / "browser.py"
    browser.write_text(
        "import sys, urllib.request\n"
        f"page = urllib.request.urlopen(sys.argv[1]).read()\nopen({str(seen)!r}, 'wb').write(page)\n"
    )
    command = f"{sys.executable} {browser} %s"
    with served([model], options=", open_browser=True", environment={"BROWSER": command}):
        for _ in range(300):
            if seen.exists() and seen.stat().st_size:
                break
            time.sleep(0.1)
    assert "<title>zeroply</title>" in seen.read_text()


@pytest.mark.slow
def test_without_a_browser_the_server_serves_all_the_same(model: str, tmp_path: Path) -> None:
    assert shutil.which("sh", path=str(tmp_path)) is None
    nothing = {"PATH": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    with served([model], options=", open_browser=True", environment=nothing) as address:
        assert "<title>zeroply</title>" in get(address)
