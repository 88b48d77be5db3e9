"""How a built system is kept and restored: its weights, and how to build it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch import nn

from zeroply.artefacts import BEST, LAST, load_checkpoint, save_checkpoint
from zeroply.corpus.manifest import is_sound
from zeroply.errors import ArtefactError
from zeroply.games import game_named
from zeroply.games.stamp import check_stamp, stamp
from zeroply.recipes.base import System
from zeroply.recipes.registry import find_recipe

NEEDED = ("game", "recipe", "options", "training")
"""What a file must tell whose net is to be built again."""


def save(system: System, path: Path, training: Mapping[str, Any]) -> None:
    """A checkpoint that says how to rebuild its net, and how it was trained."""
    save_checkpoint(path, system.net.state_dict(), {**how_built(system), "training": dict(training)})


def how_built(system: System) -> dict[str, Any]:
    """All that builds the same system again but for its weights."""
    return {
        "recipe": system.recipe,
        "revision": find_recipe(system.recipe).revision,
        "options": asdict(system.options),
        **stamp(system.game),
    }


def restore(path: Path) -> tuple[System, dict[str, Any]]:
    """The system of a checkpoint or of a run folder's best one, weights loaded, in evaluation mode; and what
    the file says of itself."""
    if path.is_dir():
        path = path / (BEST if (path / BEST).exists() else LAST)
    tensors, about = load_checkpoint(path)
    if "training" not in about:  # which only those have that were kept for their weights
        raise ArtefactError(f"{path} is no model, but the state or a batch of a run. Give the run's folder")
    if not is_sound(about, *NEEDED):
        raise ArtefactError(f"the manifest in {path} is damaged. Give another of its run, or train it anew")
    system = rebuilt(about, path)
    try:
        system.net.load_state_dict(tensors)
    except RuntimeError as error:
        raise _unfit(path, system.recipe, error) from None
    return system, about


def rebuilt(about: Mapping[str, Any], path: Path) -> System:
    """The system that a file says it is of, in evaluation mode, with weights of chance."""
    game = game_named(about["game"])
    check_stamp(about, game, str(path))
    check_revision(about, path)
    known = find_recipe(about["recipe"])
    try:
        system = known.built(known.options(**about["options"]), game)
    except (TypeError, RuntimeError) as error:
        raise _unfit(path, known.name, error) from None
    system.net.eval()
    if isinstance(system.encoding, nn.Module):
        system.encoding.eval()
    return system


def check_revision(about: Mapping[str, Any], path: Path) -> None:
    """Refuses weights that this version's recipe would make another net of."""
    known, made = find_recipe(about["recipe"]), about.get("revision", 1)
    if made != known.revision:
        raise ArtefactError(
            f"{path} is of revision {made} of the recipe '{known.name}'; with its weights revision "
            f"{known.revision}, which this zeroply has, answers otherwise. Train it anew, or use the zeroply "
            "that made it"
        )


def _unfit(path: Path, recipe: str, error: Exception) -> ArtefactError:
    return ArtefactError(f"{path} does not fit the recipe '{recipe}' of this version: {error}")
