"""The layout of DESIGN: imports point one way, and what needs no torch imports none."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import zeroply

SOURCE = Path(zeroply.__file__).parent
LAYERS = (
    "errors",
    "exits",
    "arguments",
    "durations",
    "silent_onnxruntime",
    "artefacts",
    "games",
    "corpus",
    "encodings",
    "nets",
    "heads",
    "objectives",
    "recipes",
    "training",
    "players",
    "evals",
    "apps",
)
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem in LAYERS)


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_layers(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it points"
            module = node.module or ""
            names += [f"zeroply.{alias.name}" for alias in node.names] if module == "zeroply" else [module]
        found |= {name.split(".")[1] for name in names if name.startswith("zeroply.")}
    return found - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_upward_only(path: Path) -> None:
    allowed = LAYERS[: LAYERS.index(layer_of(path)) + 1]
    assert imported_layers(path) <= set(allowed)


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_help_and_uci_import_no_torch() -> None:
    loaded = modules_after(
        "import zeroply.apps.cli, zeroply.apps.uci, zeroply.apps.ucci, zeroply.apps.lichess"
    )
    assert not loaded & {"torch", "pytorch_lightning", "fastapi", "pyarrow"}


@pytest.mark.slow
def test_the_server_imports_no_torch() -> None:
    assert "torch" not in modules_after("import zeroply.apps.web.serving")
