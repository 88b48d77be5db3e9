"""Matrices that rest as 8-bit integers in a file: what a graph says with them, and what comes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto
from onnx.helper import make_graph, make_model, make_node, make_opsetid, make_tensor_value_info
from onnx.numpy_helper import from_array, to_array

from zeroply.silent_onnxruntime import onnxruntime
from zeroply.training.int8_at_rest import SMALL, at_rest, awake

WIDE = 128
Floats = NDArray[np.float32]


@pytest.fixture
def weights() -> dict[str, Floats]:
    """By the layer that multiplies with them; its outputs are of very different sizes."""
    chance, sizes = np.random.default_rng(0), np.geomspace(0.01, 10, WIDE)
    matrix = (chance.normal(size=(WIDE, WIDE)) * sizes).astype(np.float32)
    return {"matmul": matrix, "gemm": matrix.T.copy(), "transposed": matrix.T.copy(), "small": matrix[:, :4]}


@pytest.fixture
def model(weights: dict[str, Floats]) -> onnx.ModelProto:
    nodes = [
        make_node("Transpose", ["transposed"], ["turned"], perm=[1, 0]),
        make_node("MatMul", ["x", "matmul"], ["a"]),
        make_node("Gemm", ["x", "gemm"], ["b"], transB=1),
        make_node("MatMul", ["x", "turned"], ["c"]),
        make_node("MatMul", ["x", "small"], ["d"]),
    ]
    outputs = [make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "abcd"]
    graph = make_graph(
        nodes,
        "layers",
        [make_tensor_value_info("x", TensorProto.FLOAT, [None, WIDE])],
        outputs,
        [from_array(value, name) for name, value in weights.items()],
    )
    return make_model(graph, opset_imports=[make_opsetid("", 20)], ir_version=10)


def said(model: onnx.ModelProto, x: Floats) -> list[Floats]:
    options = onnxruntime.SessionOptions()
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return list(session.run(None, {"x": x}))


def test_a_graph_says_what_it_said_but_for_half_a_step_of_each_weight(
    model: onnx.ModelProto, weights: dict[str, Floats]
) -> None:
    x = np.random.default_rng(1).normal(size=(5, WIDE)).astype(np.float32)
    before, size = said(model, x), model.ByteSize()
    after = said(at_rest(model), x)
    assert model.ByteSize() < 0.3 * size
    most = np.abs(weights["matmul"]).max(0) / 127 / 2 * np.abs(x).sum(1, keepdims=True)
    for one, other in zip(before[:3], after[:3], strict=True):
        assert (np.abs(one - other) <= 1.001 * most).all()
        assert not np.array_equal(one, other)
    np.testing.assert_array_equal(before[3], after[3])
    assert weights["small"].size < SMALL


def test_matrices_come_back_under_their_names(model: onnx.ModelProto, weights: dict[str, Floats]) -> None:
    x = np.random.default_rng(1).normal(size=(5, WIDE)).astype(np.float32)
    resting = at_rest(model)
    expected = said(resting, x)
    back = awake(resting)
    for one, other in zip(expected, said(back, x), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    found = {entry.name: to_array(entry) for entry in back.graph.initializer}
    step = np.abs(weights["matmul"]).max(0) / 127
    assert (np.abs(found["matmul"] - weights["matmul"]) <= 0.501 * step).all()
    assert (np.abs(found["gemm"] - weights["gemm"]) <= 0.501 * step[:, None]).all()


def test_a_graph_without_resting_matrices_comes_back_as_it_is(model: onnx.ModelProto) -> None:
    before = model.SerializeToString(deterministic=True)
    assert awake(model).SerializeToString(deterministic=True) == before


def test_a_matrix_that_is_worked_out_otherwise_is_refused(model: onnx.ModelProto) -> None:
    resting = at_rest(model)
    (made,) = [node for node in resting.graph.node if list(node.output) == ["gemm"]]
    made.op_type = "Div"
    with pytest.raises(ValueError, match="gemm is not worked out"):
        awake(resting)


def test_a_column_of_zeros_stays_zero(model: onnx.ModelProto) -> None:
    (entry,) = [entry for entry in model.graph.initializer if entry.name == "matmul"]
    entry.CopyFrom(from_array(np.zeros((WIDE, WIDE), np.float32), "matmul"))
    x = np.ones((1, WIDE), np.float32)
    np.testing.assert_array_equal(said(at_rest(model), x)[0], np.zeros((1, WIDE), np.float32))


def test_matrices_are_worked_out_once(model: onnx.ModelProto, tmp_path: Path) -> None:
    """When the file is opened, not at each look."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "opened.onnx")
    onnxruntime.InferenceSession(
        at_rest(model).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    opened = onnx.load(tmp_path / "opened.onnx")
    assert {node.op_type for node in opened.graph.node}.isdisjoint({"Cast", "Mul", "Transpose"})
