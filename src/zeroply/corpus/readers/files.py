"""Text files, plain or compressed by what the standard library knows."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, cast

from zeroply.errors import ReadError

OPENERS: dict[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """UTF-8 with bad bytes replaced (old collections are Latin-1); a broken archive is a ReadError."""
    if not path.is_file():
        raise ReadError(f"{path} is a folder, not a file" if path.is_dir() else f"{path} does not exist")
    opener = OPENERS.get(path.suffix, open)
    try:
        with opener(path, "rt", encoding="utf-8", errors="replace", newline=None) as file:
            yield cast(TextIO, file)
    except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
        raise ReadError(f"{path} cannot be read to its end: {error}. Is the file complete?") from None
