"""How commands show results: tables for people, one flat JSON object for programs, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zeroply.artefacts import new_file, write_json
from zeroply.corpus.progress import in_lines
from zeroply.errors import StoppedError

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

# rich takes a tenth of a second to import: only those who need it do.
COUNTS = "{task.completed:,.0f} of {task.total:,.0f}"


def _bar(*texts: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), *map(TextColumn, texts), TimeRemainingColumn())
    return Progress(*columns, console=Console(file=sys.stderr), transient=True)


@contextmanager
def counter(label: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A function that is told how many are done and, where that shows only then, of how many; and a note."""
    if not sys.stderr.isatty():
        yield lambda done, of=total, note="": None
        return
    with _bar(COUNTS, "{task.fields[note]}") as bar:
        task = bar.add_task(label, total=total, note="")
        yield lambda done, of=total, note="": bar.update(task, completed=done, total=of, note=note)


@contextmanager
def gauge(label: str) -> Iterator[Callable[[int, float], None]]:
    """A function that is told how many are done and which share of all the work that is."""
    if not sys.stderr.isatty():
        yield in_lines(label)
        return
    begin = time.monotonic()
    with _bar(
        "{task.percentage:.0f} %", "{task.fields[done]:,} {task.description}, {task.fields[rate]:,.0f}/s"
    ) as bar:
        task = bar.add_task(label, total=1.0, done=0, rate=0)
        yield lambda done, share: bar.update(
            task, completed=share, done=done, rate=done / (time.monotonic() - begin)
        )


def progress(label: str, items: Iterable[T], total: int | None, sizes: bool = False) -> Iterator[T]:
    """Pass items on and show how far it is; with `sizes` an item counts as many as it has rows."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _bar(COUNTS) as bar:
        task = bar.add_task(label, total=total)
        for item in items:
            yield item
            bar.advance(task, len(item["move"]) if sizes else 1)  # type: ignore[index]  # rows


@contextmanager
def when_stopped(line: str) -> Iterator[None]:
    """Around work: after Ctrl-C the command says what became of it."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(line) from None


NARROW = 12
"""Characters a column may be squeezed to; where that does not help, a table becomes records."""


def table(title: str, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Where a terminal is too narrow for the columns, each row is a block of lines instead. Without names
    there is no header."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, cells = Console(), [[str(value) for value in row] for row in rows]
    console.print(title, highlight=False, markup=False, soft_wrap=True)
    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    if sum(min(width, NARROW) + 3 for width in widths) >= console.width:
        longest = max(map(cell_len, names))
        for row in cells:
            console.rule(style="")
            for name, value in zip(names, row, strict=True):
                console.print(Text(f"{name:{longest}}  {value}"), soft_wrap=True)
        return
    shown = Table(show_header=any(names))
    for name in names:
        shown.add_column(Text(name))
    for row in cells:
        shown.add_row(*map(Text, row))
    console.print(shown)


FIRST = (
    "measure",
    "data",
    "data_digest",
    "model",
    "program",
    "opponent",
    "game",
    "mode",
    "look",
    "rating",
    "kind",
    "rules",
    "n",
    "games",
    "pairs",
)
"""What comes before the numbers, in this order, in every result."""


def results(title: str, found: Mapping[str, Any], out: Path | None, *, over: str) -> None:
    """Each value that has an interval with it, the others beside; as JSON too where a file is asked for.
    `over` says what intervals count as independent: games, puzzles, pairs. Numbers of parts, by phase or
    theme, come in tables of their own."""
    ordered = {name: found[name] for name in (*FIRST, *found) if name in found}
    try:
        if out is not None:
            write_json(out, ordered)  # first: who reads the screen through `head` does not lose the file
    finally:  # and who cannot have the file does not lose the numbers
        _tables(title, ordered, over)


def _tables(title: str, ordered: Mapping[str, Any], over: str) -> None:
    from zeroply.evals.bands import NAMES, by_dimension  # which imports NumPy

    rows = []
    for name, value in ordered.items():
        form = _form(name, ordered)
        interval = _interval(form, ordered.get(f"{name}_low"), ordered.get(f"{name}_high"))
        is_part = NAMES.fullmatch(name)
        if is_part or name.endswith(("_low", "_high")) or (value is None and not interval):
            continue
        rows.append((name, "none" if value is None else _number(form, value), interval))
    table(title, ("", "value", f"95 % interval over {over}"), rows)
    for dimension, bands in by_dimension(ordered).items():
        _parts(dimension, bands)


def _parts(dimension: str, bands: Mapping[str, Mapping[str, Any]]) -> None:
    """A line for each band; the interval of the first number alone, or no terminal would be wide enough."""
    every = dict.fromkeys(name for numbers in bands.values() for name in numbers)
    names = [name for name in every if not name.endswith(("_low", "_high"))]
    first = next((at for at, name in enumerate(names, 1) if f"{name}_low" in every), None)
    rows = [[band, *(_brief(numbers.get(name)) for name in names)] for band, numbers in bands.items()]
    header = [dimension, *names]
    if first is not None:
        header.insert(first + 1, "95 %")
        for row, numbers in zip(rows, bands.values(), strict=True):
            bounds = [_brief(numbers.get(names[first - 1] + bound)) for bound in ("_low", "_high")]
            row.insert(first + 1, "–".join(filter(None, bounds)))
    table(f"by {dimension}", header, rows)


def _brief(value: object) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _interval(form: str, low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if low is None or high is None:
        return f"at most {_number(form, high)}" if low is None else f"at least {_number(form, low)}"
    return f"{_number(form, low)} – {_number(form, high)}"


def _form(name: str, found: Mapping[str, Any]) -> str:
    """Elo without decimals, which no match is long enough to tell: a difference has a sign, a rating on a
    scale has none. Other fractions have four."""
    return ".4f" if name != "elo" else ".0f" if "scale" in found else "+.0f"


def _number(form: str, value: object) -> str:
    return f"{value:{form}}" if isinstance(value, float) else str(value)


def write_svg(path: Path | None, drawn: Callable[[], str]) -> None:
    """A picture, drawn if a file is asked for."""
    if path is not None:
        with new_file(path) as building:
            building.write_text(drawn(), encoding="utf-8")


def print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))
