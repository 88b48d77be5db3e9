"""What `zeroply train` refuses before the first step, and what it says before and after."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import CHESS, SAMPLE
from zeroply.artefacts import BEST, load_checkpoint
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.errors import StoppedError, ZeroplyError
from zeroply.recipes import find_recipe
from zeroply.training import fits, loop
from zeroply.training.arguments import parse
from zeroply.training.beginning import OFTEN, mended
from zeroply.training.command import main
from zeroply.training.curves import METRICS, read
from zeroply.training.folder import held
from zeroply.training.lesson import Lesson
from zeroply.training.max_time import MaxTime
from zeroply.training.work import a_row

TINY = [f"--set={option}" for option in ("width=16", "depth=1", "heads=2", "inner=16", "batch=32")]


def refused(chess: Path, out: Path, *more: str) -> str:
    with pytest.raises(ZeroplyError) as found:
        main(["intuition", str(chess), "--out", str(out), *TINY, *more])
    return str(found.value)


@pytest.mark.parametrize("option", ["--set batch=", "--overfit "])
@pytest.mark.parametrize("batch", [20_000, 10**9])
def test_a_batch_of_more_than_there_is_is_refused(
    chess: Path, tmp_path: Path, option: str, batch: int
) -> None:
    said = refused(chess, tmp_path / "run", *f"{option}{batch}".split(" "))
    assert re.fullmatch(
        rf"a batch of {batch:,} positions is more than there are to learn, 16,063\. "
        rf"Choose a smaller one: {option}2048",
        said,
    )
    assert not (tmp_path / "run").exists()


def test_a_batch_beyond_the_machine_s_memory_is_refused(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fits, "machine_memory", lambda: 2 * 10**9)
    said = refused(chess, tmp_path / "run", "--set=width=256", "--set=depth=8", "--set=batch=1024")
    assert re.fullmatch(
        r"a batch of 1,024 positions takes [4-9] GB of memory or more; this machine has 2\. "
        r"Choose a smaller one: --set batch=(64|128)",
        said,
    )


def test_what_a_row_takes_is_what_its_net_keeps() -> None:
    """A block keeps its input, queries, keys, values, what attention found, the inner layer …: some dozen
    vectors of the width for each square, in four bytes each."""
    system = find_recipe("intuition").make(CHESS, {"depth": "3", "width": "64", "inner": "64"})
    assert a_row(system)["board"].shape[0] == 1
    vector = 64 * 64 * 4
    assert 3 * 5 * vector < fits.bytes_per_row(system) < 3 * 40 * vector


def test_a_folder_with_other_things_is_not_written_into(chess: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    assert refused(chess, tmp_path).endswith(
        "is not empty: it has thesis.tex. Choose a new or an empty folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_folder_that_cannot_be_made_is_named(chess: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(chess, tmp_path / "file" / "run")
    assert said.endswith("file/run cannot be made: Not a directory. Choose another folder")


def test_an_option_among_the_corpora_is_told_from_one(chess: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ZeroplyError, match=r"there is no corpus depth\. If depth=1 is an option, write --set depth=1"
    ):
        main(["intuition", str(chess), "--out", str(tmp_path / "run"), "--set", "width=32", "depth=1"])


@pytest.mark.parametrize(
    ("argument", "part"),
    [
        ("--save-every=-1", "'-1' is not a whole number, 0 or more"),
        ("--max-time=10", "the time '10' is not HH:MM:SS. Write 00:25:00 for 25 minutes"),
        ("--within=25", "the time '25' is not HH:MM:SS. Write 00:25:00 for 25 minutes"),
        ("--within=0:0:9 --max-time=0:0:9", "argument --max-time: not allowed with argument --within"),
        ("--max-time=00:00:00", "'00:00:00' leaves no time"),
        ("--max-time=99999999999:00:00", "'99999999999:00:00' is not HH:MM:SS"),
        ("--overfit=0", "'0' is not a whole number, 1 or more"),
    ],
)
def test_arguments_that_are_none_are_explained(argument: str, part: str) -> None:
    with pytest.raises(ZeroplyError, match=part):
        parse(["intuition", "corpus", "--out", "run", *argument.split()], "zeroply train")


def test_a_run_says_what_it_does(chess: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, "--set=steps=5"])
    said = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"intuition for chess: [\d,]+ parameters, on the CPU", said[0])
    assert said[1] == f"{chess}: 17,468 positions of 150 games, gone through 0.01 times"
    assert said[2] == "5 steps of 32 rows; there are 16,063 to learn, 1,405 to validate by"
    assert said[3] == "the rate rises over 3 steps, not warmup=1000: the run is too short"
    assert said[-1] == f"trained: {tmp_path / 'run' / 'model.safetensors'}"


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "looks"), [(5, False), (45, True)])
def test_a_run_that_was_cut_says_so_and_goes_on(
    chess: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
    looks: bool,
) -> None:
    """It looks at 1,405 rows only if it has learned as many: else that would take much of the time asked for,
    once more."""
    run = tmp_path / "run"
    command = ["intuition", str(chess), "--out", str(run), *TINY, "--set=steps=47"]

    def left(_: MaxTime) -> float:
        return float((run / METRICS).read_text().count("\n") < steps)

    monkeypatch.setattr(loop, "_gap", lambda *_: 47)
    with patch.object(MaxTime, "left", left):
        main([*command, "--max-time=10:00:00"])
    said = capsys.readouterr().err.splitlines()
    best = "The best so far" if looks else "The last, for want of a look at the validation part"
    ending = f"cut by --max-time at step {steps} of 47; --resume goes on. {best}: {run / BEST}"
    assert said[-1] == ending
    assert ("time is up; a last look at 1,405 rows of the validation part follows" in said) is looks
    assert any("validation_loss" in entry for entry in read(run)) is looks
    assert load_checkpoint(run / BEST)[1]["training"]["steps"] == steps
    main([*command, "--resume"])
    assert f"going on after step {steps}\n" in capsys.readouterr().err
    assert read(run)[-1]["step"] == 47
    assert len(list(run.glob("events.out.tfevents*"))) <= 1


@pytest.mark.slow
def test_max_time_cuts_a_run(chess: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, "--max-time=00:00:01"])
    done = read(tmp_path / "run")[-1]["step"]
    assert f"cut by --max-time at step {done} of 20000" in capsys.readouterr().err


def test_patience_without_a_validation_part_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(tmp_path / "corpus", [SAMPLE], CHESS, shares={})
    few = [str(tmp_path / "corpus"), *TINY, "--set=steps=1", "--set=patience=5"]
    main(["intuition", "--out", str(tmp_path / "run"), *few])
    assert "\npatience does nothing: there is no validation part" in capsys.readouterr().err


def test_a_batch_learned_by_heart_is_counted(
    chess: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, "--overfit=8", "--set=steps=1"])
    said = capsys.readouterr().err.splitlines()
    assert said[1] == f"{chess}: 17,468 positions of 150 games"
    assert said[2] == "1 steps of 8 rows; 8 of 16,063 to learn, none to validate by"


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    (folder / "few.pgn").write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n")
    build(folder / "few", [folder / "few.pgn"], CHESS, shares={})
    return folder / "few"


def test_a_corpus_that_comes_too_often_among_others_is_named_with_the_weight_that_mends_it(
    chess: Path, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    six = [*TINY, "--set=steps=6"]
    main(["intuition", str(chess), str(few), "--out", str(tmp_path / "run"), *six])
    said = capsys.readouterr().err  # six times half of 32 rows
    assert f"{few}: 10 positions of 1 games, gone through 9.60 times" in said
    wanted = (
        f"{few} is gone through 9.60 times, and may be learnt by heart\nfor 8 times at the most: {few}=0.71\n"
    )
    assert wanted in said
    assert said.count("by heart") == 1
    main(["intuition", str(chess), f"{few}=0.71", "--out", str(tmp_path / "other"), *six])
    said = capsys.readouterr().err
    assert f"{few}: 10 positions of 1 games, gone through 7.90 times" in said
    assert "by heart" not in said


@given(
    st.lists(st.tuples(st.floats(0.01, 10), st.integers(10, 10**6)), min_size=1, max_size=6),
    st.integers(1, 10**7),
)
def test_with_the_weights_that_mend_it_none_comes_too_often(
    parts: list[tuple[float, int]], rows: int
) -> None:
    def passes(weights: Sequence[float]) -> list[float]:
        return [weight / sum(weights) * rows / size for weight, (_, size) in zip(weights, parts, strict=True)]

    weights = [weight for weight, _ in parts]
    found = mended(weights, passes(weights))
    if max(passes(weights)) <= OFTEN * 0.999:
        assert not found
    elif rows <= 0.999 * OFTEN * sum(size for _, size in parts):
        after = passes([found.get(at, weight) for at, weight in enumerate(weights)])
        assert max(after) <= OFTEN * 1.001
        assert all(after[at] >= OFTEN * 0.999 for at in found), "none comes less often than it may"


@pytest.mark.parametrize(
    "command",
    [
        ["castle", "--set=hidden=16", "--set=batch=1", "--set=epochs=9"],  # as often as was asked for
        ["intuition", *TINY, "--set=batch=8", "--set=steps=24"],  # no others
    ],
    ids=["epochs", "alone"],
)
def test_a_corpus_that_comes_so_often_by_its_plan_is_not_named(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    main([command[0], str(few), "--out", str(tmp_path / "run"), *command[1:]])
    said = capsys.readouterr().err
    assert re.search(r"10 positions of 1 games, gone through (9\.00|19) times", said)
    assert "by heart" not in said


def test_a_corpus_that_is_named_twice_is_refused(chess: Path, tmp_path: Path) -> None:
    said = refused(chess, tmp_path / "run", "--movers=winner,winner", f"{chess}=0.5")
    assert said == f"{chess} is named twice. Name it once, with the sum of its weights"


def test_a_corpus_may_be_come_with_its_winners_once_more(chess: Path, tmp_path: Path) -> None:
    more = ["--movers=winner,both", f"{chess}=0.5", "--set=steps=1"]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY, *more])
    assert (tmp_path / "run" / BEST).exists()


def test_what_is_wrong_is_told_before_torch_is_loaded(chess: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wrong = [
        [str(tmp_path / "nothing")],
        [f"{chess}=0"],
        [str(chess), f"--out={tmp_path / 'file'}"],
        [str(chess), "--resume"],
    ]
    code = f"""
