"""Runs that begin with an .onnx file, and .onnx files that none can begin with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from tests.shipped import BLOCKS
from zeroply.artefacts import bundled, load_checkpoint
from zeroply.errors import ArtefactError, MissingExtraError, RecipeError
from zeroply.players import player_of
from zeroply.players.load import load_network
from zeroply.players.torch import TorchNetwork
from zeroply.training import read_back as module
from zeroply.training.command import main
from zeroply.training.read_back import read_back
from zeroply.training.start import Start

ONE_STEP = ["--set=batch=8", "--set=steps=1", "--set=rate=1e-12", "--no-compile"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_a_bundled_net_comes_back_with_its_moves(name: str) -> None:
    system, about = read_back(bundled()[name])
    restored, exported = player_of(TorchNetwork(system, about)), player_of(load_network(name))
    position, chance, same = system.game.start(), np.random.default_rng(3), list[bool]()
    while len(same) < 100:
        (move,) = exported.choose([position])
        same.append(restored.choose([position]) == [move])
        position = position.play(int(chance.choice(position.legal())) if len(same) % 3 == 0 else move)
        if position.result() is not None:
            position = system.game.start()
    assert np.mean(same) > 0.9  # not all: what comes into a layer is rounded in the file alone
    assert about["training"]["positions"] > 0


@pytest.mark.slow
def test_a_run_begins_with_a_bundled_net(chess: Path, tmp_path: Path) -> None:
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), "--start-from", "chess", *ONE_STEP])
    weights, about = load_checkpoint(tmp_path / "run" / "last.safetensors")
    expected, manifest = read_back(bundled()["chess"])
    before = expected.net.state_dict()
    for name, weight in weights.items():
        torch.testing.assert_close(weight, before[name])
    # These games have no evaluations, so that nothing learns them here.
    assert {name.rsplit(".", 3)[0] for name in before.keys() - weights.keys()} == {"heads.evaluation"}
    assert about["training"]["before"] == {**manifest["training"], "weights": "int8"}


@pytest.mark.slow
def test_the_net_of_another_game_or_size_is_refused(chess: Path, tmp_path: Path) -> None:
    begin = ["intuition", str(chess), "--out", str(tmp_path / "run"), *ONE_STEP, "--start-from"]
    with pytest.raises(RecipeError, match=r"is 'intuition' for xiangqi; this run trains .* for chess\. Give"):
        main([*begin, "xiangqi"])
    with pytest.raises(
        RecipeError, match=rf"is another net: it was built with depth={BLOCKS}\. Set nothing else"
    ):
        main([*begin, "chess", "--set=depth=2"])
    assert not (tmp_path / "run").exists()


def refused(path: Path) -> str:
    with pytest.raises(ArtefactError) as error:
        read_back(path)
    text = str(error.value)
    assert "\n" not in text
    return text.removeprefix(str(path)).strip()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999])
def test_a_file_that_was_cut_off_is_refused(share: float, tmp_path: Path) -> None:
    whole = bundled()["chess"].read_bytes()
    (tmp_path / "cut.onnx").write_bytes(whole[: int(share * len(whole))])
    assert refused(tmp_path / "cut.onnx").startswith(("is not a readable", "is an ONNX model, but"))


@pytest.fixture
def model() -> onnx.ModelProto:
    return onnx.load(bundled()["chess"])


def told(model: onnx.ModelProto) -> onnx.StringStringEntryProto:
    entry: onnx.StringStringEntryProto
    (entry,) = [entry for entry in model.metadata_props if entry.key == "zeroply"]
    return entry


def test_a_file_that_is_not_ours_is_refused(model: onnx.ModelProto, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    for manifest in ("{", "[]", "{}"):
        told(model).value = manifest
        onnx.save(model, path)
        assert "the manifest in" in refused(path)
    del model.metadata_props[:]
    onnx.save(model, path)
    assert refused(path) == "is an ONNX model, but zeroply did not write it. Make one: zeroply export"


def test_weights_that_do_not_fit_the_manifest_are_refused(model: onnx.ModelProto, tmp_path: Path) -> None:
    path, about = tmp_path / "net.onnx", json.loads(told(model).value)
    built = about["options"]
    for option, value in (
        ("width", built["width"] // 2),
        ("depth", built["depth"] - 1),
        ("depth", built["depth"] + 1),
    ):
        told(model).value = json.dumps({**about, "options": {**built, option: value}})
        onnx.save(model, path)
        assert refused(path).startswith("cannot be trained on: ")


def test_a_graph_with_something_in_it_that_the_net_has_not_is_refused(
    model: onnx.ModelProto, tmp_path: Path
) -> None:
    """All weights are found and fit, but the file's net did something else with them."""
    next(node for node in model.graph.node if node.op_type == "Gelu").op_type = "Sigmoid"
    onnx.save(model, tmp_path / "net.onnx")
    assert refused(tmp_path / "net.onnx").startswith("cannot be trained on: a net with the weights that were")


@pytest.mark.slow
@pytest.mark.parametrize(("place", "part"), [(3, "step"), (2, "step"), (4, "one")])
def test_products_that_are_not_made_as_ours_are_refused(
    place: int, part: str, model: onnx.ModelProto, tmp_path: Path
) -> None:
    """What int8 numbers are multiplied by is read by name: one that is not where it belongs is no weight of
    the net, and the graph in float32 could not tell."""
    product, other = [node for node in model.graph.node if node.op_type == "MatMulIntegerToFloat"][:2]
    product.input[place] = f"{other.output[0].removesuffix('.product')}.{part}"
    onnx.save(model, tmp_path / "net.onnx")
    assert refused(tmp_path / "net.onnx").startswith("cannot be trained on: its graph is none that this")


@pytest.mark.slow
def test_matrices_in_another_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another version of torch might export them: two of one shape, the one in the other's place."""
    by_call = module._by_call

    def swapped(*arguments: object) -> list[str]:
        names = by_call(*arguments)  # type: ignore[arg-type]
        one, other = (names.index(f"trunk.blocks.{block}.attention.out.weight") for block in (6, 7))
        names[one], names[other] = names[other], names[one]
        return names

    monkeypatch.setattr(module, "_by_call", swapped)
    assert refused(bundled()["chess"]).startswith("cannot be trained on: a net with the weights that were")


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "zeroply.training.read_back")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"chess\.onnx needs the package 'onnx'\. Install it: .*pip"):
        Start.opened(bundled()["chess"])


@pytest.mark.slow
def test_of_what_runs_graphs_onnx_alone_is_needed() -> None:
    """Machines for training have no onnxruntime."""
    code = (
        "import sys; sys.modules['onnxruntime'] = sys.modules['onnxscript'] = None\n"
        "from zeroply.artefacts import bundled\n"
        "from zeroply.training.read_back import read_back\n"
        "read_back(bundled()['xiangqi'])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
