"""Corpora that this program cannot use, by every command that opens one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.commands import names_in

LOOKS = {
    "info": ["data", "info", "CORPUS"],
    "sql": ["data", "sql", "CORPUS", "SELECT 1 FROM games"],
    "show": ["data", "show", "CORPUS"],
    "export": ["data", "export", "CORPUS", "OUT", "--format", "pgn"],
    "train": ["train", "intuition", "CORPUS", "--out", "OUT"],
    "eval": ["eval", "accuracy", "chess", "CORPUS"],
}


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def changed(**other: object) -> Callable[[Path], None]:
    def change(corpus: Path) -> None:
        path = corpus / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | other))

    return change


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "schema": (changed(schema=99), "has corpus schema 99; this program reads 1. Build it again"),
    "table": (changed(digest="0" * 12), "was made for move table 000000000000"),
    "game": (changed(game="go"), "'go'"),
    "manifest": (lambda corpus: cut(corpus / "manifest.json"), "manifest.json cannot be read"),
    "no manifest": (lambda corpus: (corpus / "manifest.json").unlink(), "manifest.json is missing"),
    "moves": (lambda corpus: cut(corpus / "moves.npy"), "moves.npy cannot be read"),
    "offsets": (lambda corpus: np.save(corpus / "offsets.npy", np.arange(9)), "is damaged"),
}


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=pytest.mark.slow if look in ("train", "eval") else ()) for look in LOOKS],
)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_corpus_that_cannot_be_used_is_refused(
    refused: Callable[..., str], sample: Path, tmp_path: Path, look: str, damage: str
) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    shutil.copytree(sample, corpus)
    change, message = DAMAGE[damage]
    change(corpus)
    line = refused(*(str({"CORPUS": corpus, "OUT": out}.get(word, word)) for word in LOOKS[look]))
    if (look, damage) != ("show", "no manifest"):  # then it is a folder of plain arrays, and a bad one
        assert message in line
    assert str(corpus) in line or damage == "game"
    assert names_in(tmp_path) == {"corpus"}
