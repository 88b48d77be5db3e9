"""What a run was asked for: kept with its state, so that only the same run is resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zeroply.errors import ZeroplyError
from zeroply.games.stamp import stamp
from zeroply.recipes import System
from zeroply.recipes.checkpoints import BEST, EPOCH, LAST
from zeroply.training.checkpoint_io import STATE, StateIO


def asked(system: System, **of_run: Any) -> dict[str, Any]:
    """All that decides how a run goes, as JSON has it."""
    wanted = {"recipe": system.recipe, "options": asdict(system.options), **stamp(system.game), **of_run}
    plain: dict[str, Any] = json.loads(json.dumps(wanted))
    return plain


def steps_done(out: Path, wanted: Mapping[str, Any]) -> int:
    """How far the run in a folder came, if it is the one that is wanted."""
    check_resumable(out)
    state = StateIO().load_checkpoint(out / STATE)
    told, now = dict(_told(state["asked"])), dict(_told(wanted))
    for name in told | now:
        if told.get(name) != now.get(name):
            raise ZeroplyError(
                f"{out} was begun with {name}={told.get(name)}; this command has {now.get(name)}. "
                "Give the command that it was begun with, and --resume"
            )
    return int(state["global_step"])


def holds_a_run(out: Path) -> bool:
    """Whether a folder has a model or a state; a batch that ended a run in its first step is neither."""
    return any((out / name).exists() for name in (BEST, LAST, STATE, EPOCH.format(1)))


def check_resumable(out: Path) -> None:
    if not (out / STATE).exists():
        why = "its run has ended" if holds_a_run(out) else "no run was begun there"
        raise ZeroplyError(f"{out} has nothing to resume: {why}. Begin one in a new folder, without --resume")


def _told(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Each single thing with its name, such as corpora.0.weight."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _told(inner, f"{name}.{key}".lstrip("."))
    else:
        yield name.removeprefix("options."), value
