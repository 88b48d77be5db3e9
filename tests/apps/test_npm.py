"""Packages of npm without Node: which registry is asked, and that nothing but the right bytes is taken."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.apps.alone.conftest import fetch_runtime
from zeroply.apps.web import npm
from zeroply.apps.web.npm import REGISTRY, Package, archive_of, registry
from zeroply.corpus import fetch
from zeroply.errors import ReadError

BYTES = b"an archive"
PACKAGE = Package(
    name="small",
    version="1.2.3",
    integrity=f"sha512-{base64.b64encode(hashlib.sha512(BYTES).digest()).decode()}",
)


@pytest.fixture(autouse=True)
def nobodys_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without npmrc, a cache of its own, no Node, and no patience for servers that fail."""
    for name in (
        "NPM_CONFIG_REGISTRY",
        "npm_config_registry",
        "NPM_CONFIG_USERCONFIG",
        "npm_config_userconfig",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(fetch, "PAUSES", ())
    return tmp_path


class Shelf(ThreadingHTTPServer):
    """A registry that has one file, and counts who asks."""

    content = BYTES
    asked: list[str]


class _Clerk(BaseHTTPRequestHandler):
    server: Shelf

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()
        self.wfile.write(self.server.content)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    server = Shelf(("127.0.0.1", 0), _Clerk)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", f"http://127.0.0.1:{server.server_port}/npm/")
    yield server
    server.shutdown()
    server.server_close()


def test_an_archive_is_fetched_once(shelf: Shelf, nobodys_settings: Path) -> None:
    path = archive_of(PACKAGE)
    assert path.read_bytes() == BYTES
    assert shelf.asked == ["/npm/small/-/small-1.2.3.tgz"]
    assert archive_of(PACKAGE) == path
    assert len(shelf.asked) == 1
    assert [found.name for found in path.parent.iterdir()] == ["small-1.2.3.tgz"]


def test_other_bytes_are_not_taken(shelf: Shelf, nobodys_settings: Path) -> None:
    shelf.content = b"something else"
    with pytest.raises(ReadError, match="its hash is another") as error:
        archive_of(PACKAGE)
    assert "\n" not in str(error.value)
    assert list(npm.cache().iterdir()) == []


def test_a_damaged_cache_is_fetched_again(shelf: Shelf) -> None:
    archive_of(PACKAGE).write_bytes(b"damaged")
    assert archive_of(PACKAGE).read_bytes() == BYTES
    assert len(shelf.asked) == 2


def test_without_a_network_one_line_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:1")
    with pytest.raises(
        ReadError, match=r"small 1\.2\.3 is needed once, from npm: http://127\.0\.0\.1:1/small/"
    ) as error:
        archive_of(PACKAGE)
    assert "\n" not in str(error.value)


def test_the_registry_is_that_of_npm(nobodys_settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry() == REGISTRY
    binaries, settings = nobodys_settings / "node" / "bin", nobodys_settings / "node" / "etc"
    for folder in (binaries, settings):
        folder.mkdir(parents=True)
    (binaries / "node").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(binaries))
    (settings / "npmrc").write_text("registry=https://all.example/npm/\n")
    assert registry() == "https://all.example/npm"
    (nobodys_settings / ".npmrc").write_text("; mine\nfund=false\n@scope:registry=https://x.example\n")
    assert registry() == "https://all.example/npm"
    (nobodys_settings / ".npmrc").write_text('registry = "https://${NAME}.example"\n')
    monkeypatch.setenv("NAME", "mine")
    assert registry() == "https://mine.example"
    monkeypatch.setenv("npm_config_registry", "https://asked.example/")
    assert registry() == "https://asked.example"
    monkeypatch.setenv("npm_config_registry", "ftp://asked.example/")
    with pytest.raises(ReadError, match="no address with http"):
        registry()


def test_what_is_missing_skips_tests_but_not_where_all_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:1")
    for machine, outcome in (("false", pytest.skip.Exception), ("true", pytest.fail.Exception)):
        monkeypatch.setenv("CI", machine)
        with pytest.raises(outcome, match=r"onnxruntime-web .* is needed once, from npm"):
            fetch_runtime()
