"""A full disk: one line, nothing half-written, and the same command goes on when there is room."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.corpus.commands import Command, bytes_of, names_in
from tests.sources import SAMPLE


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk looks like to a program, without root's help: writes fail beyond so many bytes."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def test_a_full_disk_is_one_line_and_the_same_command_goes_on(
    refused: Callable[..., str], zeroply: Command, sample: Path, tmp_path: Path
) -> None:
    sizes = [path.stat().st_size for path in sample.iterdir() if path.stat().st_size]
    for size in (10, 200, *sorted({size - 1 for size in sizes})):
        out = tmp_path / str(size)
        with files_of_at_most(size):
            line = refused("data", "build", out, SAMPLE)
        assert line.startswith(f"no room for {tmp_path}/.{size}.building/")
        assert "Make room and run the same command again" in line
        assert not out.exists()
        assert zeroply("data", "build", out, SAMPLE).code == 0
        assert bytes_of(out) == bytes_of(sample)
    assert all(name.isdecimal() for name in names_in(tmp_path))


@pytest.mark.parametrize("name", ["castle", "csv", "parquet", "pgn"])
def test_an_export_to_a_full_disk_leaves_nothing(
    refused: Callable[..., str], sample: Path, tmp_path: Path, name: str
) -> None:
    with files_of_at_most(50_000):
        line = refused("data", "export", sample, tmp_path / "out", "--format", name)
    assert line.startswith(f"no room for {tmp_path}/out: file too large")
    assert not names_in(tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 100 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=100k", "none", str(disk)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no right to mount a small disk; files of limited size are tested anyway")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_small_disk(refused: Callable[..., str], zeroply: Command, sample: Path, small_disk: Path) -> None:
    out = small_disk / "out"
    for kilobytes in (8, 60, 100, 140, 170):
        subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(small_disk)], check=True)
        line = refused("data", "build", out, SAMPLE)
        assert str(small_disk) in line
        assert "no space left on device" in line.lower()
        assert not out.exists()
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert zeroply("data", "build", out, SAMPLE).code == 0
    assert bytes_of(out) == bytes_of(sample)
    assert names_in(small_disk) == {"out"}
