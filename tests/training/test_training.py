"""Training as a user runs it: on real games, for seconds."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tests.recipes.test_recipes import small
from tests.sources import CHESS
from zeroply.artefacts import load_checkpoint
from zeroply.errors import RecipeError, ZeroplyError
from zeroply.recipes import find_recipe, restore, save
from zeroply.recipes.base import Recipe
from zeroply.training.command import main
from zeroply.training.loop import _gap
from zeroply.training.max_time import MaxTime
from zeroply.training.start import Start

TINY = [
    f"--set={option}" for option in ("width=32", "depth=1", "heads=2", "inner=32", "warmup=5", "batch=128")
]


def losses(run: Path) -> list[float]:
    entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [entry["policy"] for entry in entries if "policy" in entry]


@pytest.mark.slow
def test_same_seed_same_weights(chess: Path, tmp_path: Path) -> None:
    models = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / name
        main(["intuition", str(chess), "--out", str(out), *TINY, "--set=steps=50", f"--seed={seed}"])
        models.append(losses(out))
    assert models[0] == models[1] != models[2]


@pytest.mark.slow
def test_overfit_learns_one_batch(chess: Path, tmp_path: Path) -> None:
    arguments = ["--overfit=16", "--set=steps=300", "--set=rate=0.01", "--set=forget=0"]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, *arguments])
    assert losses(tmp_path / "run")[-1] < 0.1


def test_a_finished_run_is_not_overwritten(chess: Path, tmp_path: Path) -> None:
    arguments = ["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, "--set=steps=2"]
    main(arguments)
    assert restore(tmp_path / "run")[1]["training"]["positions"] == 2 * 128
    with pytest.raises(ZeroplyError, match="already holds a trained model"):
        main(arguments)


def test_a_run_is_not_written_into_a_corpus(chess: Path) -> None:
    before = sorted(chess.iterdir())
    with pytest.raises(ZeroplyError, match="is a corpus"):
        main(["intuition", str(chess), "--out", str(chess)])
    assert sorted(chess.iterdir()) == before


def test_a_setting_without_a_value_is_explained(chess: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="--set width has no '='"):
        main(["intuition", str(chess), "--out", str(tmp_path / "run"), "--set", "width"])


@pytest.mark.slow
def test_a_run_goes_on_from_another(chess: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    main(["intuition", str(chess), "--out", str(first), *TINY, "--set=steps=3"])
    begin = ["--start-from", str(first), "--set=steps=1", "--set=rate=1e-12"]
    main(["intuition", str(chess), "--out", str(second), *TINY, *begin])
    before, after = (
        load_checkpoint(first / "model.safetensors"),
        load_checkpoint(second / "model.safetensors"),
    )
    for name, weight in before[0].items():
        torch.testing.assert_close(after[0][name], weight)
    assert after[1]["training"]["before"]["steps"] == 3
    with pytest.raises(RecipeError, match=r"is another net: it was built with width=32\. Set nothing else"):
        main(["intuition", str(chess), "--out", str(tmp_path / "x"), *TINY, "--set=width=64", *begin])


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("ches", r"argument --start-from: there is no model 'ches'\. Bundled: chess, xiangqi; otherwise .*"),
        ("net.onnx", r"net\.onnx is not a readable ONNX model\. Make one: zeroply export"),
        ("empty", r"there is no checkpoint empty/last\.safetensors\. Give a run folder that .*"),
        ("junk.safetensors", r"junk\.safetensors is damaged, or no checkpoint\. Give another of its run"),
    ],
)
def test_what_no_run_can_begin_with_is_explained(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("net.onnx", "junk.safetensors"):
        Path(name).write_bytes(b"junk")
    Path("empty").mkdir()
    with pytest.raises(ZeroplyError, match=f"^{said}$"):
        main(["intuition", str(chess), "--out=run", *TINY, "--start-from", start])


@pytest.mark.slow
def test_a_run_takes_its_shape_from_the_net_it_begins_with(
    chess: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without a word of it, also where the net was taught what these games do not have."""
    shape = {
        "size": "m",
        "width": "16",
        "depth": "2",
        "heads": "2",
        "inner": "16",
        "evaluation_weight": "0.2",
        "optimizer": "adamw",
        "rate": "7e-3",
    }
    trained = find_recipe("intuition").make(CHESS, shape)
    save(trained, tmp_path / "m.safetensors", {})
    begin = ["--start-from", str(tmp_path / "m.safetensors"), "--set=batch=8", "--set=steps=1"]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *begin])
    told = capfd.readouterr().err
    assert "m.safetensors also answers evaluation, " in told
    assert ", which this run leaves out\n" in told
    system, _ = restore(tmp_path / "run")
    assert "rate=0.0007, a tenth of the one that " in told
    own = {"evaluation_weight": 0.0, "batch": 8, "steps": 1, "rate": 7e-4}
    assert asdict(system.options) == {**asdict(trained.options), **own}
    with pytest.raises(RecipeError, match=r"is another net: it was built with width=16, heads=2\."):
        main(["intuition", str(chess), "--out", str(tmp_path / "l"), *begin, "--set=size=l"])


