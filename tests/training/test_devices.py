"""Several processes, really started: they end where one process does, and only the first leaves files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lightning_fabric.plugins.environments.lightning import find_free_network_port

from tests.sources import ROOT
from zeroply.errors import ZeroplyError
from zeroply.training.command import main
from zeroply.training.ranks import Ranks

TINY = [
    f"--set={option}"
    for option in (
        "width=16",
        "depth=1",
        "heads=2",
        "inner=16",
        "warmup=5",
        "batch=64",
        "steps=50",
        "average=0.9",
    )
]
MODULE = [sys.executable, "-m", "zeroply.training"]
SCRIPT = [str(Path(sys.executable).parent / "zeroply"), "train"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--nnodes=2", "--nproc-per-node=1"]
TIME_MATTERS = {"seconds", "positions_per_second"}


@pytest.fixture(scope="module")
def alone(chess: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a single process writes down."""
    run = tmp_path_factory.mktemp("runs") / "alone"
    main(["intuition", str(chess), "--out", str(run), *TINY])
    return entries(run)


def entries(run: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{name: entry[name] for name in entry.keys() - TIME_MATTERS} for entry in found]


def started(*command: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> str:
    """What it said, once it has ended well."""
    # Where two hosts are one machine, torchrun's own barrier at the end now and then waits its full 300 s.
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said
    return said


def assert_same(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert len(found) == len(wanted) > 0
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
def test_two_devices_are_one(
    command: list[str], chess: Path, alone: list[dict[str, Any]], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    said = ended(started(*command, "intuition", str(chess), "--out", str(run), *TINY, "--devices=2"))
    assert_same(entries(run), alone)
    assert said.count("trained: ") == said.count("step 50/50") == said.count("parameters") == 1, said
    assert said.count("validation_loss") == sum("validation_loss" in entry for entry in alone)
    assert {path.name for path in run.glob("*.safetensors")} == {"model.safetensors", "last.safetensors"}


@pytest.mark.slow
def test_two_hosts_are_one(chess: Path, alone: list[dict[str, Any]], tmp_path: Path) -> None:
    """Each writes to a folder of its own, as hosts do that share no disk: only the first's is made."""
    port = find_free_network_port()
    hosts = [
        started(
            *TORCHRUN, f"--node-rank={rank}", "--master-addr=127.0.0.1", f"--master-port={port}",
            "-m", "zeroply.training", "intuition", str(chess), f"--out={tmp_path / f'host-{rank}'}", *TINY,
        )
        for rank in range(2)
    ]  # fmt: skip
    for host in hosts:
        ended(host)
    assert_same(entries(tmp_path / "host-0"), alone)
    assert not (tmp_path / "host-1").exists()


@pytest.mark.slow
def test_stopping_and_testing_are_decided_together(xiangqi: Path, tmp_path: Path) -> None:
    """Windows teach different numbers of moves; patience ends the run; the best meets the test part."""
    small = ("width=16", "depth=1", "heads=2", "inner=16", "history=7", "epochs=30", "rate=0.03", "batch=200")
    arguments = ["elephant", str(xiangqi), *(f"--set={option}" for option in (*small, "patience=2"))]
    main([*arguments, "--out", str(tmp_path / "one")])
    ended(started(*MODULE, *arguments, "--out", str(tmp_path / "two"), "--devices=2"))
    wanted = entries(tmp_path / "one")
    assert_same(entries(tmp_path / "two"), wanted)
    assert "test_loss" in wanted[-1]


@pytest.mark.slow
@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_two_processes_resume_what_two_began(
    chess: Path, alone: list[dict[str, Any]], tmp_path: Path, deadly: signal.Signals
) -> None:
    """The first is killed, or asked to stop; the other must not live on without it."""
    run = tmp_path / "run"
    command = [*MODULE, "intuition", str(chess), f"--out={run}", *TINY, "--devices=2", "--save-every=0"]
    killed = started(*command)
    metrics = run / "metrics.jsonl"
    while killed.poll() is None and not (metrics.exists() and metrics.read_text().count("\n") >= 10):
        time.sleep(0.1)
    killed.send_signal(deadly)
    killed.communicate(timeout=60)  # ends when all have closed what they say errors to
    assert killed.returncode == (-deadly if deadly == signal.SIGKILL else 130)
    assert (run / "state.safetensors").exists()
    assert len(entries(run)) < len(alone)
    ended(started(*command, "--resume"))
    assert_same(entries(run), alone)


def test_a_batch_that_cannot_be_shared_is_explained(chess: Path, tmp_path: Path) -> None:
    command = ["intuition", str(chess), "--out", str(tmp_path / "run"), *TINY]
    with pytest.raises(ZeroplyError, match=r"batch of 64 rows .* 3 processes\. .* --set batch=63"):
        main([*command, "--devices=3"])
    with pytest.raises(ZeroplyError, match=r"batch of 1 rows .* 2 processes\. .* --overfit 2"):
        main([*command, "--devices=2", "--overfit=1"])
    assert not (tmp_path / "run").exists()


def test_torchrun_tells_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"RANK": 11, "WORLD_SIZE": 16, "LOCAL_RANK": 3, "LOCAL_WORLD_SIZE": 8, "TORCHELASTIC_RUN_ID": 1}
    for name, value in told.items():
        monkeypatch.setenv(name, str(value))
    ranks = Ranks.found(None)
    assert (ranks.rank, ranks.local, ranks.devices, ranks.hosts, ranks.count) == (11, 3, 8, 2, 16)
    assert Ranks.found(8) == ranks
    with pytest.raises(ZeroplyError, match="--devices 4, but torchrun started 8 processes here"):
        Ranks.found(4)
    monkeypatch.setenv("WORLD_SIZE", "13")
    with pytest.raises(ZeroplyError, match=r"8 of 13 processes .*\. Start as many on each"):
        Ranks.found(None)
