"""An int8 graph of `int8.quantised` with its matrices in float32 again: as exact as 8 bits left them."""

from __future__ import annotations

import onnx
from onnx.helper import make_node
from onnx.numpy_helper import from_array, to_array


def dequantised(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph in float32; one without int8 comes back as it is. Nothing is rounded on its way in any
    more, so it says what a net with these weights says. ValueError where a product is not made as ours are:
    what comes of it would be other weights, and nothing else could tell."""
    constants = {entry.name: entry for entry in model.graph.initializer}
    products = {}
    """By the name of what they make."""
    for node in model.graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            x, y = node.input[0].removesuffix(".int8"), node.output[0].removesuffix(".product")
            ours = [f"{x}.int8", *(f"{y}.{part}" for part in ("weights", "one", "step", "zero"))]
            if list(node.input) != ours or to_array(constants[f"{y}.one"]) != 1:
                raise ValueError(f"{node.output[0]} is no product of int8.quantised")
            weights = to_array(constants[f"{y}.weights"]) * to_array(constants[f"{y}.step"])
            if f"{x}.loudness" in constants:
                weights = weights * to_array(constants[f"{x}.loudness"])[:, None]
            products[y] = make_node("MatMul", [x, f"{y}.float32"], [y])
            model.graph.initializer.append(from_array(weights, f"{y}.float32"))
    wanted = {entry.name for entry in model.graph.output}
    nodes = []
    for node in reversed(model.graph.node):
        node = products.get(node.output[0], node)
        if not wanted.isdisjoint(node.output):  # what only rounded is no longer asked for
            wanted.update(node.input)
            nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(reversed(nodes))
    return model
