"""A real HTTP server for tests that breaks off, forgets, changes its files and lies, as it is told."""

from __future__ import annotations

import hashlib
import socket
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler


@dataclass
class Site:
    """What the server has, how it misbehaves, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    etags: bool = True
    dates: bool = True
    ranges: bool = True
    chunked: bool = False
    lengths: bool = True
    shift: int = 0
    """Bytes by which the answer to a range is off."""
    breaks: list[int] = field(default_factory=list)
    """Bytes after which the next answers break off; those after them are whole."""
    statuses: list[int] = field(default_factory=list)
    """Errors that the next answers are, after those that break off."""
    careless: bool = False
    """Gives the rest of any version, whatever the condition."""
    reset: bool = False
    """Breaks off by a reset, which also takes bytes that were on their way."""
    stalls: bool = False
    """Does not break off where it should but falls silent."""
    over: threading.Event = field(default_factory=threading.Event)
    redirects: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    """(path, Range, If-Range) of every request."""
    base: str = ""

    def etag(self, data: bytes) -> str:
        return f'"{hashlib.sha256(data).hexdigest()[:16]}"'

    def ranges_asked(self) -> list[str | None]:
        return [asked for _, asked, _ in self.asked]


def handler_for(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            self.close_connection = True
            path = self.path.removeprefix("/")
            wanted, condition = self.headers["Range"], self.headers["If-Range"]
            site.asked.append((path, wanted, condition))
            if path in site.redirects:
                self.send_response(302)
                self.send_header("Location", site.redirects[path])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            failing = bool(site.statuses) and not site.breaks
            if failing or path not in site.files:
                self.send_error(site.statuses.pop(0) if failing else 404)
                return
            self.answer(site.files[path], wanted, condition)

        def answer(self, data: bytes, wanted: str | None, condition: str | None) -> None:
            date = "Mon, 01 Jul 2024 00:00:00 GMT"
            same = site.careless or condition in (None, site.etag(data), date)
            start = 0
            if wanted and site.ranges and same:
                start = int(wanted.removeprefix("bytes=").removesuffix("-")) - site.shift
                if start >= len(data):
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            if site.etags:
                self.send_header("ETag", site.etag(data))
            if site.dates:
                self.send_header("Last-Modified", date)
            if site.chunked:
                self.send_header("Transfer-Encoding", "chunked")
            elif site.lengths:
                self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            rest = data[start:]
            whole = not site.breaks or "list" in self.path or "sums" in self.path
            sent = rest if whole else rest[: site.breaks.pop(0)]
            if site.chunked:
                for at in range(0, len(sent), 10_000):
                    chunk = sent[at : at + 10_000]
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                if whole:
                    self.wfile.write(b"0\r\n\r\n")
            else:
                self.wfile.write(sent)
            if not whole and site.stalls:
                site.over.wait()
            if not whole and site.reset:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()

    return Handler
