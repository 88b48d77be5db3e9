"""Seed 000: its numbers, and its whole way from text files to checkpoints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.recipes.real_games import games_of_people
from tests.recipes.test_recipes import outputs
from tests.sources import CHESS, SAMPLE, shared
from tests.training.frequencies import frequency_baseline, looked_at
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import RecipeError
from zeroply.games import stack
from zeroply.recipes import find_recipe, restore
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Epochs
from zeroply.training.command import main

TINY = {
    "width": 16,
    "move_layers": 1,
    "board_layers": 1,
    "heads": 2,
    "inner": 16,
    "hidden": 16,
    "history": 16,
}
SETTINGS = [
    f"--set={name}={value}" for name, value in {**TINY, "rate": 0.01, "batch": 13, "chunk": 2000}.items()
]
SHARES = {Split.validation: 0.1}


def entries(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "sample"
    build(out, [SAMPLE], CHESS, shares=SHARES)
    return out


def test_the_default_is_the_seeds() -> None:
    system = find_recipe("castle").make(CHESS, {})
    streams, plan = system.encoding.streams, system.plan
    assert (streams["board"].length, streams["board"].vocabulary) == (64, 13)
    assert streams["rights"].width == 6
    logits = system.net.get_submodule("heads.policy.logits")
    assert isinstance(logits, torch.nn.Linear)
    assert logits.out_features == 4140
    assert parameters(system.net) == 18_145_324
    assert (plan.batch, plan.length, plan.chunk) == (64, Epochs(20), 1_600_000)
    assert (plan.optimizer.rate, plan.optimizer.weight_decay) == (1e-4, 0)
    rates = [plan.optimizer.rate * plan.schedule(10 * epoch, 200, 10) for epoch in (0, 4, 5, 10, 19)]
    assert rates == pytest.approx([1e-4, 1e-4, 1e-5, 1e-6, 1e-7])
    assert plan.sampling.positions is Positions.subsequences
    assert plan.keeps_epochs
    assert plan.forget == 0


def test_the_whole_net_answers_in_the_first_position_and_after_long_games() -> None:
    system = find_recipe("castle").make(CHESS, {"move_layers": "1", "board_layers": "1", "history": "5"})
    system.net.eval()
    first, later = CHESS.start(), CHESS.start()
    for name in ["g1f3", "g8f6", "f3g1", "f6g8"] * 5:
        later = later.play(CHESS.moves.number(name))
    policy = outputs(system, stack([first.row(5), later.row(5)]))["policy"]
    assert policy.shape == (2, len(CHESS.moves))
    assert policy.isfinite().all()
    assert not torch.equal(policy[0], policy[1])  # the same board and rights; another past


@pytest.mark.parametrize("setting", ["chunk=0", "decay_epochs=0", "history=0", "outputs=100", "heads=3"])
def test_numbers_that_make_no_sense_are_refused(setting: str) -> None:
    with pytest.raises(RecipeError, match=setting):
        find_recipe("castle").make(CHESS, dict([setting.split("=")]))


@pytest.mark.slow
def test_a_corpus_and_its_split_files_teach_the_same(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zeroply.corpus.exports.castle.LINES", 3000)
    export(Corpus.open(corpus), tmp_path / "castle", "castle")
    split = tmp_path / "castle" / "dataset" / "split"
    assert len(list(split.iterdir())) > 2
    build(tmp_path / "again", [split], CHESS, shares=SHARES)
    measured = []
    for name, source in (("pgn", corpus), ("text", tmp_path / "again")):
        main(["castle", str(source), "--out", str(tmp_path / name), *SETTINGS, "--set=epochs=2"])
        measured.append(
            [
                {key: value for key, value in entry.items() if "second" not in key}
                for entry in entries(tmp_path / name)
            ]
        )
    assert measured[0] == measured[1]
    looks = [entry["validation_loss"] for entry in measured[0] if "validation_loss" in entry]
    assert len(looks) == 2
    assert looks[1] < 8.0  # even chances would be 8.3


@pytest.mark.slow
def test_every_epoch_leaves_a_checkpoint_and_twenty_lines(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    main(["castle", str(corpus), "--out", str(run), *SETTINGS, "--set=epochs=3"])
    found = entries(run)
    looks = [entry for entry in found if "validation_top1" in entry]
    written = {entry["step"] for entry in found if "positions_per_second" in entry}
    said = {line.split()[1] for line in capsys.readouterr().err.splitlines() if line.startswith("epoch ")}
    epoch = looks[0]["step"]
    assert [entry["step"] for entry in looks] == [epoch, 2 * epoch, 3 * epoch]
    assert epoch % 20, "an epoch of so many steps would hide entries in the wrong place"
    parts = {-(-part * epoch // 20) for part in range(1, 61)}
    assert parts <= written
    assert {f"{step / epoch:.2f}" for step in parts} <= said
    for number, look in enumerate(looks, 1):
        training = restore(run / f"epoch-{number:02}.safetensors")[1]["training"]
        assert training["epoch"] == number
        assert training["training_top1"] == look["training_top1"]
        assert training["validation"]["validation_top1"] == look["validation_top1"]


@pytest.mark.slow
def test_epochs_stay_without_a_validation_part(tmp_path: Path) -> None:
    build(tmp_path / "corpus", [SAMPLE], CHESS, shares={})
    main(["castle", str(tmp_path / "corpus"), "--out", str(tmp_path / "run"), *SETTINGS, "--set=epochs=2"])
    for number in (1, 2):
        training = restore(tmp_path / "run" / f"epoch-{number:02}.safetensors")[1]["training"]
        assert training["epoch"] == number
        assert 0 < training["training_top1"] < 1


SMALL = [
    f"--set={name}={value}"
    for name, value in {**TINY, "width": 32, "inner": 64, "hidden": 64, "history": 8, "chunk": 2000}.items()
]


@pytest.mark.slow
def test_its_own_subsequences_teach_more_than_frequencies(tmp_path: Path) -> None:
    """Seven examples of a game in an epoch, one of them its last move, are few: hence many games. Who counts
    has seen all of their moves."""
    shared("twic-sample.pgn.xz")  # the sample has not games enough
    source = games_of_people(CHESS, 1200, tmp_path / "games.pgn")
    build(tmp_path / "corpus", [source], CHESS, shares=SHARES)
    plan = {"batch": 32, "rate": 0.003, "forget": 0.1, "epochs": 4, "decay_epochs": 3}
    settings = [f"--set={name}={value}" for name, value in plan.items()]
    main(["castle", str(tmp_path / "corpus"), "--out", str(tmp_path / "run"), *SMALL, *settings])
    found = restore(tmp_path / "run")[1]["training"]["validation"]["validation_policy"]
    corpus = Corpus.open(tmp_path / "corpus")
    rows = looked_at(corpus, find_recipe("castle").make(CHESS, {}).plan.sampling)
    assert len(rows["move"]) > 700
    assert found < frequency_baseline(corpus, rows) - 0.2
