"""How a built system is kept and restored: its weights, and how to build it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from zeroply.artefacts import BEST, LAST, load_checkpoint, save_checkpoint
from zeroply.corpus.model_manifest import is_sound
from zeroply.errors import ArtefactError, RecipeError, shortened
from zeroply.games import game_named
from zeroply.games.stamp import check_stamp, stamp
from zeroply.recipes.base import System
from zeroply.recipes.registry import find_recipe

NEEDED = ("game", "recipe", "options", "training")
"""What a file must tell whose net is to be built again."""
LONGEST_REASON = 200
"""Characters of what torch or Python says."""


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
        raise _unfit(path, system.recipe, _odd(tensors, system.net) or _in_a_line(error)) from None
    return system, about


def rebuilt(about: Mapping[str, Any], path: Path) -> System:
    """The system that a file says it is of, in evaluation mode, with weights of chance."""
    game = game_named(about["game"])
    check_stamp(about, game, str(path))
    check_revision(about, path)
    known = find_recipe(about["recipe"])
    try:
        system = known.built(known.options(**about["options"]), game)
    except RecipeError as error:
        raise _unfit(path, known.name, str(error)) from None
    except (TypeError, ValueError, LookupError, RuntimeError) as error:  # options that it does not know so
        raise _unfit(path, known.name, _in_a_line(error)) from None
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


def _unfit(path: Path, recipe: str, reason: str) -> ArtefactError:
    return ArtefactError(
        f"{path} does not fit the recipe '{recipe}' as it is now: {reason}. "
        "Bring back the code that it was trained with, or train it anew"
    )


def _odd(tensors: Mapping[str, Tensor], net: nn.Module) -> str:
    """The first tensor in which a file and a net differ, and how many more do; nothing where none does."""
    found = {name: _size(tensor) for name, tensor in tensors.items()}
    own = {name: _size(tensor) for name, tensor in net.state_dict().items()}
    odd = [name for name in (own | found) if found.get(name) != own.get(name)]
    if not odd:
        return ""
    has, wants = (sizes.get(odd[0], "missing") for sizes in (found, own))
    more = f" (and {len(odd) - 1:,} more)" if len(odd) > 1 else ""
    return f"{odd[0]} is {has} in the file and {wants} in the net{more}"


def _size(tensor: Tensor) -> str:
    return "×".join(map(str, tensor.shape)) or "a number"


def _in_a_line(error: Exception) -> str:
    return shortened(f"{type(error).__name__}: {' '.join(str(error).split())}", LONGEST_REASON)
