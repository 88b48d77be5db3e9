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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from zeroply.errors import ReadError, needs

SIZE = 2**20
"""Bytes of text in a block, about; also the longest line that is kept whole."""

OPENERS: dict[str, Callable[[io.BufferedReader], io.BufferedIOBase]] = {
    ".gz": lambda packed: gzip.GzipFile(fileobj=packed),
    ".bz2": lambda packed: bz2.BZ2File(packed),
    ".xz": lambda packed: lzma.LZMAFile(packed),  # noqa: SIM115 (the file beneath is closed)
}
COMPRESSED = (*OPENERS, ".zst")


@contextmanager
def open_text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file, each with its "\\n"."""
    with open_blocks(path) as blocks:
        yield (line for block in blocks for line in io.StringIO(block))


@contextmanager
def open_blocks(path: Path) -> Iterator[Blocks]:
    """A file as texts of about a megabyte, each of whole lines."""
    if not path.is_file():
        flaw = "is a folder, not a file" if path.is_dir() else "does not exist"
        raise ReadError(f"{path} {flaw}. Check the path")
    with path.open("rb") as file:
        yield Blocks(path, file)


class Blocks:
    """Iterates over the blocks of an open file."""

    def __init__(self, path: Path, file: io.BufferedReader) -> None:
        self._path, self._file, self._size = path, file, max(1, path.stat().st_size)

    @property
    def share(self) -> float:
        """How much of the file, as it lies on disk, has been read."""
        return self._file.tell() / self._size

    def __iter__(self) -> Iterator[str]:
        newlines = io.IncrementalNewlineDecoder(None, translate=True)
        return (newlines.decode(_decoded(block)) for block in self._whole_lines())

    def _whole_lines(self) -> Iterator[bytearray]:
        held = bytearray()
        try:
            for piece in self._pieces():
                held += piece
                if len(held) >= SIZE:
                    whole = held.rfind(b"\n") + 1 or len(held)
                    block, held = held, held[whole:]
                    del block[whole:]  # cut, not copied
                    yield block
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            yield held[: held.rfind(b"\n") + 1]
            raise ReadError(
                f"{self._path} cannot be read to its end: {error}. Is the file complete?"
            ) from None
        yield held

    def _pieces(self) -> Iterator[bytes]:
        """What one step of reading yields, so that nothing read before a damaged place is lost."""
        packing = self._path.suffix.lower()
        if packing == ".zst":
            return _unpacked(self._file, self._path)
        file = OPENERS[packing](self._file) if packing in OPENERS else self._file
        return iter(partial(file.read1, SIZE), b"")


def _decoded(block: bytearray) -> str:
    try:
        text = block.decode()
    except UnicodeDecodeError:
        text = "".join(map(_decoded_line, block.splitlines(keepends=True)))
    return text.replace("\ufeff", "")  # byte order marks, also in the midst of files that were joined


def _decoded_line(line: bytearray) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _unpacked(file: io.BufferedReader, path: Path) -> Iterator[bytes]:
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
