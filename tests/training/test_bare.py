"""Every recipe can be trained where only torch, Lightning, numpy and safetensors are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import CHESS, ROOT, XIANGQI
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.recipes import recipes

EXAMPLES = {"chess": ["games.pgn", "evals.csv"], "xiangqi": ["xiangqi.pgn"]}


@pytest.mark.slow
def test_all_recipes_train_on_a_bare_machine(tmp_path: Path) -> None:
    for game in (CHESS, XIANGQI):
        sources = [ROOT / "examples" / name for name in EXAMPLES[game.name]]
        build(tmp_path / game.name, sources, game, shares={Split.validation: 0.1, Split.test: 0.1})
    commands: list[str] = []
    runs = []
    for name, recipe in recipes().items():
        for played in recipe.games:
            runs.append(tmp_path / f"{name}-{played}")
            sizes = [f"--set={option}={value}" for option, value in recipe.small.items()]
            where = [str(tmp_path / played), f"--out={runs[-1]}", "--max-time=00:00:01"]
            commands += [name, *where, *sizes, "--"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.bare", "zeroply.training", *commands],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    missing = done.stdout.partition("\n")[0].split()
    assert {"chess", "onnxruntime", "typer", "tensorboard", "pytest"} <= set(missing)
    for run in runs:
        left = {path.name for path in run.iterdir()}
        assert {"model.safetensors", "last.safetensors", "metrics.jsonl", "curves.svg"} <= left
        assert not any("tfevents" in name for name in left)
