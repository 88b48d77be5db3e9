"""A checkpoint is opened as the net that it was, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.sources import CHESS
from zeroply.artefacts import load_checkpoint, save_checkpoint
from zeroply.errors import ArtefactError
from zeroply.recipes import find_recipe, restore, save


def saved_before_revisions(recipe: str, folder: Path) -> Path:
    path = folder / f"{recipe}.safetensors"
    save(find_recipe(recipe).make_small(CHESS), path, {"steps": 3})
    tensors, about = load_checkpoint(path)
    assert about.pop("revision") == find_recipe(recipe).revision
    save_checkpoint(path, tensors, about)
    return path


def test_nets_that_would_answer_otherwise_are_refused(tmp_path: Path) -> None:
    path = saved_before_revisions("minustwo", tmp_path)
    with pytest.raises(ArtefactError, match=r"is of revision 1 of the recipe 'minustwo'; .* Train it anew"):
        restore(path)


def test_nets_from_before_there_were_revisions_are_opened(tmp_path: Path) -> None:
    system, about = restore(saved_before_revisions("smolgen", tmp_path))
    assert (system.recipe, about["training"]) == ("smolgen", {"steps": 3})


def changed(
    folder: Path, *, tensors: Mapping[str, Tensor] | None = None, options: Mapping[str, object] | None = None
) -> Path:
    """A checkpoint whose recipe was another when it was made."""
    path = folder / "m.safetensors"
    save(find_recipe("intuition").make_small(CHESS), path, {})
    own, about = load_checkpoint(path)
    kept = {name: tensor for name, tensor in own.items() if not name.startswith("trunk.blocks.0.feed.0")}
    save_checkpoint(
        path,
        own if tensors is None else {**kept, **tensors},
        {**about, "options": {**about["options"], **(options or {})}},
    )
    return path


NEXT = "Bring back the code that it was trained with, or train it anew"


@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        ({}, "trunk.blocks.0.feed.0.weight is missing in the file and 64×32 in the net (and 1 more)"),
        (
            {
                "trunk.blocks.0.feed.0.weight": torch.ones(48, 32),
                "trunk.blocks.0.feed.0.bias": torch.ones(64),
            },
            "trunk.blocks.0.feed.0.weight is 48×32 in the file and 64×32 in the net",
        ),
        (
            {
                "trunk.blocks.0.feed.0.weight": torch.ones(64, 32),
                "trunk.blocks.0.feed.0.bias": torch.ones(64),
                "scale": torch.tensor(1.0),
            },
            "scale is a number in the file and missing in the net",
        ),
    ],
    ids=["missing", "another size", "unknown"],
)
def test_weights_that_the_recipe_has_no_place_for_are_one_line(
    tmp_path: Path, tensors: Mapping[str, Tensor], reason: str
) -> None:
    path = changed(tmp_path, tensors=tensors)
    with pytest.raises(ArtefactError) as refused:
        restore(path)
    assert str(refused.value) == f"{path} does not fit the recipe 'intuition' as it is now: {reason}. {NEXT}"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"widht": 3}, r"TypeError: .*unexpected keyword argument 'widht'"),
        ({"depth": 10**30}, r"option depth=10+ of 'intuition' must be at most 1,000"),
        ({"width": 99999996}, r"the net would have [\d,]+ parameters or more, .*, or smaller ones"),
        ({"width": "wide"}, r"TypeError: .*"),
        ({"optimizer": "sgd"}, r"KeyError: 'sgd'"),
        ({"heads": 5}, r"width=32 cannot be shared by heads=5\. Choose a multiple"),
    ],
    ids=str,
)
def test_options_that_the_recipe_does_not_know_are_one_line(
    tmp_path: Path, options: dict[str, object], reason: str
) -> None:
    begin = r"^\S+ does not fit the recipe 'intuition' as it is now: "
    with pytest.raises(ArtefactError, match=rf"{begin}{reason}\. {NEXT}$"):
        restore(changed(tmp_path, options=options))
