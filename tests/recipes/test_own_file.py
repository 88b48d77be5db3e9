"""A recipe in a file of one's own: the package does not know it, and it passes the tests of the others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import PROGRAM
from tests.sources import CHESS, ROOT, SAMPLE
from zeroply.artefacts import load_checkpoint, save_checkpoint
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.errors import RecipeError
from zeroply.recipes import find_recipe, recipes, restore, save
from zeroply.recipes.registry import asked_for

OWN = '''"""Squares facing the mover through a single layer: as simple as a recipe can be."""

from dataclasses import dataclass

from torch import nn

from zeroply.encodings.squares import Squares
from zeroply.encodings.told import Mover
from zeroply.games import Game
from zeroply.heads.moves import FromTo
from zeroply.nets.embed import EmbedVectors
from zeroply.nets.net import Net
from zeroply.objectives.policy import PolicyNLL
from zeroply.objectives.terms import Terms
from zeroply.recipes import Plan, System, recipe
from zeroply.recipes.bounds import at_least_one
from zeroply.recipes.plan import AdamW, Steps
from zeroply.recipes.schedules import Constant


@dataclass(frozen=True, kw_only=True)
class Options:
    width: int = 64
    """Numbers in a token."""
    batch: int = at_least_one(128)
    """Positions in a step."""
    steps: int = at_least_one(200)
    """Steps of a run."""


@recipe("plain", games=("chess", "xiangqi"), small={"width": 48})
def build(options: Options, game: Game) -> System:
    encoding = Squares(game, history=1, told=Mover())
    return System(
        recipe="plain",
        options=options,
        game=game,
        encoding=encoding,
        net=Net(
            embed=EmbedVectors(encoding.streams["squares"], "squares", options.width),
            trunk=nn.Sequential(nn.Linear(options.width, options.width), nn.GELU()),
            heads={"policy": FromTo(game, options.width)},
        ),
        objective=Terms(policy=(1.0, PolicyNLL())),
        plan=Plan(
            batch=options.batch,
            length=Steps(options.steps),
            optimizer=AdamW(rate=3e-3),
            schedule=Constant(),
        ),
    )
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "plain.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def run(*arguments: str, own: Path | None = None) -> subprocess.CompletedProcess[str]:
    """In a process of its own, so that the file's recipe is not found by other tests."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    if own is not None:
        environment["ZEROPLY_RECIPES"] = str(own)
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


CLI = PROGRAM[1:]  # what follows the name of the interpreter


@pytest.mark.slow
def test_it_passes_the_tests_of_the_others(own: Path) -> None:
    done = run(
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/recipes/test_recipes.py",
        "-vv",
        "-k",
        "plain",
        own=own,
    )
    assert done.returncode == 0, done.stdout
    assert "test_a_short_run_teaches_more_than_frequencies[plain] PASSED" in done.stdout
    for game in ("chess", "xiangqi"):
        assert f"test_the_exported_graph_equals_torch[plain-{game}] PASSED" in done.stdout


@pytest.mark.slow
def test_it_is_trained_exported_and_played(own: Path, tmp_path: Path) -> None:
    corpus, made = tmp_path / "corpus", str(tmp_path / "run")
    build(corpus, [SAMPLE], CHESS, shares={Split.validation: 0.1})
    trained = run(*CLI, "train", str(own), str(corpus), "--out", made, "--set", "steps=20")
    assert trained.returncode == 0, trained.stderr
    unknown = run(*CLI, "predict", "--model", made)
    assert unknown.returncode == 2
    assert "no recipe 'plain'" in unknown.stderr
    assert "ZEROPLY_RECIPES=FILE.py" in unknown.stderr
    predicted = run(*CLI, "predict", "--model", made, "--json", own=own)
    assert predicted.returncode == 0, predicted.stderr
    exported = run(*CLI, "export", made, str(tmp_path / "plain.onnx"), own=own)
    assert exported.returncode == 0, exported.stderr
    alone = run(*CLI, "predict", "--model", str(tmp_path / "plain.onnx"), "--json")
    assert alone.returncode == 0, alone.stderr


def _unread(name: str, reason: str) -> str:
    """What is said where the line behind `OWN` is wrong."""
    return f"{name}.py, line {OWN.count(chr(10)) + 2}, cannot be loaded: {reason}"


def test_files_without_a_recipe_are_refused_and_leave_nothing_behind(tmp_path: Path) -> None:
    known = recipes()
    for name, text, complaint in (
        ("empty", "", "empty.py has 0 recipes"),
        (
            "broken",
            OWN + "\nimport nothing_of_this_name",
            _unread("broken", "ModuleNotFoundError: "),
        ),
        ("no_python", OWN + "\ndef (", _unread("no_python", "SyntaxError: invalid syntax")),
        ("taken", OWN.replace('"plain"', '"intuition"'), "there is a recipe 'intuition' already"),
    ):
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        for _ in range(2):
            with pytest.raises(RecipeError, match=re.escape(complaint)):
                asked_for(str(path))
    with pytest.raises(RecipeError, match=r"missing\.py\. Name one"):
        asked_for(str(tmp_path / "missing.py"))
    assert recipes() == known


def test_a_checkpoint_cannot_name_a_file_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints come from others; what they say is no reason to run a file that lies about."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('ran', 'w').close()", encoding="utf-8")
    system = find_recipe("intuition").make_small(CHESS)
    save(system, tmp_path / "m.safetensors", {})
    tensors, about = load_checkpoint(tmp_path / "m.safetensors")
    save_checkpoint(tmp_path / "m.safetensors", tensors, {**about, "recipe": "evil.py"})
    with pytest.raises(RecipeError, match=r"there is no recipe 'evil\.py'"):
        restore(tmp_path / "m.safetensors")
    assert not (tmp_path / "ran").exists()


@pytest.mark.usefixtures("forgotten_recipes")
def test_a_recipe_whose_system_has_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "copied.py"
    path.write_text(OWN.replace('@recipe("plain"', '@recipe("copied"'), encoding="utf-8")
    copied = asked_for(str(path))
    with pytest.raises(RecipeError, match=r"the recipe 'copied' builds a System\(recipe='plain'\)"):
        copied.make_small(CHESS)
