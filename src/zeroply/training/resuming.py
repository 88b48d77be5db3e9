"""What a run was asked for: kept with its state, so that only the same run is resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from zeroply.artefacts import LAST
from zeroply.errors import ArtefactError, ZeroplyError
from zeroply.recipes import System
from zeroply.recipes.checkpoints import check_revision, how_built
from zeroply.training.checkpoint_io import StateIO
from zeroply.training.folder import STATE, check_resumable


def asked(system: System, **of_run: Any) -> dict[str, Any]:
    """All that decides how a run goes, as JSON has it."""
    wanted = {**how_built(system), **of_run}
    plain: dict[str, Any] = json.loads(json.dumps(wanted))
    return plain


def steps_done(out: Path, wanted: Mapping[str, Any], corpora: Sequence[Path]) -> int:
    """How far the run in a folder came, if it is the one that is wanted, on these corpora."""
    check_resumable(out)
    try:
        state = StateIO().load_checkpoint(out / STATE)
    except ArtefactError:
        raise ArtefactError(
            f"{out / STATE} is damaged, so that its run cannot go on. "
            f"Begin a new one with its weights: --start-from {out / LAST}"
        ) from None
    begun = len(state["asked"]["corpora"])
    if begun != len(corpora):
        raise ZeroplyError(
            f"{out} was begun with {begun} corpora; this command has {len(corpora)}. "
            "Give the command that it was begun with, and --resume"
        )
    if state["asked"]["recipe"] == wanted["recipe"]:
        check_revision(state["asked"], out)
    told, now = dict(_told({"revision": 1, **state["asked"]})), dict(_told(wanted))
    for name in told | now:
        if told.get(name) != now.get(name):
            raise ZeroplyError(
                f"{out} was begun with {_named(name, told.get(name), corpora)}; this command has "
                f"{now.get(name)}. Give the command that it was begun with, and --resume"
            )
    return int(state["global_step"])


def _named(name: str, value: Any, corpora: Sequence[Path]) -> str:
    """corpora.0.weight=2 is not what a person calls it."""
    group, _, rest = name.partition(".")
    if group != "corpora":
        return f"{name}={value}"
    number, _, name = rest.partition(".")
    return f"{name}={value} for {corpora[int(number)]}"


def _told(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Each single thing with its name, such as corpora.0.weight."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _told(inner, f"{name}.{key}".lstrip("."))
    else:
        yield name.removeprefix("options."), value
