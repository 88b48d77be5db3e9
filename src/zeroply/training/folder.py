"""Whether a run may be written into a folder: into a new or an empty one, where another broke at once, or to
go on with the one that was stopped there. Asked before torch is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zeroply.artefacts import BEST, EPOCH, LAST
from zeroply.corpus.workers import only_one
from zeroply.errors import ZeroplyError
from zeroply.training.curves import CURVES, METRICS
from zeroply.training.watchers import EVENTS

STATE = "state.safetensors"
"""As long as there is something to resume."""
NOT_FINITE = "not-finite.safetensors"
"""A batch that ended a run."""
LOCK = ".lock"
REMAINS = (
    METRICS,
    CURVES,
    NOT_FINITE,
    EVENTS,
    "wandb",
    LOCK,
    *(f".{name}." for name in (STATE, CURVES, NOT_FINITE)),
)
"""How the names begin of what a run may leave that came to no model, even one that was killed while it wrote
its first state; a new one writes over it."""


def check_free(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise ZeroplyError(f"--out {out} is a file. Choose a folder")
    if (out / STATE).exists():
        raise ZeroplyError(
            f"{out} holds a run that was stopped. Go on with it: --resume; or choose another --out"
        )
    if holds_a_run(out):
        raise ZeroplyError(f"{out} already holds a trained model. Choose another --out or remove it first")
    if (out / "manifest.json").exists():
        raise ZeroplyError(f"--out {out} is a corpus. Choose another folder")
    others = sorted(path.name for path in out.glob("*") if not path.name.startswith(REMAINS))
    if others:
        raise ZeroplyError(f"--out {out} is not empty: it has {others[0]}. Choose a new or an empty folder")


def check_resumable(out: Path) -> None:
    if not (out / STATE).exists():
        why = "its run has ended" if holds_a_run(out) else "no run was begun there"
        raise ZeroplyError(f"{out} has nothing to resume: {why}. Begin one in a new folder, without --resume")


def holds_a_run(out: Path) -> bool:
    """Whether a folder has a model or a state; a batch that ended a run in its first step is neither."""
    return any((out / name).exists() for name in (BEST, LAST, STATE, EPOCH.format(1)))


@contextmanager
def held(out: Path) -> Iterator[None]:
    """The folder, made if there is none, and nobody else's while its run lasts."""
    _make(out)
    with only_one(out / LOCK, f"another process trains in {out}. Wait until it has ended, or stop it"):
        try:
            yield
        finally:
            (out / LOCK).unlink(missing_ok=True)


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ZeroplyError(f"--out {out} cannot be made: {error.strerror}. Choose another folder") from None
