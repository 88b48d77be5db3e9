"""Files that commands write numbers and pictures to."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tests.commands import PROGRAM, refused, zeroply
from tests.sources import PUZZLES
from zeroply.apps.cli import app
from zeroply.errors import ArtefactError, ZeroplyError


def commands_within(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands_within(inner, (*path, name))
    if not hasattr(command, "commands"):
        yield path, command


TARGETS = [
    pytest.param(command, param.opts[0], id=" ".join((*path, param.opts[0])))
    for path, command in commands_within(get_command(app))
    for param in command.params
    if {"--json", "--svg", "--png"} & set(param.opts) and not param.is_flag
]


def test_all_that_measure_write_to_a_target() -> None:
    measures = ("accuracy", "calibration", "ladder", "legality", "match", "puzzles", "suite")
    drawn = ("eval calibration", "eval ladder", "predict")
    wanted = {*(f"eval {name} --json" for name in measures), *(f"{name} --svg" for name in drawn)}
    assert {str(param.id) for param in TARGETS} >= wanted


@pytest.mark.parametrize(("command", "option"), TARGETS)
def test_a_target_that_cannot_be_written_is_refused_before_any_work(
    command: Any, option: str, tmp_path: Path
) -> None:
    """Even before the models and files, none of which is there."""
    (tmp_path / "file").write_text("")
    needed = ["none" for param in command.params if param.required]
    places = {tmp_path: "is a folder", tmp_path / "file" / "x": "is no folder for you"}
    if Path("/proc/self").exists():
        places[Path("/proc/x")] = "is no folder for you"  # although root has the right to write there
    for place, part in places.items():
        with pytest.raises(ArtefactError, match=part):
            command.main([*needed, option, str(place)], standalone_mode=False)


@pytest.mark.parametrize(("command", "option"), TARGETS)
def test_a_picture_has_its_own_suffix(command: Any, option: str, tmp_path: Path) -> None:
    """Programs know pictures by it; numbers may go anywhere."""
    needed = ["none" for param in command.params if param.required]
    wanted = {"--svg": "does not end in .svg", "--png": "does not end in .png"}.get(option, "none")
    with pytest.raises(ZeroplyError, match=wanted):
        command.main([*needed, option, str(tmp_path / "x.txt")], standalone_mode=False)


def test_a_dash_is_no_file() -> None:
    refusal = refused("eval", "puzzles", "chess", PUZZLES, "--json", "-")
    assert refusal.endswith("--json - would be a file of that name. For standard output: --json /dev/stdout")


@pytest.mark.parametrize(
    "command",
    [
        ("data", "build", "file/out", PUZZLES),
        ("data", "label", PUZZLES, "file/out", "--engine", "stockfish", "--nodes", 10),
        ("data", "generate", "file/out", "--white", "random", "--black", "random", "--games", 1),
    ],
    ids=lambda words: words[1],
)
def test_a_folder_that_cannot_be_made_is_named_as_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    refusal = refused(*command)
    assert refusal.startswith("file/out cannot be written: ")
    assert refusal.endswith(". Give another place")


@pytest.mark.slow
def test_a_device_needs_no_suffix() -> None:
    assert "/dev/null: the board" in zeroply("predict", "--svg", "/dev/null").stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such device")
def test_numbers_that_no_file_takes_are_shown(tmp_path: Path) -> None:
    arguments = [*PROGRAM, "eval", "puzzles", "greedy", str(PUZZLES), "--limit", "2", "--json", "/dev/full"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "solved" in done.stdout
    assert done.stderr.strip().endswith(
        "No space left on device: what is written to. Nothing was written there. Give another place"
    )


@pytest.mark.slow
def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    arguments = ["eval", "puzzles", "chess", PUZZLES, "--limit", 2, "--json"]
    zeroply(*arguments, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["n"] == 2
    zeroply(*arguments, "/dev/null")
    assert Path("/dev/null").is_char_device()
