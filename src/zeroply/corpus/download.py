"""Public collections from Lichess: where they lie, and how a download is checked before it gets its name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from zeroply.artefacts import digest_of
from zeroply.corpus.fetch import Part, fetch, text_of
from zeroply.errors import ReadError


@dataclass(frozen=True, kw_only=True)
class Source:
    about: str
    path: str
    checksums: str | None = None


SOURCES: Mapping[str, Source] = {
    "lichess-games": Source(
        about="all rated standard games of a month (CC0), PGN; recent months have some 30 GB",
        path="standard/lichess_db_standard_rated_{month}.pgn.zst",
        checksums="standard/sha256sums.txt",
    ),
    "lichess-evals": Source(
        about="positions with Stockfish's evaluations (CC0), JSON lines; some 20 GB",
        path="lichess_db_eval.jsonl.zst",
    ),
    "lichess-puzzles": Source(
        about="puzzles with ratings and themes (CC0), CSV; some 300 MB",
        path="lichess_db_puzzle.csv.zst",
    ),
}


def sources(name: str) -> str:
    """What a source is, in one line for help texts."""
    return _source(name).about


def download(
    name: str,
    folder: Path,
    *,
    month: str | None = None,
    base: str = "https://database.lichess.org",
    progress: Callable[[int, int | None], None] = lambda done, length: None,
) -> Path:
    """Fetch a source into `folder`; returns the file. What an earlier call left half done is gone on with.

    `month` (YYYY-MM) is for lichess-games only; without one it is the latest. A file that is there already is
    kept as it is. `progress` hears how many bytes are here, and of how many where the server says so.
    """
    source = _source(name)
    if urlsplit(base).scheme not in ("http", "https"):
        raise ReadError(f"'{base}' is not an address to download from. Use one with http:// or https://")
    base = base.rstrip("/")
    if "{month}" in source.path:
        month = _latest_month(base) if month is None else _checked_month(month)
    elif month is not None:
        raise ReadError(f"{name} has no months: it is one file. Leave '{month}' out")
    url = f"{base}/{source.path.format(month=month)}"
    path = folder / url.rpartition("/")[2]
    if path.exists():
        return path
    checksum = _checksum(f"{base}/{source.checksums}", path.name) if source.checksums else None
    folder.mkdir(parents=True, exist_ok=True)
    part = Part(path)
    fetch(url, part, progress)
    if checksum is not None and (found := digest_of(part.path)) != checksum:
        part.drop()
        raise ReadError(
            f"{url}: the checksum is {found[:12]}…, not {checksum[:12]}… as published. "
            "The bytes were deleted; try again"
        )
    os.replace(part.path, path)
    part.drop()
    return path


def _source(name: str) -> Source:
    if name not in SOURCES:
        raise ReadError(f"'{name}' is not a known source. Choose one of: {', '.join(SOURCES)}")
    return SOURCES[name]


def _checked_month(month: str) -> str:
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", month):
        raise ReadError(f"'{month}' is not a month. Write it as YYYY-MM, for example 2024-07")
    return month


def _latest_month(base: str) -> str:
    url = f"{base}/standard/list.txt"
    months: list[str] = re.findall(r"_rated_([0-9]{4}-[0-9]{2})\.pgn\.zst", text_of(url))
    if not months:
        raise ReadError(f"{url} lists no month. Name one as YYYY-MM")
    return max(months)


def _checksum(url: str, name: str) -> str:
    for line in text_of(url).splitlines():
        digest, _, listed = line.partition(" ")
        if listed.strip(" *") == name and re.fullmatch("[0-9a-f]{64}", digest):
            return digest
    raise ReadError(f"{name} is not in {url}. Choose a month that is listed there")