@pytest.mark.parametrize(("name", "change"), [("centaur", "causal=false"), ("smolgen", "facing=absolute")])
def test_other_nets_with_weights_of_the_same_shape_are_refused(
    name: str, change: str, tmp_path: Path
) -> None:
    recipe = find_recipe(name)
    options = {option: str(value) for option, value in recipe.small.items()}
    save(small(name, "chess"), tmp_path / "m.safetensors", {})
    option, _, value = change.partition("=")
    start = Start.opened(tmp_path / "m.safetensors")
    start.give(recipe.make(CHESS, options))
    with pytest.raises(RecipeError, match=f"is another net: it was built with {option}="):
        start.give(recipe.make(CHESS, {**options, option: value}))


@pytest.mark.slow
def test_patience_may_be_counted_in_steps(chess: Path, tmp_path: Path) -> None:
    """With a rate of nothing the first look, after 8 of 40 steps, is the best of all."""
    patient = ["--set=steps=40", "--set=rate=0", "--set=patience=8"]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, *patient])
    entries = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in entries if "validation_loss" in entry] == [8, 16]
    assert not (tmp_path / "run" / "state.safetensors").exists()


@pytest.mark.parametrize(
    ("steps", "batch", "rows", "gap"),
    [
        (100_000, 4096, 204_800, 10_000),
        (8_000, 4096, 204_800, 800),
        (3_000, 4096, 204_800, 300),
        (60, 128, 500, 6),
        (60, 128, 3_840, 20),  # three looks at half of what is learned
        (60, 128, 204_800, 60),
        (2_000, 1, 204_800, 2_000),
        (3, 1, 1, 1),
    ],
)
def test_how_often_the_validation_part_is_looked_at(steps: int, batch: int, rows: int, gap: int) -> None:
    plan = find_recipe("intuition").make_small(CHESS).plan
    lessons: Any = SimpleNamespace(steps=steps, epoch=10, rows=steps * batch)
    assert _gap(plan, lessons, rows) == gap


@pytest.mark.slow
def test_time_counts_from_the_command_and_loading_torch_is_part_of_it(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []

    def record(limit: MaxTime, *_: Any) -> None:
        left.append(limit.left())

    def slow(name: str) -> Recipe:
        time.sleep(0.5)
        return find_recipe(name)

    monkeypatch.setattr(MaxTime, "on_train_batch_end", record)
    monkeypatch.setattr("zeroply.recipes.registry.asked_for", slow)  # before the run itself begins
    main(
        ["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, "--set=steps=1", "--max-time=1:0:0"]
    )
    assert 3000 < left[0] < 3600 - 0.5


@pytest.mark.parametrize("text", ["00:00:00", "-1:00:00", "00:99:00", "10", "a:b:c"])
def test_times_that_are_none_are_refused(chess: Path, tmp_path: Path, text: str) -> None:
    with pytest.raises(ZeroplyError, match=r"is not HH:MM:SS|leaves no time"):
        main(["intuition", str(chess), "--out", str(tmp_path / "run"), f"--max-time={text}"])
