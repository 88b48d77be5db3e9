"""Text out of files: every packing, letters of two alphabets, and archives that break off."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from zeroply.corpus.readers.files import SIZE, open_blocks, open_text
from zeroply.errors import MissingExtraError, ReadError

PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lambda text: lzma.compress(text, preset=0),
    ".zst": lambda text: (
        zstandard.compress(text[: len(text) // 2]) + zstandard.compress(text[len(text) // 2 :])
    ),
}
LINES = [f"{number} {number * number % 1_000_003}\n" for number in range(120_000)]
"""More than one block."""


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("suffix", PACK)
def test_every_packing_gives_the_same_lines(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path, f"numbers.txt{suffix}", PACK[suffix]("".join(LINES).encode()))
    with open_text(path) as lines:
        assert list(lines) == LINES
    with open_blocks(path) as blocks:
        sizes = [len(block) for block in blocks if block.endswith("\n")]
    assert sum(sizes) == sum(map(len, LINES))
    assert max(sizes) < 2 * SIZE


@pytest.mark.parametrize("suffix", [suffix for suffix in PACK if suffix])
def test_a_cut_archive_gives_its_lines_and_then_an_error(tmp_path: Path, suffix: str) -> None:
    whole = PACK[suffix]("".join(LINES).encode())
    path = write(tmp_path, f"numbers.txt{suffix}", whole[: len(whole) * 3 // 4])
    got: list[str] = []
    with (
        pytest.raises(ReadError, match=r"numbers\.txt.* cannot be read to its end"),
        open_text(path) as lines,
    ):
        got.extend(lines)  # a list keeps what came before the error
    assert len(LINES) // 3 < len(got) < len(LINES)
    assert got == LINES[: len(got)]


@pytest.mark.parametrize("suffix", [suffix for suffix in PACK if suffix])
def test_what_is_no_archive_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path, f"x.pgn{suffix}", b"no archive" * 10)
    with pytest.raises(ReadError, match="Is the file complete"), open_text(path) as lines:
        list(lines)


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = write(tmp_path, "x.pgn.zst", zstandard.compress(b"x"))
    with pytest.raises(MissingExtraError, match=r"x\.pgn\.zst.*zeroply\[data\]"), open_text(path) as lines:
        list(lines)


def test_lines_are_utf_8_or_else_latin_1(tmp_path: Path) -> None:
    content = "Hübner\n".encode() + "Hübner\r\n".encode("latin-1") + "\ufeffĐurić\r".encode() + b"x"
    with open_text(write(tmp_path, "names.txt", content)) as lines:
        assert list(lines) == ["Hübner\n", "Hübner\n", "Đurić\n", "x"]


@given(st.lists(st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]))))
def test_utf_8_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    text = "\n".join(lines)
    path = write(tmp_path_factory.mktemp("text"), "x.txt", text.encode())
    with open_text(path) as found:
        assert list(found) == list(io.StringIO(text))
