"""Corpora that this program cannot use, by every command that opens one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.commands import Command, names_in
from tests.sources import SAMPLE
from zeroply.corpus.score import Split

LOOKS = {
    "info": ["data", "info", "CORPUS"],
    "sql": ["data", "sql", "CORPUS", "SELECT 1 FROM games"],
    "show": ["data", "show", "CORPUS"],
    "export": ["data", "export", "CORPUS", "OUT", "--format", "pgn"],
    "train": ["train", "intuition", "CORPUS", "--out", "OUT", "--set", "batch=64"],
    "eval": ["eval", "accuracy", "chess", "CORPUS"],
}


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def changed(**other: object) -> Callable[[Path], None]:
    def change(corpus: Path) -> None:
        path = corpus / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | other))

    return change


def spoilt(name: str, at: int, value: int) -> Callable[[Path], None]:
    def change(corpus: Path) -> None:
        array = np.load(corpus / f"{name}.npy")
        array[at] = value
        np.save(corpus / f"{name}.npy", array)

    return change


def too_long_a_past(corpus: Path) -> None:
    offsets = np.load(corpus / "offsets.npy")
    np.save(corpus / "past.npy", (np.diff(offsets) + 1).astype(np.uint16))
    changed(past=1)(corpus)


def into_a_file(corpus: Path) -> None:
    shutil.rmtree(corpus)
    shutil.copy(SAMPLE, corpus)


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "schema": (changed(schema=99), "has corpus schema 99; this program reads 1. Build it again"),
    "table": (changed(digest="0" * 12), "was made for move table 000000000000"),
    "game": (changed(game="go"), "'go'"),
    "manifest": (lambda corpus: cut(corpus / "manifest.json"), "manifest.json cannot be read"),
    "no manifest": (lambda corpus: (corpus / "manifest.json").unlink(), "it has no manifest.json"),
    "moves": (lambda corpus: cut(corpus / "moves.npy"), "moves.npy cannot be read"),
    "offsets": (lambda corpus: np.save(corpus / "offsets.npy", np.arange(9)), "is damaged"),
    "offsets go down": (spoilt("offsets", at=3, value=0), "offsets.npy does not count from 0 up"),
    "offsets from 1": (spoilt("offsets", at=0, value=1), "offsets.npy does not count from 0 up"),
    "dtype": (
        lambda corpus: np.save(corpus / "moves.npy", np.load(corpus / "moves.npy").astype(np.int64)),
        "moves.npy holds int64 ",
    ),
    "junk": (
        lambda corpus: (corpus / "moves.npy").write_text("junk"),
        "moves.npy cannot be read, it is no array or cut short",
    ),
    "empty": (
        lambda corpus: (corpus / "years.npy").write_bytes(b""),
        "years.npy cannot be read, it is no array or cut short",
    ),
    "missing": (lambda corpus: (corpus / "kinds.npy").unlink(), "kinds.npy cannot be read, No such file"),
    "kinds": (spoilt("kinds", at=0, value=9), "kinds.npy has 9 where 3 is the most"),
    "splits": (spoilt("splits", at=0, value=9), "splits.npy has 9 where 2 is the most"),
    "results": (spoilt("results", at=0, value=9), "results.npy has 9 where 3 is the most"),
    "starts": (spoilt("starts", at=0, value=9), "starts.npy has 9 where -1 is the most"),
    "past": (too_long_a_past, "past.npy has more moves than there are"),
    "counts": (changed(games=5), "is damaged: "),
    "no counts": (changed(plies=None), "its manifest does not tell its plies"),
    "no tags": (lambda corpus: (corpus / "tags.parquet").unlink(), "tags.parquet is missing"),
    "junk tags": (lambda corpus: (corpus / "tags.parquet").write_text("junk"), "tags.parquet cannot be read"),
    "a file": (into_a_file, "is a file, not a corpus, nor can it become one"),
}


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=() if look in ("info", "sql") else pytest.mark.slow) for look in LOOKS],
)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_corpus_that_cannot_be_used_is_refused(
    refused: Callable[..., str], sample: Path, tmp_path: Path, look: str, damage: str
) -> None:
    if (look, damage) == ("show", "a file"):
        pytest.skip("that is a source")
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    shutil.copytree(sample, corpus)
    change, message = DAMAGE[damage]
    change(corpus)
    line = refused(*(str({"CORPUS": corpus, "OUT": out}.get(word, word)) for word in LOOKS[look]))
    if (look, damage) != ("show", "no manifest"):  # then it is a folder of plain arrays, and a bad one
        assert message in line
    assert str(corpus) in line or damage == "game"
    assert "pickle" not in line
    assert names_in(tmp_path) == {"corpus"}


REPLAYS = {name: words for name, words in LOOKS.items() if name not in ("info", "sql")}


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=pytest.mark.slow if look in ("train", "eval") else ()) for look in REPLAYS],
)
def test_a_move_beyond_the_table_is_named_with_its_game(
    zeroply: Command, sample: Path, tmp_path: Path, look: str
) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    shutil.copytree(sample, corpus)
    moves, splits = np.load(corpus / "moves.npy"), np.load(corpus / "splits.npy")
    moves[:] = 60000
    splits[:3] = Split.test  # so that an evaluation has something to look at
    np.save(corpus / "moves.npy", moves)
    np.save(corpus / "splits.npy", splits)
    done = zeroply(*(str({"CORPUS": corpus, "OUT": out}.get(word, word)) for word in LOOKS[look]))
    assert done.code == 2
    *before, line = done.error.splitlines()
    assert not before or look == "train"  # which has said by then what it is about to do
    assert f"{corpus} is damaged: game " in line
    assert "has move 60000, which is not in the move table" in line
    assert names_in(tmp_path) == {"corpus"}


def test_a_move_that_is_not_legal_is_named_with_its_game(
    refused: Callable[..., str], sample: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(sample, corpus)
    spoilt("moves", at=int(np.load(corpus / "offsets.npy")[2]), value=0)(corpus)
    line = refused("data", "show", corpus, "--game-number", 3)
    assert f"{corpus} is damaged: game 3: a1a2 is not legal in " in line


def test_tags_that_are_damaged_within_are_named(
    refused: Callable[..., str], sample: Path, tmp_path: Path
) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    shutil.copytree(sample, corpus)
    content = (corpus / "tags.parquet").read_bytes()
    (corpus / "tags.parquet").write_bytes(content[:4] + b"\xff" * (len(content) - 8) + content[-4:])
    for look in ("sql", "show", "export"):
        line = refused(*(str({"CORPUS": corpus, "OUT": out}.get(word, word)) for word in LOOKS[look]))
        assert f"{corpus} is damaged: tags.parquet cannot be read. Build it again" in line
