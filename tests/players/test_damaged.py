"""A model whose manifest tells nonsense is refused when it is opened, not when something believes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest

from tests.sources import CHESS
from zeroply.artefacts import bundled, load_checkpoint, save_checkpoint
from zeroply.errors import ArtefactError
from zeroply.players.load import load_network
from zeroply.recipes import find_recipe, save
from zeroply.training.read_back import read_back

NONSENSE = (None, "abc", ["abc"], 7, True)
TRAINING: list[dict[str, Any]] = [
    {"rated": "yes"},
    *({"people": people} for people in ("abc", [2800, 2300], [2300], ["a", "b"], [0, 10**30])),
    *({"strongest": strongest} for strongest in ("x", {"human": "x"}, {"human": None}, {"engine": 40_000})),
    {"corpora": None},
    {"corpora": [None]},
    {"corpora": [{"sources": "x"}]},
    {"corpora": [{"sources": [{"sha256": []}]}]},
    {"corpora": [{"shares": {"test": "x"}}]},
    {"before": {"people": "abc"}},
    {"before": None},
]


@pytest.mark.parametrize(
    "change",
    [
        *({"training": wrong} for wrong in (*NONSENSE, *TRAINING)),
        *({"options": wrong} for wrong in NONSENSE),
        {"recipe": None},
        {"game": []},
        {"revision": "1"},
    ],
    ids=str,
)
def test_a_checkpoint_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "m.safetensors"
    save(find_recipe("intuition").make_small(CHESS), path, {})
    load_network(str(path))
    tensors, about = load_checkpoint(path)
    save_checkpoint(path, tensors, {**about, **change})
    with pytest.raises(ArtefactError) as refused:
        load_network(str(path))
    assert str(refused.value) == (
        f"the manifest in {path} is damaged. Give another of its run, or train it anew"
    )


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ("game", "is damaged"),
        ("recipe", "is damaged"),
        ("options", "is damaged"),
        ("training", "is no model, but the state or a batch of a run"),
    ],
)
def test_a_checkpoint_that_does_not_tell_all_is_refused(tmp_path: Path, left_out: str, said: str) -> None:
    path = tmp_path / "m.safetensors"
    save(find_recipe("intuition").make_small(CHESS), path, {})
    tensors, about = load_checkpoint(path)
    del about[left_out]
    save_checkpoint(path, tensors, about)
    with pytest.raises(ArtefactError, match=said):
        load_network(str(path))


@pytest.mark.parametrize(
    "change",
    [
        *({name: wrong} for name in ("training", "inside", "squares") for wrong in NONSENSE),
        *({"training": wrong} for wrong in TRAINING),
        *({"history": wrong} for wrong in (None, -1, "4", 5, 10**12)),
        {"inside": ["flipped", "policy"]},
        {"squares": [[0]] * 8},
        {"squares": [[90, *range(1, 90)]] * 8},
        {"squares": [[]]},
        {"parameters": "many"},
    ],
    ids=str,
)
def test_an_exported_model_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "m.onnx"
    net = onnx.load(str(bundled()["xiangqi"]))
    (about,) = [entry for entry in net.metadata_props if entry.key == "zeroply"]
    about.value = json.dumps({**json.loads(about.value), **change})
    onnx.save(net, str(path))
    message = f"the manifest in {path} is damaged. Make it again: zeroply export"
    with pytest.raises(ArtefactError) as refused:
        load_network(str(path))
    assert str(refused.value) == message
    if "training" in change:
        with pytest.raises(ArtefactError) as refused:
            read_back(path)
        assert str(refused.value) == message
