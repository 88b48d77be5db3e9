"""A state comes back from its file as it was."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.sources import CHESS
from zeroply.errors import ArtefactError
from zeroply.recipes import find_recipe, restore, save
from zeroply.training.checkpoint_io import StateIO, packed
from zeroply.training.folder import STATE

TENSORS = st.builds(
    lambda shape, kind, seed: torch.randint(0, 2, shape, generator=torch.Generator().manual_seed(seed)).to(
        kind
    ),
    st.lists(st.integers(0, 3), max_size=3),
    st.sampled_from([torch.float32, torch.bfloat16, torch.float64, torch.int64, torch.uint8, torch.bool]),
    st.integers(0, 99),
)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), TENSORS)
STATES = st.dictionaries(
    st.text() | st.integers(),
    st.recursive(
        PLAIN,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.text() | st.integers(), inner, max_size=3),
        ),
        max_leaves=8,
    ),
    max_size=4,
)


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor):
        return isinstance(other, Tensor) and one.dtype == other.dtype and torch.equal(one, other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    return bool(one == other)


@settings(max_examples=40)
@given(STATES)
def test_any_state_comes_back(state: dict[Any, Any]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / STATE
        StateIO().save_checkpoint(state, path)
        assert alike(StateIO().load_checkpoint(path), state)


@given(STATES)
def test_all_but_tensors_is_json(state: dict[Any, Any]) -> None:
    tensors: dict[str, Tensor] = {}
    rest = packed(state, tensors)
    assert json.loads(json.dumps(rest)) == rest


def test_tensors_are_not_mistaken_for_each_other(tmp_path: Path) -> None:
    state = {"a/b": torch.tensor(1), "a": {"b": torch.tensor(2)}, "": {"a": {"b": torch.tensor(3)}}}
    StateIO().save_checkpoint(state, tmp_path / STATE)
    assert alike(StateIO().load_checkpoint(tmp_path / STATE), state)


def test_what_json_does_not_have_is_named() -> None:
    with pytest.raises(
        ArtefactError, match="has a PosixPath at 'callbacks/Diary', which has no place in JSON"
    ):
        packed({"callbacks": {"Diary": Path("/")}}, {})


def test_states_and_models_are_not_taken_for_each_other(tmp_path: Path) -> None:
    StateIO().save_checkpoint({"global_step": 3}, tmp_path / STATE)
    with pytest.raises(ArtefactError, match=r"state\.safetensors is no model, but the state"):
        restore(tmp_path / STATE)
    save(find_recipe("centaur").make_small(CHESS), tmp_path / "model.safetensors", {})
    with pytest.raises(ArtefactError, match="is not the state of a run"):
        StateIO().load_checkpoint(tmp_path / "model.safetensors")
