"""What a recipe is, where recipes are found, and how a built system is kept and restored."""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import pkgutil
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, get_type_hints

from torch import nn

from zeroply.artefacts import load_checkpoint, save_checkpoint
from zeroply.encodings.base import Encoding
from zeroply.errors import ArtefactError, RecipeError
from zeroply.games import Game, game_named
from zeroply.games.stamp import check_stamp, stamp
from zeroply.objectives.terms import Measure, Terms
from zeroply.recipes.plan import Plan


@dataclass(frozen=True, kw_only=True)
class System:
    """A recipe built: all that training and export need, and nothing of how it came about."""

    recipe: str
    options: Any
    game: Game
    encoding: Encoding
    net: nn.Module
    """Streams -> outputs by name, as `players.base.Network` lists them."""
    objective: Terms
    plan: Plan
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """Reported by name beside the loss's terms; `top1` takes the place of the policy's."""


@dataclass(frozen=True)
class Recipe:
    """A named way to build a system for some games."""

    name: str
    games: tuple[str, ...]
    build: Callable[[Any, Game], System]
    options: type[Any]
    small: Mapping[str, Any]
    summary: str

    def explained(self) -> list[tuple[str, Any, str]]:
        """Each option with its default and the docstring beneath it."""
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(self.options))).body
        texts = {}
        for option, text in pairwise(body.body if isinstance(body, ast.ClassDef) else []):
            if isinstance(option, ast.AnnAssign) and isinstance(option.target, ast.Name):
                value = text.value if isinstance(text, ast.Expr) else None
                texts[option.target.id] = str(value.value) if isinstance(value, ast.Constant) else ""
        return [(field.name, field.default, texts.get(field.name, "")) for field in fields(self.options)]

    def make(self, game: Game, settings: Mapping[str, str]) -> System:
        """Build it with the named options changed, each given as text."""
        if game.name not in self.games:
            raise RecipeError(f"'{self.name}' is for {', '.join(self.games)}, not for {game.name}")
        known = get_type_hints(self.options)
        changes = {}
        for name, text in settings.items():
            if name not in known:
                raise RecipeError(f"'{self.name}' has no option '{name}'. Options: {', '.join(known)}")
            kind = known[name]
            try:
                changes[name] = TRUTH[text.lower()] if kind is bool else kind(text)
            except (ValueError, KeyError):
                allowed = (
                    f"one of {', '.join(kind)}" if issubclass(kind, StrEnum) else f"a valid {kind.__name__}"
                )
                raise RecipeError(f"option {name}={text} of '{self.name}' is not {allowed}") from None
        return self.build(self._options(changes), game)

    def make_small(self, game: Game) -> System:
        """Build it at the size that tests can train in seconds."""
        return self.build(self._options(self.small), game)

    def _options(self, changes: Mapping[str, Any]) -> Any:
        options = replace(self.options(), **changes)
        for option in fields(options):
            value = getattr(options, option.name)
            if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
                raise RecipeError(
                    f"option {option.name}={value} of '{self.name}' cannot be negative or endless"
                )
        for name in ("batch", "steps", "epochs"):
            if getattr(options, name, 1) < 1:
                raise RecipeError(
                    f"option {name}={getattr(options, name)} of '{self.name}' must be at least 1"
                )
        return options


BEST, LAST = "model.safetensors", "last.safetensors"
"""Checkpoints in a run folder: the best by its validation part (without one, the last), and the last."""
TRUTH = {"true": True, "false": False}
_REGISTRY: dict[str, Recipe] = {}


def recipe(
    name: str, *, games: tuple[str, ...], small: Mapping[str, Any]
) -> Callable[[Callable[[Any, Game], System]], Callable[[Any, Game], System]]:
    """Register `build(options, game)`; its module holds the `Options` and, as docstring, the summary.

    `small` are options of a net that tests can train in seconds on a CPU.
    """

    def register(build: Callable[[Any, Game], System]) -> Callable[[Any, Game], System]:
        module = importlib.import_module(build.__module__)
        summary = (module.__doc__ or "").strip().splitlines()[0]
        _REGISTRY[name] = Recipe(name, games, build, build.__globals__["Options"], small, summary)
        return build

    return register


def recipes() -> dict[str, Recipe]:
    """All recipes of this package."""
    import zeroply.recipes as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_REGISTRY.items()))


def find_recipe(name: str) -> Recipe:
    known = recipes()
    if name not in known:
        raise RecipeError(f"there is no recipe '{name}'. Recipes: {', '.join(known)}")
    return known[name]


def save(system: System, path: Path, training: Mapping[str, Any]) -> None:
    """A checkpoint that says how to rebuild its net, and how it was trained."""
    about = {
        "recipe": system.recipe,
        "options": asdict(system.options),
        **stamp(system.game),
        "training": dict(training),
    }
    save_checkpoint(path, system.net.state_dict(), about)


def begin_with(system: System, path: Path) -> dict[str, Any]:
    """Give a new system the weights of a trained one; returns how that was trained."""
    trained, about = restore(path)
    if (trained.recipe, trained.game.name) != (system.recipe, system.game.name):
        raise RecipeError(
            f"{path} is '{trained.recipe}' for {trained.game.name}; "
            f"this run trains '{system.recipe}' for {system.game.name}"
        )
    try:
        system.net.load_state_dict(trained.net.state_dict())
    except RuntimeError:
        built = ", ".join(
            f"{field.name}={getattr(trained.options, field.name)}"
            for field in fields(trained.options)
            if getattr(trained.options, field.name) != getattr(system.options, field.name)
        )
        raise RecipeError(f"{path} has weights of another shape. It was built with {built}") from None
    training: dict[str, Any] = about["training"]
    return training


def restore(path: Path) -> tuple[System, dict[str, Any]]:
    """The system of a checkpoint or of a run folder's best one, weights loaded, in evaluation mode; and what
    the file says of itself."""
    if path.is_dir():
        path = path / (BEST if (path / BEST).exists() else LAST)
    tensors, about = load_checkpoint(path)
    game = game_named(about["game"])
    check_stamp(about, game, str(path))
    known = find_recipe(about["recipe"])
    try:
        system = known.build(known.options(**about["options"]), game)
        system.net.load_state_dict(tensors)
    except (TypeError, RuntimeError) as error:
        raise ArtefactError(
            f"{path} does not fit the recipe '{known.name}' of this version: {error}"
        ) from None
    system.net.eval()
    if isinstance(system.encoding, nn.Module):
        system.encoding.eval()
    return system, about


def parameters(net: nn.Module) -> int:
    return sum(weight.numel() for weight in net.parameters())
