"""Matrices that are multiplied in float32, as 8-bit integers in the file: a quarter of their size.

Rounded weights hardly change what a net says; rounded activations do, hence the layers that multiply in
float32. Casting and scaling constants is done once, when the file is opened: optimisers fold it.
(DequantizeLinear says the same, but onnxruntime makes another product of it, MatMulNBits.)
"""

from __future__ import annotations

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto
from onnx.helper import make_node
from onnx.numpy_helper import from_array, to_array

SMALL = 4096
"""Matrices of fewer numbers stay: there is little to save."""
INTEGERS, STEP, CAST = ".integers", ".step_at_rest", ".cast"
"""After a matrix's name: what it is worked out from."""


def rounded(weights: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers and their steps, one for all numbers along the axis, which stays as 1."""
    step = (np.maximum(np.abs(weights).max(axis, keepdims=True), 1e-12) / 127).astype(np.float32)
    return np.rint(weights / step).astype(np.int8), step


def at_rest(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph; its layers find their matrices under the same names."""
    outputs = {
        name: axis for node in model.graph.node for name, axis in [_matrix_of(node)] if name is not None
    }
    kept, nodes = list[TensorProto](), list[onnx.NodeProto]()
    for entry in model.graph.initializer:
        name = entry.name
        large = entry.data_type == TensorProto.FLOAT and np.prod(entry.dims) >= SMALL
        if not (large and name in outputs and len(entry.dims) == 2):
            kept.append(entry)
            continue
        weights = to_array(entry)
        integers, step = rounded(weights, 1 - outputs[name])
        kept += [from_array(integers, name + INTEGERS), from_array(step, name + STEP)]
        nodes += [
            make_node("Cast", [name + INTEGERS], [name + CAST], to=TensorProto.FLOAT),
            make_node("Mul", [name + CAST, name + STEP], [name]),
        ]
    nodes += model.graph.node
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(kept)
    return model


def awake(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph of `at_rest` with its matrices in float32 again; one without any comes back as it is.
    ValueError where a matrix is not worked out as ours are."""
    constants = {entry.name: entry for entry in model.graph.initializer}
    nodes = list[onnx.NodeProto]()
    for node in model.graph.node:
        name = node.output[0]
        if name.removesuffix(CAST) + INTEGERS not in constants:
            nodes.append(node)
        elif not name.endswith(CAST):
            if (node.op_type, *node.input) != ("Mul", name + CAST, name + STEP):
                raise ValueError(f"{name} is not worked out as by int8_at_rest")
            weights = to_array(constants[name + INTEGERS]) * to_array(constants[name + STEP])
            model.graph.initializer.append(from_array(weights, name))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def _matrix_of(node: onnx.NodeProto) -> tuple[str | None, int]:
    """What may be a layer's matrix, and which of its axes goes along what the layer makes."""
    if node.op_type == "MatMul":
        return node.input[1], 1
    if node.op_type == "Gemm":
        return node.input[1], 0 if any(entry.name == "transB" and entry.i for entry in node.attribute) else 1
    if node.op_type == "Transpose":  # of a layer that is called several times
        return node.input[0], 0
    return None, 0
