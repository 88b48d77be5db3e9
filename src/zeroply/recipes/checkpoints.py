"""How a built system is kept and restored: its weights, and how to build it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from zeroply.artefacts import BEST, LAST, load_checkpoint, save_checkpoint
from zeroply.corpus.told import told
from zeroply.errors import ArtefactError, RecipeError
from zeroply.games import game_named
from zeroply.games.stamp import check_stamp, stamp
from zeroply.recipes.base import System
from zeroply.recipes.registry import find_recipe


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
            f"this run trains '{system.recipe}' for {system.game.name}. Give --start-from a model of the same"
        )
    try:
        system.net.load_state_dict(trained.net.state_dict())
        same = _answers(system) == _answers(trained)
    except RuntimeError:  # other shapes
        same = False
    if not same:
        others = [
            option.name
            for option in fields(trained.options)
            if getattr(trained.options, option.name) != getattr(system.options, option.name)
        ]
        blamed = [name for name in others if _makes_another(trained, name, getattr(system.options, name))]
        built = ", ".join(f"{name}={getattr(trained.options, name)}" for name in blamed or others)
        raise RecipeError(
            f"{path} is another net: it was built with {built}. Set the same options, or start from another"
        )
    training: dict[str, Any] = about["training"]
    return training


def _makes_another(trained: System, option: str, value: Any) -> bool:
    """Whether a net is another with this option changed: how it is trained makes no difference."""
    try:
        options = replace(trained.options, **{option: value})
        other = find_recipe(trained.recipe).built(options, trained.game)
        other.net.load_state_dict(trained.net.state_dict())
    except (RecipeError, RuntimeError):  # one that cannot be, or of other shapes
        return True
    return _answers(other) != _answers(trained)


def _answers(system: System) -> dict[str, list[float]]:
    """What a net says to two rows. Nets of equal weights may still differ: in heads, masks, facing."""
    rows = {
        name: torch.as_tensor(column).repeat_interleave(2, 0)
        for name, column in system.game.first_state().items()
    }
    rows["turn"] = torch.tensor([0, 1], dtype=rows["turn"].dtype)
    rows["past"] = torch.arange(2 * system.encoding.history, dtype=torch.int16).view(2, -1)
    rows |= {name: torch.as_tensor(column) for name, column in told(2).items()}
    learning = system.net.training
    with torch.inference_mode():
        out = system.net.eval()(system.encoding(rows))
    system.net.train(learning)
    return {name: value.flatten().tolist() for name, value in out.items()}


def restore(path: Path) -> tuple[System, dict[str, Any]]:
    """The system of a checkpoint or of a run folder's best one, weights loaded, in evaluation mode; and what
    the file says of itself."""
    if path.is_dir():
        path = path / (BEST if (path / BEST).exists() else LAST)
    tensors, about = load_checkpoint(path)
    if "recipe" not in about:
        raise ArtefactError(f"{path} is no model, but the state or a batch of a run. Give the run's folder")
    game = game_named(about["game"])
    check_stamp(about, game, str(path))
    known = find_recipe(about["recipe"])
    try:
        system = known.built(known.options(**about["options"]), game)
        system.net.load_state_dict(tensors)
    except (TypeError, RuntimeError) as error:
        raise ArtefactError(
            f"{path} does not fit the recipe '{known.name}' of this version: {error}"
        ) from None
    system.net.eval()
    if isinstance(system.encoding, nn.Module):
        system.encoding.eval()
    return system, about
