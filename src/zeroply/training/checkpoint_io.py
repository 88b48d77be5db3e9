"""A run's whole state in one file, as Lightning hands it over: tensors as safetensors, the rest as JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytorch_lightning.plugins import CheckpointIO
from torch import Tensor

from zeroply.artefacts import load_checkpoint, save_checkpoint
from zeroply.errors import ArtefactError

KIND = "state"
"""Where the JSON stands in the file's metadata; by it a state is told from a model."""


class StateIO(CheckpointIO):
    """The file appears whole or not at all, and is never pickled."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | os.PathLike[str], storage_options: Any = None
    ) -> None:
        tensors: dict[str, Tensor] = {}
        rest = packed(checkpoint, tensors)
        save_checkpoint(Path(path), tensors, {KIND: rest})

    def load_checkpoint(
        self, path: str | os.PathLike[str], map_location: Any = None, weights_only: bool | None = None
    ) -> dict[str, Any]:
        tensors, about = load_checkpoint(Path(path))
        if KIND not in about:
            raise ArtefactError(f"{path} is not the state of a run. Begin a new one, without --resume")
        state: dict[str, Any] = unpacked(about[KIND], tensors)
        return state

    def remove_checkpoint(self, path: str | os.PathLike[str]) -> None:
        Path(path).unlink(missing_ok=True)


def packed(value: Any, tensors: dict[str, Tensor], name: str = "") -> Any:
    """Nested values as JSON. Tensors are put into `tensors` by the names of the places where they stand.

    JSON has neither tensors nor tuples, and only texts as keys: an object with one key says which of these it
    stands for; so a dict becomes a list of pairs.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Tensor):
        while name in tensors:  # a key may look like a way through several
            name += "'"
        tensors[name] = value
        return {"tensor": name}
    if isinstance(value, list | tuple):
        items = [packed(item, tensors, f"{name}/{place}") for place, item in enumerate(value)]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, Mapping) and all(isinstance(key, str | int) for key in value):
        pairs = [[key, packed(item, tensors, f"{name}/{key}".lstrip("/"))] for key, item in value.items()]
        return {"dict": pairs}
    raise ArtefactError(f"a run's state has a {type(value).__name__} at '{name}', which has no place in JSON")


def unpacked(value: Any, tensors: Mapping[str, Tensor]) -> Any:
    """What was packed."""
    if isinstance(value, list):
        return [unpacked(item, tensors) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    if kind == "tensor":
        return tensors[inner]
    if kind == "tuple":
        return tuple(unpacked(item, tensors) for item in inner)
    return {key: unpacked(item, tensors) for key, item in inner}
