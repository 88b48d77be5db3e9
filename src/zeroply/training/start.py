"""What a run begins with where it is not chance: the weights of a trained net, and what shape it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from zeroply.errors import RecipeError, needs
from zeroply.games import Game
from zeroply.recipes import System, find_recipe, restore
from zeroply.recipes.base import Recipe
from zeroply.training.answers import answers, answers_as
from zeroply.training.ranks import say


@dataclass(frozen=True)
class Start:
    """A trained net, and what its file says of itself."""

    path: Path
    trained: System
    about: Mapping[str, Any]

    @classmethod
    def opened(cls, path: Path) -> Start:
        if path.is_dir() or path.suffix != ".onnx":
            return cls(path, *restore(path))
        with needs("train", f"training on the weights of {path}"):
            from zeroply.training.read_back import read_back
        return cls(path, *read_back(path))

    def settings(self, recipe: Recipe, game: Game, asked: Mapping[str, str]) -> dict[str, str]:
        """What was asked for; of what was not, the options that made this net what it is."""
        if (self.trained.recipe, self.trained.game.name) != (recipe.name, game.name):
            raise RecipeError(
                f"{self.path} is '{self.trained.recipe}' for {self.trained.game.name}; this run trains "
                f"'{recipe.name}' for {game.name}. Give --start-from a model of the same"
            )
        made = recipe.make(game, asked).options
        left_open = [
            option.name
            for option in fields(made)
            if option.name not in asked and getattr(made, option.name) == option.default
        ]
        blamed = self._blamed(made)
        chosen = [*recipe.presets, *blamed] if blamed else []
        own = {name: str(getattr(self.trained.options, name)) for name in left_open if name in chosen}
        return {**asked, **own}

    def give(self, system: System) -> dict[str, Any]:
        """Give a new system its weights, as far as that has such parts; returns how they were trained."""
        if not _takes(system, self.trained):
            others = self._blamed(system.options)
            if not others:  # the very same net: only what is not a number differs from itself
                raise RecipeError(f"{self.path} answers with what is not a number. Start from another")
            built = ", ".join(f"{name}={getattr(self.trained.options, name)}" for name in others)
            raise RecipeError(
                f"{self.path} is another net: it was built with {built}. "
                "Set nothing else, or start from another"
            )
        if left := answers(self.trained).keys() - answers(system).keys():
            say(f"{self.path} also answers {', '.join(sorted(left))}, which this run leaves out")
        rounded = (
            {"weights": self.about["weights"]} if "weights" in self.about else {}
        )  # of an exported model
        return {**self.about["training"], **rounded}

    def _blamed(self, options: Any) -> list[str]:
        """Options by which a net is another than this one: each alone, or if none is alone, all together."""
        others = [
            option.name
            for option in fields(options)
            if getattr(options, option.name) != getattr(self.trained.options, option.name)
        ]
        known = find_recipe(self.trained.recipe)
        if self._fits(known, {name: getattr(options, name) for name in others}):
            return []
        return [name for name in others if not self._fits(known, {name: getattr(options, name)})] or others

    def _fits(self, recipe: Recipe, changes: Mapping[str, Any]) -> bool:
        """Whether a net that is built so is this one: how it is trained makes no difference."""
        try:
            return _takes(
                recipe.built(replace(self.trained.options, **changes), self.trained.game), self.trained
            )
        except RecipeError:  # one that cannot be
            return False


def _takes(system: System, trained: System) -> bool:
    """Gives a system the weights of a trained one, which may have further heads, and tells whether it then
    answers the same."""
    weights, own = trained.net.state_dict(), system.net.state_dict()
    if own.keys() - weights.keys():
        return False
    try:
        system.net.load_state_dict({name: weights[name] for name in own})
    except RuntimeError:  # other shapes
        return False
    return answers_as(system, trained)
