"""What a run begins with where it is not chance: the weights of a trained net, if that is the same net."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from zeroply.errors import RecipeError, needs
from zeroply.recipes import System, find_recipe, restore
from zeroply.training.answers import answer_alike


def begin_with(system: System, path: Path) -> dict[str, Any]:
    """Give a new system the weights of a trained one; returns how that was trained."""
    trained, about = _opened(path)
    if (trained.recipe, trained.game.name) != (system.recipe, system.game.name):
        raise RecipeError(
            f"{path} is '{trained.recipe}' for {trained.game.name}; "
            f"this run trains '{system.recipe}' for {system.game.name}. Give --start-from a model of the same"
        )
    try:
        system.net.load_state_dict(trained.net.state_dict())
        same = answer_alike(system, trained)
    except RuntimeError:  # other shapes
        same = False
    if not same:
        others = [
            option.name
            for option in fields(trained.options)
            if getattr(trained.options, option.name) != getattr(system.options, option.name)
        ]
        blamed = [name for name in others if _makes_another(trained, name, getattr(system.options, name))]
        if not others:  # the very same net: only what is not a number differs from itself
            raise RecipeError(f"{path} answers with what is not a number. Start from another")
        built = ", ".join(f"{name}={getattr(trained.options, name)}" for name in blamed or others)
        raise RecipeError(
            f"{path} is another net: it was built with {built}. Set the same options, or start from another"
        )
    rounded = {"weights": about["weights"]} if "weights" in about else {}  # of an exported model
    return {**about["training"], **rounded}


def _opened(path: Path) -> tuple[System, dict[str, Any]]:
    if path.is_dir() or path.suffix != ".onnx":
        return restore(path)
    with needs("train", f"training on the weights of {path}"):
        from zeroply.training.read_back import read_back
    return read_back(path)


def _makes_another(trained: System, option: str, value: Any) -> bool:
    """Whether a net is another with this option changed: how it is trained makes no difference."""
    try:
        options = replace(trained.options, **{option: value})
        other = find_recipe(trained.recipe).built(options, trained.game)
        other.net.load_state_dict(trained.net.state_dict())
    except (RecipeError, RuntimeError):  # one that cannot be, or of other shapes
        return True
    return not answer_alike(other, trained)
