"""One file over HTTP, in as many pieces as the network likes.

It grows in NAME.part; NAME.part.json beside it says which version of the file that is the beginning of, so
that a later call asks for the rest of the same version and starts anew where there is another one by now.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import cast
from urllib import request
from urllib.error import HTTPError

from zeroply import __version__
from zeroply.artefacts import read_json, write_json
from zeroply.errors import ArtefactError, ReadError

TIMEOUT = 30.0
"""Seconds without a byte after which a connection counts as broken."""
PAUSES = (1.0, 3.0, 10.0)
"""Seconds before each new try; every byte further than ever before starts them over."""
PIECE = 1 << 18


@dataclass(frozen=True)
class _Version:
    """What tells one version of a file from the next."""

    url: str
    etag: str | None
    modified: str | None
    length: int | None

    @property
    def condition(self) -> str | None:
        """For If-Range, where a weak tag does not count: equal meaning is not equal bytes."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.modified

    def denies(self, other: _Version) -> bool:
        """Whether something that both say is not the same. An answer with a part may leave some out."""
        pairs = ((self.etag, other.etag), (self.modified, other.modified), (self.length, other.length))
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)


class Part:
    """The beginning of a file, with a note of the version that it belongs to."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.part")
        self.note = path.with_name(f"{path.name}.part.json")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self, url: str) -> _Version | None:
        """Of which version of `url` the bytes are; None where there is nothing to go on with."""
        try:
            version = _Version(**read_json(self.note, "a download"))
        except (ArtefactError, TypeError):
            return None
        if not self.size() or version.url != url or version.condition is None:
            return None
        return version if isinstance(version.length, int) and self.size() <= version.length else None

    def begin(self, version: _Version) -> None:
        self.drop()  # before the new note: the bytes of one version never stand beside the note of another
        write_json(self.note, asdict(version))

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


class _BrokenError(Exception):
    """The network or the server failed in a way that another try may mend."""


class _RestRefusedError(_BrokenError):
    """The server will not give the rest of what is here."""


def fetch(url: str, part: Part, progress: Callable[[int, int | None], None]) -> None:
    """Let the part grow until it is whole. An error of the disk goes through and leaves the part as it is."""
    furthest, pauses = part.size(), iter(PAUSES)
    while True:
        try:
            return _go_on(url, part, progress)
        except _BrokenError as error:
            if isinstance(error, _RestRefusedError):
                part.drop()
            if part.size() > furthest:
                furthest, pauses = part.size(), iter(PAUSES)
            pause = next(pauses, None)
            if pause is None:
                then = "goes on from there" if part.version(url) else "starts again"
                kept = f"{part.size():,} bytes are in {part.path}" if part.size() else "Nothing came"
                raise ReadError(f"{url}: {error}. {kept}; the same command {then}") from None
        time.sleep(pause)


def _go_on(url: str, part: Part, progress: Callable[[int, int | None], None]) -> None:
    """One request for all that is missing; what came before a `_BrokenError` is in the part."""
    version = part.version(url)
    done = part.size() if version else 0
    if version and done == version.length:
        return
    rest = {"Range": f"bytes={done}-", "If-Range": version.condition or ""} if version else {}
    with _open(url, rest) as response:
        found = _version_of(response, url, done)
        if response.status != 206:
            part.begin(found)
            version, done = found, 0
        elif version is None or version.denies(found):
            raise _RestRefusedError("the server sent a part of another file")
        progress(done, version.length)
        with part.path.open("ab") as file:
            for piece in _pieces(response, None if version.length is None else version.length - done):
                file.write(piece)
                done += len(piece)
                progress(done, version.length)
    if version.length is not None and done < version.length:
        raise _BrokenError(f"the connection broke off before byte {version.length:,}")


def _version_of(response: HTTPResponse, url: str, done: int) -> _Version:
    """The version that the answer is of, or has the bytes from `done` of."""
    length = response.length
    if response.status == 206:
        spans = re.fullmatch(rf"bytes {done}-[0-9]+/([0-9]+)", response.headers.get("Content-Range", ""))
        if not spans:
            raise _RestRefusedError(f"the server sent other bytes than those from {done:,}")
        length = int(spans[1])
    elif response.status != 200:
        raise ReadError(f"{url}: the server answers {response.status} {response.reason}. Try again later")
    elif not length and not response.chunked:
        raise ReadError(f"{url}: the server gives no length, so the end cannot be told. Use another server")
    return _Version(url, response.headers.get("ETag"), response.headers.get("Last-Modified"), length)


def _pieces(response: HTTPResponse, left: int | None) -> Iterator[bytes]:
    """The body as it comes in, `left` bytes at the most."""
    while left is None or left > 0:
        try:
            piece = response.read1(PIECE if left is None else min(PIECE, left))
        except (OSError, HTTPException) as error:
            raise _BrokenError(_reason(error)) from None
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece


def text_of(url: str) -> str:
    """A small file as a whole."""
    try:
        with _open(url, {}) as response:
            return response.read().decode("utf-8", "replace")
    except (OSError, HTTPException, _BrokenError) as error:
        raise ReadError(f"{url}: {_reason(error)}. Check the connection and try again") from None


def _open(url: str, headers: Mapping[str, str]) -> HTTPResponse:
    """The answer to a GET, at the end of all redirects; an error of the server is raised."""
    opener = request.OpenerDirector()  # not the usual one, which also follows redirects to ftp
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
        request.HTTPDefaultErrorHandler,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    opener.addheaders = [("User-Agent", f"zeroply/{__version__}")]
    asked = request.Request(url, headers=dict(headers))  # noqa: S310 (the opener knows http and https only)
    try:
        return cast(HTTPResponse, opener.open(asked, timeout=TIMEOUT))
    except HTTPError as error:
        error.close()
        answer = f"the server answers {error.code} {_reason(error)}"
        if error.code == 416:
            raise _RestRefusedError(answer) from None
        if error.code == 429 or error.code >= 500:
            raise _BrokenError(answer) from None
        raise ReadError(f"{url}: {answer}. Look in a browser whether the file is still there") from None
    except (OSError, HTTPException) as error:
        raise _BrokenError(_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, IncompleteRead):
        return "the connection broke off"
    words = str(getattr(error, "reason", error)).split()  # on one line, whatever the library says
    return " ".join(words) or type(error).__name__
