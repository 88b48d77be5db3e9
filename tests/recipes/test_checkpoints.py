"""A checkpoint is opened as the net that it was, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

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
