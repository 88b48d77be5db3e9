"""Whether a run may be written into a folder: into a new or an empty one, and where another broke at once."""

from __future__ import annotations

from pathlib import Path

from zeroply.errors import ZeroplyError
from zeroply.training.checkpoint_io import STATE
from zeroply.training.curves import CURVES, METRICS
from zeroply.training.resuming import holds_a_run
from zeroply.training.watch import NOT_FINITE
from zeroply.training.watchers import EVENTS

REMAINS = (
    METRICS,
    CURVES,
    NOT_FINITE,
    EVENTS,
    "wandb",
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


def make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ZeroplyError(f"--out {out} cannot be made: {error.strerror}. Choose another folder") from None
