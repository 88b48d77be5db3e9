"""Where recipes are found: in this package, and in files of your own.

A checkpoint names its recipe and never brings code along: whoever opens one that a recipe of another's file
made, names that file in ZEROPLY_RECIPES.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import pkgutil
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zeroply.errors import RecipeError
from zeroply.games import Game
from zeroply.recipes.base import Recipe, System

FILES = "ZEROPLY_RECIPES"
"""Environment variable: files with recipes, separated as in PATH."""
_REGISTRY: dict[str, Recipe] = {}
_OF_FILE: dict[Path, Recipe] = {}


def recipe(
    name: str,
    *,
    games: tuple[str, ...],
    small: Mapping[str, Any],
    variants: tuple[Mapping[str, Any], ...] = (),
    presets: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    revision: int = 1,
) -> Callable[[Callable[[Any, Game], System]], Callable[[Any, Game], System]]:
    """Register `build(options, game)`; its module holds the `Options` and, as docstring, the summary.

    `small` are options of a net that tests can train in seconds on a CPU; `variants` change it further, each
    into a net that must pass the same tests. `presets` name options whose values choose several others.
    `revision` goes up by one when nets come to answer otherwise with the same weights.
    """

    def register(build: Callable[[Any, Game], System]) -> Callable[[Any, Game], System]:
        if name in _REGISTRY:
            raise RecipeError(f"there is a recipe '{name}' already. Give the one in your file another name")
        summary = (sys.modules[build.__module__].__doc__ or "").strip().partition("\n")[0]
        options = build.__globals__["Options"]
        _REGISTRY[name] = Recipe(
            name, games, build, options, small, variants, summary, presets or {}, revision
        )
        return build

    return register


def recipes() -> dict[str, Recipe]:
    """All recipes of this package and of the files that ZEROPLY_RECIPES names."""
    _load_own()
    for file in filter(None, os.environ.get(FILES, "").split(os.pathsep)):
        recipe_in_file(Path(file))
    return dict(sorted(_REGISTRY.items()))


def find_recipe(name: str) -> Recipe:
    """The recipe of this name. Names come from checkpoints too, so a name is never taken for a file."""
    _load_own()
    known = _REGISTRY if name in _REGISTRY else recipes()
    if name not in known:
        raise RecipeError(
            f"there is no recipe '{name}'. Recipes: {', '.join(known)}; or FILE.py, a file with one. "
            f"Checkpoints of such a recipe are opened with {FILES}=FILE.py in the environment"
        )
    return known[name]


def asked_for(text: str) -> Recipe:
    """What a person means by RECIPE on a command line: a name, or FILE.py."""
    return recipe_in_file(Path(text)) if text.endswith(".py") else find_recipe(text)


def recipe_in_file(path: Path) -> Recipe:
    """Runs the file: only for those that a person has named."""
    path = path.resolve()
    if path not in _OF_FILE:
        _load_own()  # so that a name taken twice is the file's mistake
        before = dict(_REGISTRY)
        module = f"zeroply_recipe_{path.stem}_{hashlib.sha256(bytes(path)).hexdigest()[:8]}"
        try:
            _run(path, module)
            found = [name for name in _REGISTRY if name not in before]
            if len(found) != 1:
                raise RecipeError(
                    f"{path} has {len(found)} recipes, not one. Mark its build(options, game) with @recipe(…)"
                )
        except RecipeError:
            _REGISTRY.clear()
            _REGISTRY.update(before)
            sys.modules.pop(module, None)
            raise
        _OF_FILE[path] = _REGISTRY[found[0]]
    return _OF_FILE[path]


def _load_own() -> None:
    import zeroply.recipes as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def _run(path: Path, name: str) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise RecipeError(f"there is no file {path}. Name one with a recipe, or see: zeroply recipes")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and the decorator look it up there
    try:
        spec.loader.exec_module(module)
    except RecipeError:
        raise
    except Exception as error:  # whatever is wrong in a file of someone's own
        raise RecipeError(f"{path}{_line(path, error)} cannot be loaded: {_reason(error)}") from error


def _line(path: Path, error: Exception) -> str:
    """The last line of the file that was carried out, or the one that is not Python."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f", line {error.lineno},"
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == str(path)]
    return f", line {lines[-1]}," if lines else ""


def _reason(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}"
