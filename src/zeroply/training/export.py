"""A checkpoint to one .onnx file that takes rows, as integers, and contains the encoding."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from zeroply.artefacts import new_file
from zeroply.corpus.told import told
from zeroply.errors import ArtefactError
from zeroply.games import stack
from zeroply.games.stamp import stamp
from zeroply.recipes import System, restore
from zeroply.recipes.base import parameters

OPSET = 20


class Graph(nn.Module):
    """What is exported: columns in, outputs out, encoding included."""

    def __init__(self, system: System) -> None:
        super().__init__()
        self.encoding, self.net = system.encoding, system.net
        self.outputs: list[str] = []

    def forward(self, *columns: Tensor) -> tuple[Tensor, ...]:
        out = self.net(self.encoding(dict(zip(self.encoding.reads, columns, strict=True))))
        self.outputs = list(out)
        return tuple(out.values())


def export(checkpoint: Path, out: Path, *, int8: bool = False) -> None:
    """Write `out`; with `int8` the matrices of layers are stored and multiplied as 8-bit integers."""
    if out.suffix != ".onnx":
        raise ArtefactError(f"'{out}' does not end in .onnx, by which models are known. Choose another name")
    system, about = restore(checkpoint)
    graph = Graph(system).eval()
    columns = _example(system)
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
        if int8:
            model = _quantised(model, building)
        _forget_sources(model)
        _describe(
            model,
            {
                **about,
                **stamp(system.game),
                "history": system.encoding.history,
                "parameters": parameters(system.net),
                "weights": "int8" if int8 else "float32",
            },
        )
        onnx.save(model, building)


def _example(system: System) -> tuple[Tensor, ...]:
    """Two live positions, so that the batch is not mistaken for a constant."""
    position = system.game.start()
    second = position.play(int(position.legal()[0]))
    rows = stack([p.row(system.encoding.history) for p in (position, second)])
    columns = {name: torch.as_tensor(column) for name, column in (rows | told(2)).items()}
    return tuple(columns[name] for name in system.encoding.reads)


def _quantised(model: onnx.ModelProto, building: Path) -> onnx.ModelProto:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    del model.graph.value_info[:]  # shapes that the exporter noted and onnx's own inference disputes
    onnx.save(model, building)
    logging.disable(logging.WARNING)  # it recommends a preprocessing that changes nothing here
    try:
        quantize_dynamic(
            building,
            building,
            op_types_to_quantize=["MatMul", "Gemm"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
    finally:
        logging.disable(logging.NOTSET)
    return onnx.load(building)


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
