"""What a recipe is, and what it builds."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any, get_type_hints

from torch import nn

from zeroply.encodings.base import Encoding
from zeroply.errors import RecipeError, shortened
from zeroply.games import Game
from zeroply.objectives.terms import Measure, Terms
from zeroply.recipes.bounds import flaw
from zeroply.recipes.plan import Plan
from zeroply.recipes.room import built_in_room

TRUTH = {"true": True, "false": False}
IN_WORDS = {int: "a whole number", float: "a number", bool: "true or false"}


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
    variants: tuple[Mapping[str, Any], ...]
    """Further options, each beside `small`, that make a net worth testing."""
    summary: str
    presets: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """Options that choose several others at once: `presets["size"]["m"]["width"]`. Values without an entry
    leave the defaults, and what is set by name wins."""
    revision: int = 1
    """One more when the same weights come to answer otherwise, so that none is taken for what it was not."""

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
            raise RecipeError(
                f"'{self.name}' is for {', '.join(self.games)}, not for {game.name}. "
                "Choose another recipe (zeroply recipes) or corpus"
            )
        known = get_type_hints(self.options)
        changes = {}
        for name, text in settings.items():
            if name not in known:
                raise RecipeError(f"'{self.name}' has no option '{name}'. Options: {', '.join(known)}")
            kind = known[name]
            try:
                changes[name] = TRUTH[text.lower()] if kind is bool else kind(text)
            except (ValueError, KeyError):
                allowed = f"one of {', '.join(kind)}" if issubclass(kind, StrEnum) else IN_WORDS[kind]
                raise RecipeError(
                    f"option {name}={shortened(text)} of '{self.name}' is not {allowed}"
                ) from None
        return self.built(self._options(changes), game)

    def make_small(self, game: Game, variant: Mapping[str, Any] | None = None) -> System:
        """Build it at the size that tests can train in seconds."""
        return self.built(self._options({**self.small, **(variant or {})}), game)

    def built(self, options: Any, game: Game) -> System:
        self._check(options)
        system = built_in_room(lambda: self.build(options, game))
        if system.recipe != self.name:
            raise RecipeError(f"the recipe '{self.name}' builds a System(recipe='{system.recipe}')")
        return system

    def _options(self, changes: Mapping[str, Any]) -> Any:
        chosen = [values.get(changes.get(name, ""), {}) for name, values in self.presets.items()]
        preset = {option: value for values in chosen for option, value in values.items()}
        return replace(self.options(), **{**preset, **changes})

    def _check(self, options: Any) -> None:
        for option in fields(options):
            value = getattr(options, option.name)
            wrong = flaw(option, value) if isinstance(value, int | float) else None
            if wrong is not None:
                raise RecipeError(f"option {option.name}={shortened(str(value))} of '{self.name}' {wrong}")


def parameters(net: nn.Module) -> int:
    return sum(weight.numel() for weight in net.parameters())
