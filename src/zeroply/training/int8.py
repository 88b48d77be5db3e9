"""An exported graph with its large matrices as 8-bit integers, and what they are multiplied with too.

Weights take that well: a scale for each column. What comes into a layer takes it badly, for a few channels
are several times as large as the rest and one scale for all leaves those few levels. So each vector (one
square of one position) has a scale of its own, found as it comes, and channels behind a LayerNormalization
are first made equally large, by factors that the rows of the matrix take back. Nothing is shared between
positions, so no answer depends on the rest of a batch, but for the last digits of what stays in float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto
from onnx.helper import make_node, make_opsetid, make_tensor, make_tensor_value_info
from onnx.numpy_helper import from_array, to_array

from zeroply.silent_onnxruntime import onnxruntime
from zeroply.training.int8_at_rest import rounded

Floats = NDArray[np.float32]

NARROW = 32
"""Matrices with fewer rows have little to gain."""
EXACT = 8
"""The first 1/8 of the layers stay as they are: in a net of eight blocks the first. That took a third off the
divergence from float32; perhaps since all empty squares hold the same vector there, and so err alike."""
LEAST_OF_GELU = np.float32(-0.17)
"""Gelu never falls below this (-0.16997), so its range needs hardly any levels for negative numbers."""


def quantised(model: onnx.ModelProto, rows: Mapping[str, NDArray[Any]]) -> onnx.ModelProto:
    """The graph in int8. How large channels are is measured on `rows`, by column: any live positions."""
    weights = {entry.name: entry for entry in model.graph.initializer}
    layers = [
        node
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in weights and weights[node.input[1]].dims[0] >= NARROW
    ]
    layers = layers[len(layers) // EXACT :]
    makers = {name: node.op_type for node in model.graph.node for name in node.output}
    normed = {layer.input[0] for layer in layers if makers.get(layer.input[0]) == "LayerNormalization"}
    loudness = _loudness(model, sorted(normed), rows)
    inputs = {
        name: _Input(name, gelu=makers.get(name) == "Gelu", loudness=loudness.get(name))
        for name in {layer.input[0] for layer in layers}
    }
    nodes: list[NodeProto] = []
    constants: list[TensorProto] = []
    written: set[str] = set()
    for node in model.graph.node:
        if node not in layers:
            nodes.append(node)
            continue
        source = inputs[node.input[0]]
        if source.name not in written:
            written.add(source.name)
            _extend(nodes, constants, source.rounded())
        _extend(nodes, constants, source.multiplied(node, to_array(weights[node.input[1]])))
    used = {name for node in nodes for name in node.input}
    constants += [entry for entry in model.graph.initializer if entry.name in used]
    del model.graph.node[:], model.graph.initializer[:], model.graph.value_info[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(constants)
    model.opset_import.append(make_opsetid("com.microsoft", 1))
    return model


Part = tuple[list[NodeProto], dict[str, NDArray[Any]]]
"""Nodes, and the constants that they read, by name."""


class _Input:
    """What comes into one layer or several: [..., K] floats."""

    def __init__(self, name: str, *, gelu: bool, loudness: Floats | None) -> None:
        self.name = name
        self._gelu, self._loudness = gelu, loudness
        self._zero = np.uint8(0 if gelu else 128)
        self._levels = np.float32(255 if gelu else 127)

    def rounded(self) -> Part:
        """`NAME.int8` [..., K] and the size of its steps, `NAME.step` [..., 1]."""
        x = self.name
        constants: dict[str, NDArray[Any]] = {
            f"{x}.last": np.array([-1]),
            f"{x}.levels": np.asarray(self._levels),
            f"{x}.tiny": np.asarray(np.float32(1e-12)),  # a row of zeros is no division by zero
        }
        level, nodes = x, []
        if self._gelu:
            constants[f"{x}.least"] = np.asarray(LEAST_OF_GELU)
            nodes.append(make_node("Sub", [x, f"{x}.least"], [f"{x}.level"]))
            level = size = f"{x}.level"
        else:
            if self._loudness is not None:
                constants[f"{x}.loudness"] = 1 / self._loudness
                nodes.append(make_node("Mul", [x, f"{x}.loudness"], [f"{x}.level"]))
                level = f"{x}.level"
            nodes.append(make_node("Abs", [level], [f"{x}.size"]))
            size = f"{x}.size"
        zero = make_tensor("zero", TensorProto.UINT8, [1], [int(self._zero)])
        nodes += [
            make_node("ReduceMax", [size, f"{x}.last"], [f"{x}.largest"], keepdims=1),
            make_node("Div", [f"{x}.largest", f"{x}.levels"], [f"{x}.steps"]),
            make_node("Max", [f"{x}.steps", f"{x}.tiny"], [f"{x}.step"]),
            # a scale for each vector is known to QuantizeLinear only along one axis: [..., K] as [V, K]
            make_node("Shape", [level], [f"{x}.shape"]),
            make_node("Flatten", [level], [f"{x}.vectors"], axis=-1),
            make_node("Reshape", [f"{x}.step", f"{x}.last"], [f"{x}.step_by_vector"]),
            make_node("Shape", [f"{x}.step_by_vector"], [f"{x}.count"]),
            make_node("ConstantOfShape", [f"{x}.count"], [f"{x}.zero_by_vector"], value=zero),
            make_node(
                "QuantizeLinear",
                [f"{x}.vectors", f"{x}.step_by_vector", f"{x}.zero_by_vector"],
                [f"{x}.int8_by_vector"],
                axis=0,
            ),
            make_node("Reshape", [f"{x}.int8_by_vector", f"{x}.shape"], [f"{x}.int8"]),
        ]
        return nodes, constants

    def multiplied(self, layer: NodeProto, weights: Floats) -> Part:
        """The product with `weights` [K, N], under the name that the layer's had."""
        x, y = self.name, layer.output[0]
        if self._loudness is not None:
            weights = weights * self._loudness[:, None]
        integers, step = rounded(weights, 0)
        constants: dict[str, NDArray[Any]] = {
            f"{y}.weights": integers,
            f"{y}.step": step[0],
            f"{y}.one": np.asarray(np.float32(1)),
            f"{y}.zero": np.asarray(self._zero),
        }
        product = [f"{x}.int8", f"{y}.weights", f"{y}.one", f"{y}.step", f"{y}.zero"]
        scaled = f"{y}.scaled" if self._gelu else y
        nodes = [
            make_node("MatMulIntegerToFloat", product, [f"{y}.product"], domain="com.microsoft"),
            make_node("Mul", [f"{y}.product", f"{x}.step"], [scaled]),
        ]
        if self._gelu:
            constants[f"{y}.least"] = LEAST_OF_GELU * step[0] * integers.sum(0, dtype=np.float32)
            nodes.append(make_node("Add", [scaled, f"{y}.least"], [y]))
        return nodes, constants


def _extend(nodes: list[NodeProto], constants: list[TensorProto], part: Part) -> None:
    nodes += part[0]
    constants += [from_array(value, name) for name, value in part[1].items()]


def _loudness(
    model: onnx.ModelProto, names: list[str], rows: Mapping[str, NDArray[Any]]
) -> dict[str, Floats]:
    """The largest size of each channel of these values, relative to the mean: [K] each."""
    if not names:
        return {}
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        watched.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    values = session.run(names, {entry.name: rows[entry.name] for entry in session.get_inputs()})
    found = {}
    for name, value in zip(names, values, strict=True):
        largest = np.abs(value).reshape(-1, value.shape[-1]).max(0)
        found[name] = np.maximum(largest / largest.mean(), np.float32(1e-2))
    return found
