"""Long work in parts, each kept on disk when it is done: killed anywhere, the same call goes on.

A ledger is a folder: plan.json says what the work is, parts/0000000.json … hold what was made. A part is a
text, lines of a table, with counts and what went wrong. It is made apart from all others, so the whole has
the same bytes however often the work was interrupted and however many processes shared it.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any, Generic, TypeVar

from zeroply.artefacts import new_file, read_json, write_json
from zeroply.corpus.workers import as_finished, only_one
from zeroply.errors import ReadError

Job = TypeVar("Job")


@dataclass(frozen=True, kw_only=True)
class Part:
    """What one job made."""

    text: str
    """Whole lines of a table."""
    counts: Mapping[str, float]
    flaws: Sequence[str] = field(default_factory=list)
    """What went wrong, a line each."""


@dataclass(frozen=True)
class Ledger:
    folder: Path

    @contextmanager
    def opened(self, plan: Mapping[str, Any], same: str) -> Iterator[None]:
        """Holds the folder for this process; another plan than the one it was begun with is refused."""
        (self.folder / "parts").mkdir(parents=True, exist_ok=True)
        with only_one(self.folder / "lock", f"{same} is running already: {self.folder} is in use"):
            keep_plan(self.folder / "plan.json", plan, same)
            yield

    def fill(
        self, jobs: Iterable[Job], work: Callable[[Job], Part], workers: int, until: float = math.inf
    ) -> Iterator[tuple[bool, Mapping[str, float]]]:
        """Do what is not done yet, with `work`, a function of a module: for each part, in any order, whether
        it is new, and its counts. No part is begun after `until`, by `time.monotonic`; those under way are
        done."""
        tasks = (_Task(self._path(number), work, job, until) for number, job in enumerate(jobs))
        in_time = takewhile(lambda _: time.monotonic() < until, tasks)
        return filter(None, as_finished(_do, in_time, workers))

    def whole(self, header: str, out: Path) -> tuple[Counter[str], list[str]]:
        """Write the texts of all parts, in their order, to `out`; their counts together, and all flaws."""
        counts, flaws = Counter[str](), list[str]()
        with new_file(out) as building, building.open("w", encoding="utf-8", newline="") as file:
            file.write(header)
            for path in sorted((self.folder / "parts").glob("*.json")):
                part = Part(**read_json(path, "begun work"))
                file.write(part.text)
                counts.update(part.counts)
                flaws += part.flaws
        return counts, flaws

    def _path(self, number: int) -> Path:
        return self.folder / "parts" / f"{number:07d}.json"


@dataclass(frozen=True)
class _Task(Generic[Job]):
    path: Path
    work: Callable[[Job], Part]
    job: Job
    until: float


def _do(task: _Task[Any]) -> tuple[bool, Mapping[str, float]] | None:
    """Runs in a worker; nothing is done where the task has waited there for too long."""
    if task.path.exists():
        return False, read_json(task.path, "begun work")["counts"]
    if time.monotonic() >= task.until:
        return None
    part = task.work(task.job)
    write_json(task.path, asdict(part))
    return True, part.counts


def keep_plan(path: Path, plan: Mapping[str, Any], same: str) -> None:
    """Write down what the work in a folder is. What was begun with another plan is refused, since it may have
    taken hours: `same` names the command."""
    if path.exists() and (found := read_json(path, "begun work")) != plan:
        changed = [name for name in {**found, **plan} if found.get(name) != plan.get(name)]
        raise ReadError(
            f"{path.parent} was begun with {_told(found, changed)}, not {_told(plan, changed)}. "
            f"Give {same} the same, or remove that folder"
        )
    write_json(path, plan)


def _told(plan: Mapping[str, Any], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {plan.get(name)}" for name in names)
