"""An .onnx file that `export` wrote, back as a net that can be trained.

Most weights stand in the graph by their own names. The matrices of linear layers do not: torch's exporter
turns them and gives them numbers. They come in the order in which the layers are called, so the net is called
to learn it. Then it is asked what the graph is asked: no weight comes to a wrong place unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx.numpy_helper import to_array
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from torch import nn

from zeroply.corpus.model_manifest import is_sound
from zeroply.errors import ArtefactError
from zeroply.recipes import System
from zeroply.recipes.checkpoints import NEEDED, rebuilt
from zeroply.training.answers import ROUNDING, answers, two_rows
from zeroply.training.dequantised import dequantised
from zeroply.training.int8_at_rest import awake

NET = "net."
"""Before the names of weights, by `export.Graph`."""
LONGEST_LIST = 5


def read_back(path: Path) -> tuple[System, dict[str, Any]]:
    """The system, in evaluation mode, and what the file says of itself."""
    model = _opened(path)
    about = _manifest(model, path)
    system = rebuilt(about, path)
    called = _by_call(system)
    try:
        model = dequantised(awake(model))
        weights = _weights(model, system, called, path)
        system.net.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
    except (ValueError, LookupError, TypeError, RuntimeError):  # names and shapes that do not fit together
        raise _refusal(path, "its graph is none that this version of zeroply writes") from None
    _check(model, system, path)
    return system, about


def _refusal(path: Path, reason: str) -> ArtefactError:
    return ArtefactError(f"{path} cannot be trained on: {reason}. Give the folder of its run")


def _opened(path: Path) -> onnx.ModelProto:
    try:
        return onnx.load(path, load_external_data=False)  # a file of ours names no others
    except OSError:
        raise
    except Exception:  # protobuf's own
        raise ArtefactError(f"{path} is not a readable ONNX model. Make one: zeroply export") from None


def _manifest(model: onnx.ModelProto, path: Path) -> dict[str, Any]:
    found = [entry.value for entry in model.metadata_props if entry.key == "zeroply"]
    if not found:
        raise ArtefactError(
            f"{path} is an ONNX model, but zeroply did not write it. Make one: zeroply export"
        )
    try:
        about = json.loads(found[0])
    except (ValueError, RecursionError):
        about = None
    if not is_sound(about, *NEEDED):
        raise ArtefactError(f"the manifest in {path} is damaged. Make it again: zeroply export")
    return dict(about)


def _weights(
    model: onnx.ModelProto, system: System, called: Sequence[str], path: Path
) -> dict[str, NDArray[Any]]:
    """All of the net's, by name; `called` are its matrices in the order of their use."""
    names = system.net.state_dict().keys()
    constants = {entry.name: entry for entry in model.graph.initializer}
    found = {name: to_array(constants[NET + name]) for name in names if NET + name in constants}
    turned = [
        to_array(constants[node.input[1]]).T
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in constants and not node.input[1].startswith(NET)
    ]
    turned_ones = [name for name in called if name not in found]
    lost = sorted(names - found - set(called))
    if lost:
        named = ", ".join(lost[:LONGEST_LIST]) + (" …" if len(lost) > LONGEST_LIST else "")
        raise _refusal(path, f"it holds weights only as torch worked them into its graph ({named})")
    return found | dict(zip(turned_ones, turned, strict=True))


def _by_call(system: System) -> list[str]:
    """The weights that are matrices of linear layers, in the order in which they are used."""
    called: list[str] = []
    hooks = [
        layer.register_forward_pre_hook(lambda *_, name=f"{place}.weight": called.append(name))
        for place, layer in system.net.named_modules()
        if isinstance(layer, nn.Linear)
    ]
    answers(system)
    for hook in hooks:
        hook.remove()
    return called


class GatherElements(OpRun):
    """onnx's own wants more of its shapes than ONNX does."""

    def _run(self, data: NDArray[Any], indices: NDArray[Any], axis: int | None = None) -> tuple[NDArray[Any]]:
        return (np.take_along_axis(data, indices, axis or 0),)


def _check(model: onnx.ModelProto, system: System, path: Path) -> None:
    """Refuses a net that does not say what the graph says."""
    rows, said = two_rows(system), answers(system)
    try:
        graph = ReferenceEvaluator(model, new_ops=[GatherElements])
        read = {entry.name: rows[entry.name].numpy() for entry in model.graph.input}
        with np.errstate(all="ignore"):
            heard = graph.run(list(said), read)
    except Exception as error:  # whatever may be wrong in a graph
        raise _refusal(path, f"its graph cannot be run ({type(error).__name__})") from None
    for expected, value in zip(heard, said.values(), strict=True):
        if not np.allclose(value.numpy(), expected, rtol=ROUNDING, atol=ROUNDING):
            raise _refusal(path, "a net with the weights that were found in it answers otherwise")