import sys
from zeroply.errors import ZeroplyError
from zeroply.training.command import main
for arguments in {wrong}:
    try:
        main(["intuition", "--out={tmp_path / "run"}", *arguments])
    except ZeroplyError:
        print("refused", "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "refused False\n" * len(wrong)


def test_nobody_trains_in_the_folder_of_a_run_that_lasts(chess: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with held(run):
        assert refused(chess, run) == f"another process trains in {run}. Wait until it has ended, or stop it"
    main(["intuition", str(chess), "--out", str(run), *TINY, "--set=steps=1"])
    assert not (run / ".lock").exists()


def test_sigterm_ends_a_run_within_a_step(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            pass

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Lesson, "training_step", endless)
    with pytest.raises(StoppedError, match="no model yet"):
        main(["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY])
    assert signal.getsignal(signal.SIGTERM) == before
    assert not (tmp_path / "run").exists()


def test_games_without_a_result_have_no_loss_of_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = re.sub(r'(?m)^\[Result ".*"\]$', '[Result "*"]', SAMPLE.read_text())
    (tmp_path / "games.pgn").write_text(re.sub(r"(1-0|0-1|1/2-1/2)\s*$", "*\n", text, flags=re.M))
    build(tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS, shares={Split.validation: 0.02})
    main(["intuition", str(tmp_path / "corpus"), "--out", str(tmp_path / "run"), *TINY, "--set=steps=2"])
    assert "win, draw and loss is not learnt: no game has a result\n" in capsys.readouterr().err
    entries = read(tmp_path / "run")
    assert {"policy", "validation_policy"} <= {name for entry in entries for name in entry}
    assert not any("wdl" in name for entry in entries for name in entry)
    assert all(entry["loss"] == entry["policy"] for entry in entries if "loss" in entry)
    said = refused(tmp_path / "corpus", tmp_path / "other", "--set=plies_left_weight=0.1")
    assert said.startswith("'intuition' needs results, for plies left; corpus")


def test_a_batch_that_a_gpu_has_no_room_for_is_one_line(
    chess: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise torch.OutOfMemoryError

    monkeypatch.setattr(Lesson, "training_step", full)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "a GPU")
    said = refused(chess, tmp_path / "run")
    assert said == (
        "a batch of 32 positions, or the 4,194,304 that are mixed at a time, do not fit into the memory of "
        "a GPU. Choose fewer in a new --out: --set batch=16"
    )


def test_people_weaker_than_the_net_tells_apart_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = '[WhiteElo "1530"]\n[BlackElo "1530"]\n[Result '
    (tmp_path / "games.pgn").write_text(SAMPLE.read_text().replace("[Result ", ratings))
    build(tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS, shares={Split.validation: 0.02})
    begin = ["intuition", str(tmp_path / "corpus"), *TINY, "--set=steps=1", "--out"]
    main([*begin, str(tmp_path / "run")])
    said = capsys.readouterr().err
    assert "people from 1500 to 1550 play here; all below 2125 count as 2125." in said
    assert "To tell them apart: --set weakest=1500\n" in said
    main([*begin, str(tmp_path / "other"), "--set=weakest=1500"])
    assert "count as" not in capsys.readouterr().err
    training = load_checkpoint(tmp_path / "other" / BEST)[1]["training"]
    assert (training["people"], training["strongest"]) == ([1500, 1550], {"human": 1530})
