"""Text files, plain or compressed, as blocks of whole lines.

Text is UTF-8; where a block is not, each of its lines is UTF-8 or else Latin-1, as old collections are, so
that names keep their letters. Line ends come out as "\\n". An archive that breaks off or is damaged gives all
its lines up to there and then a ReadError.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from zeroply.errors import ReadError, needs

SIZE = 2**20
"""Bytes of text in a block, about; also the longest line that is kept whole."""

OPENERS: dict[str, Callable[[Path], io.BufferedIOBase]] = {
    ".gz": gzip.GzipFile,
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
COMPRESSED = (*OPENERS, ".zst")


@contextmanager
def open_text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file, each with its "\\n"."""
    with open_blocks(path) as blocks:
        yield (line for block in blocks for line in io.StringIO(block))


@contextmanager
def open_blocks(path: Path) -> Iterator[Iterator[str]]:
    """A file as texts of about a megabyte, each of whole lines."""
    if not path.is_file():
        raise ReadError(f"{path} is a folder, not a file" if path.is_dir() else f"{path} does not exist")
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    with closing(_blocks(path)) as blocks:
        yield (newlines.decode(_decoded(block)) for block in blocks)


def _decoded(block: bytes) -> str:
    try:
        text = block.decode()
    except UnicodeDecodeError:
        text = "".join(map(_decoded_line, block.splitlines(keepends=True)))
    return text.replace("\ufeff", "")  # byte order marks, also in the midst of files that were joined


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _blocks(path: Path) -> Generator[bytes, None, None]:
    held = bytearray()
    try:
        for piece in _pieces(path):
            held += piece
            if len(held) >= SIZE:
                whole = held.rfind(b"\n") + 1 or len(held)
                yield bytes(held[:whole])
                del held[:whole]
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        yield bytes(held[: held.rfind(b"\n") + 1])
        raise ReadError(f"{path} cannot be read to its end: {error}. Is the file complete?") from None
    yield bytes(held)


def _pieces(path: Path) -> Iterator[bytes]:
    """What one step of reading yields, so that nothing read before a damaged place is lost."""
    with OPENERS[path.suffix](path) if path.suffix in OPENERS else path.open("rb") as file:
        if path.suffix == ".zst":
            yield from _unpacked(file, path)
        else:
            yield from iter(partial(file.read1, SIZE), b"")


def _unpacked(file: io.BufferedIOBase, path: Path) -> Iterator[bytes]:
    """Zstandard frames, one after another. The package's own reader takes a cut file for a whole one."""
    with needs("data", f"reading {path.name}"):
        import zstandard
    unpack = None
    while packed := file.read(2**14):
        while packed:
            unpack = unpack or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield unpack.decompress(packed)
            except zstandard.ZstdError as error:
                raise OSError(str(error)) from None
            packed = b""
            if unpack.eof:
                packed, unpack = unpack.unused_data, None
    if unpack is not None:
        raise EOFError("the archive ends in the midst of a frame")
