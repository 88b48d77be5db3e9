"""What a run begins with where it is not chance: the weights of a trained net, and what shape it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from zeroply.errors import RecipeError, needs
from zeroply.games import Game
from zeroply.recipes import System, find_recipe, restore
from zeroply.recipes.base import Recipe, parameters
from zeroply.training.answers import answers, answers_as, answers_nearly_as
from zeroply.training.growing import grown
from zeroply.training.ranks import say

GENTLER = 10
"""Steps as long as those of a net that knows nothing would make a trained one forget: the bundled chess net
lost 0.17 nats in seven (docs/log.md)."""


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
        """What was asked for; of what was not, the options that made this net what it is, its optimizer, and
        a part of its rate."""
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
        blamed = self._blamed(made, _takes)
        chosen = [*recipe.presets, *blamed] if blamed else []
        own = {
            name: str(getattr(self.trained.options, name))
            for name in left_open
            if name in (*chosen, "optimizer")
        }
        return {**asked, **own, **(self._gentler() if "rate" in left_open else {})}

    def _gentler(self) -> dict[str, str]:
        rate = f"{self.trained.options.rate / GENTLER:.4g}"
        say(f"rate={rate}, a tenth of the one that {self.path} was trained at; --set rate=… for another")
        return {"rate": rate}

    def give(self, system: System) -> dict[str, Any]:
        """Give a new system its weights, as far as that has such parts, or let it grow out of them; returns
        how they were trained."""
        if not _begins(system, self.trained):
            others = self._blamed(system.options, _begins)
            if not others:  # the very same net: only what is not a number differs from itself
                raise RecipeError(f"{self.path} answers with what is not a number. Start from another")
            built = ", ".join(f"{name}={getattr(self.trained.options, name)}" for name in others)
            raise RecipeError(
                f"{self.path} is another net: it was built with {built}. "
                "Set nothing else but more depth or inner, or start from another"
            )
        self._tell(system)
        # Of an exported model:
        rounded = {"weights": self.about["weights"]} if "weights" in self.about else {}
        return {**self.about["training"], **rounded}

    def _tell(self, system: System) -> None:
        """How the new net differs."""
        small, large = parameters(self.trained.net), parameters(system.net)
        if large > small:
            say(f"{self.path} grows from {small:,} parameters to {large:,}")
        before, after = answers(self.trained).keys(), answers(system).keys()
        if left := before - after:
            say(f"{self.path} also answers {', '.join(sorted(left))}, which this run leaves out")
        if new := after - before:
            say(f"{self.path} does not answer {', '.join(sorted(new))}: learnt from nothing")

    def _blamed(self, options: Any, fits: Callable[[System, System], bool]) -> list[str]:
        """Options by which a net does not fit this one: each alone, or if none is alone, all together."""
        others = [
            option.name
            for option in fields(options)
            if getattr(options, option.name) != getattr(self.trained.options, option.name)
        ]

        def fit(*names: str) -> bool:
            changes = {name: getattr(options, name) for name in names}
            try:
                made = find_recipe(self.trained.recipe).built(
                    replace(self.trained.options, **changes), self.trained.game
                )
            except RecipeError:  # one that cannot be
                return False
            return fits(made, self.trained)

        return [] if fit(*others) else [name for name in others if not fit(name)] or others


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


def _begins(system: System, trained: System) -> bool:
    """The same where the system may be larger."""
    if _takes(system, trained):
        return True
    weights = grown(trained.net.state_dict(), system.net.state_dict())
    if weights is None:
        return False
    system.net.load_state_dict(weights)
    return answers_nearly_as(system, trained)
