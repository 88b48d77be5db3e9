"""What is written stands whole or not at all, and what killed writers left behind goes away."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.corpus.commands import names_in
from zeroply.artefacts import new_file, new_folder, save_checkpoint
from zeroply.errors import DiskFullError

WRITER = """
import sys, time
from pathlib import Path
from zeroply.artefacts import {make}
with {make}(Path(sys.argv[1])) as building:
    print("writing", flush=True)
    time.sleep(60)
"""


def begin(make: str, path: Path) -> subprocess.Popen[str]:
    """A process that is writing `path`."""
    words = [sys.executable, "-c", WRITER.format(make=make), str(path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("make", ["new_file", "new_folder"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, make: str) -> None:
    out = tmp_path / "out.pgn"
    end(begin(make, out))
    (left,) = names_in(tmp_path)
    (tmp_path / ".out.pgn.building").mkdir()  # of others, or of other names
    (tmp_path / f"{left}.part").touch()
    (tmp_path / f".my{left}").touch()
    others = {".out.pgn.building", f"{left}.part", f".my{left}"}
    assert len(names_in(tmp_path)) == 4
    with new_file(out) as building:
        building.write_text("whole")
    assert names_in(tmp_path) == others | {"out.pgn"}
    assert out.read_text() == "whole"


def test_a_writer_that_lives_keeps_its_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    living = begin("new_folder", out)
    try:
        (theirs,) = names_in(tmp_path)
        assert str(living.pid) in theirs
        with new_folder(out):
            assert theirs in names_in(tmp_path)
        assert names_in(tmp_path) == {theirs, "out"}
    finally:
        end(living)


def left_by(process: int, path: Path) -> str:
    """What a process leaves that is killed while it writes `path`."""
    with new_file(path) as building:
        name = building.name.replace(f".{os.getpid()}-", f".{process}-")
    (path.parent / name).touch()
    return name


def test_a_file_of_a_process_that_is_not_ours_stays(tmp_path: Path) -> None:
    theirs = left_by(os.getppid(), tmp_path / "out")
    with new_file(tmp_path / "out"):
        pass
    assert names_in(tmp_path) == {theirs, "out"}


def test_what_another_machine_writes_on_a_shared_disk_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its processes have numbers of their own: here nobody has this one."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    left_by(dead.pid, tmp_path / "out")
    with monkeypatch.context() as there:
        there.setattr("platform.node", lambda: "elsewhere")
        theirs = left_by(dead.pid, tmp_path / "out")
    with new_file(tmp_path / "out"):
        pass
    assert names_in(tmp_path) == {theirs, "out"}


def test_weights_on_a_full_disk_are_one_line_and_no_file(tmp_path: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, hard))
    try:
        with pytest.raises(DiskFullError, match=r"no room for .*model\.safetensors: file too large"):
            save_checkpoint(tmp_path / "model.safetensors", {"weight": torch.zeros(10_000)}, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert names_in(tmp_path) == set()
