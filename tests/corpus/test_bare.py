"""Corpora are built where numpy alone is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.sources import CHESS, ROOT, SAMPLE, XIANGQI, XIANGQI_SAMPLE
from zeroply.corpus.__main__ import main
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.show import describe, find_game
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games import Game

EVALS = ROOT / "examples" / "evals.csv"


def built(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.training.bare", "zeroply.corpus", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        check=False,
    )


def same_but_for_tags(bare: Corpus, whole: Corpus) -> None:
    names = {path.name for path in whole.path.glob("*.npy")}
    assert {path.name for path in bare.path.glob("*.npy")} == names
    for name in names:
        assert np.array_equal(np.load(bare.path / name), np.load(whole.path / name)), name
    assert whole.tags().num_columns
    assert not bare.tags().num_columns
    assert {**whole.manifest, "tags": 0} == bare.manifest


@pytest.mark.slow
def test_a_corpus_without_its_tags(tmp_path: Path) -> None:
    done = built(tmp_path / "bare", XIANGQI_SAMPLE, "--game=xiangqi", "--validation=0.2", "--test=0")
    assert done.returncode == 0, done.stderr
    assert "pyarrow" in done.stdout.partition("\n")[0].split()
    build(tmp_path / "whole", [XIANGQI_SAMPLE], XIANGQI, shares={Split.validation: 0.2})
    same_but_for_tags(Corpus.open(tmp_path / "bare"), Corpus.open(tmp_path / "whole"))
    again = built(tmp_path / "bare", XIANGQI_SAMPLE, "--game=xiangqi")
    assert again.returncode == 2
    assert f"{tmp_path / 'bare'} exists" in again.stderr


@pytest.mark.slow
def test_what_chess_needs_besides_is_named(tmp_path: Path) -> None:
    done = built(tmp_path / "bare", EVALS)
    assert done.returncode == 2
    assert done.stderr == "this needs the package 'chess'. Install it: pip install chess\n"
    assert not (tmp_path / "bare").exists()


@pytest.mark.parametrize("words", [["--validation=nan"], ["--validation=0.5", "--test=0.5"], ["--test=-0.1"]])
def test_shares_that_are_none_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["corpus", str(tmp_path / "out"), str(SAMPLE), *words])
    with pytest.raises(ZeroplyError, match="shares that leave some games to train on"):
        main()
    assert not list(tmp_path.iterdir())


def test_a_source_that_gave_no_game_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.pgn").touch()
    words = [str(path) for path in (tmp_path / "out", SAMPLE, tmp_path / "empty.pgn")]
    monkeypatch.setattr(sys, "argv", ["corpus", *words])
    main()
    assert f"{tmp_path / 'empty.pgn'} gave no game: there is none in it" in capsys.readouterr().err


@pytest.mark.parametrize(("source", "game"), [(SAMPLE, CHESS), (EVALS, CHESS), (XIANGQI_SAMPLE, XIANGQI)])
def test_tags_alone_are_left_out(source: Path, game: Game, tmp_path: Path) -> None:
    build(tmp_path / "whole", [source], game)
    build(tmp_path / "bare", [source], game, with_tags=False)
    same_but_for_tags(Corpus.open(tmp_path / "bare"), Corpus.open(tmp_path / "whole"))
    assert describe(*find_game(tmp_path / "bare", 1, game))


def test_a_build_begun_with_tags_leaves_none(tmp_path: Path) -> None:
    def kill(games: int, share: float) -> None:
        raise KeyboardInterrupt

    build(tmp_path / "whole", [SAMPLE], CHESS)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "bare", [SAMPLE], CHESS, progress=kill)
    assert list(tmp_path.glob(".bare.building/*/*/tags.arrow")), "nothing had been read"
    build(tmp_path / "bare", [SAMPLE], CHESS, with_tags=False)
    same_but_for_tags(Corpus.open(tmp_path / "bare"), Corpus.open(tmp_path / "whole"))
