"""A checkpoint to one .onnx file that takes rows, as integers, and contains the encoding."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from zeroply.artefacts import new_file
from zeroply.corpus.told import told
from zeroply.errors import ArtefactError
from zeroply.games import stack
from zeroply.games.stamp import stamp
from zeroply.nets.attention import layers_of
from zeroply.recipes import System, restore
from zeroply.recipes.base import parameters
from zeroply.training.int8 import quantised
from zeroply.training.int8_at_rest import at_rest

OPSET = 20
FLIPPED = "flipped"
SAMPLE = 64
"""Positions that the graph is made with."""


class Graph(nn.Module):
    """What is exported: columns in, outputs out, encoding included; the last tells whether the board was
    turned for the mover."""

    def __init__(self, system: System) -> None:
        super().__init__()
        self.encoding, self.net = system.encoding, system.net
        self.outputs: list[str] = []

    def forward(self, *columns: Tensor) -> tuple[Tensor, ...]:
        streams = self.encoding(dict(zip(self.encoding.reads, columns, strict=True)))
        out = self.net(streams)
        self.outputs = [*out, FLIPPED]
        return (*out.values(), streams[FLIPPED].bool())


def export(checkpoint: Path, out: Path, *, int8: bool = False, licence: str = "not stated") -> None:
    """Write `out`; with `int8` the matrices of layers are stored and multiplied as 8-bit integers. The
    manifest tells game, digest of the move table, recipe, training data, and the licence of the weights."""
    if out.suffix != ".onnx":
        raise ArtefactError(f"'{out}' does not end in .onnx, by which models are known. Choose another name")
    system, about = restore(checkpoint)
    graph = Graph(system).eval()
    rows = _sample(system)
    columns = tuple(torch.as_tensor(column) for column in rows.values())
    graph(*columns)
    batch = torch.export.Dim("batch", min=1)
    with new_file(out) as building, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        program = torch.onnx.export(
            graph,
            columns,
            input_names=list(system.encoding.reads),
            output_names=graph.outputs,
            dynamic_shapes=(tuple({0: batch} for _ in columns),),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
        if program is None:  # only where torch writes the file itself, which it was not asked for
            raise ArtefactError(f"torch exported nothing for {checkpoint}")
        model = program.model_proto
        inside = [FLIPPED, *_show_attention(model)]
        if int8:
            model = at_rest(quantised(model, rows))
        _forget_sources(model)
        _describe(
            model,
            {
                **about,
                **stamp(system.game),
                "history": system.encoding.history,
                "parameters": parameters(system.net),
                "licence": licence,
                "weights": "int8" if int8 else "float32",
                "inside": inside,
                "squares": _squares(system, len(inside) - 1),
            },
        )
        onnx.save(model, building)


def _sample(system: System) -> dict[str, NDArray[Any]]:
    """Positions of random games, by column: to trace the graph and to see how large its numbers become."""
    chance, positions = np.random.default_rng(0), [system.game.start()]
    while len(positions) < SAMPLE:
        legal = positions[-1].legal()
        positions.append(positions[-1].play(int(chance.choice(legal))) if len(legal) else system.game.start())
    rows = stack([position.row(system.encoding.history) for position in positions]) | told(SAMPLE)
    return {name: np.asarray(rows[name]) for name in system.encoding.reads}


def _show_attention(model: onnx.ModelProto) -> list[str]:
    """Let those see who ask what each layer's attention is, [B, H, L, L], as outputs of these names. It is
    worked out in any case, so that it costs the others nothing."""
    shapes = {value.name: value.type for value in model.graph.value_info}
    names: list[str] = []
    for node in model.graph.node:
        if node.op_type != "Softmax" or len(shapes[node.output[0]].tensor_type.shape.dim) != 4:
            continue
        names.append(f"attention_{len(names)}")
        kind = shapes[node.output[0]]
        _rename(model, node.output[0], names[-1])
        model.graph.output.add(name=names[-1], type=kind)
    return names


def _squares(system: System, layers: int) -> list[tuple[int, ...]]:
    """Of each layer that is shown the tokens that are squares, as `Stream.squares` has them."""
    found = [squares for _, squares in layers_of(system.net)]
    # The graph may have such nodes that are no layers of ours: then nobody knows which is which.
    return found if len(found) == layers else [()] * layers


def _rename(model: onnx.ModelProto, old: str, new: str) -> None:
    for node in model.graph.node:
        for ends in (node.input, node.output):
            ends[:] = [new if name == old else name for name in ends]
    for value in model.graph.value_info:
        if value.name == old:
            value.name = new


def _forget_sources(model: onnx.ModelProto) -> None:
    """The exporter notes for each node which line of which file on this machine it came from; a model that is
    handed on should not tell."""
    for node in (*model.graph.node, *(node for function in model.functions for node in function.node)):
        del node.metadata_props[:]
        node.doc_string = ""
    for value in (*model.graph.value_info, *model.graph.input, *model.graph.output):
        del value.metadata_props[:]
    del model.graph.metadata_props[:]


def _describe(model: onnx.ModelProto, about: Mapping[str, Any]) -> None:
    entry = model.metadata_props.add()
    entry.key, entry.value = "zeroply", json.dumps(about)
