"""A report of several models: one table, as Markdown, and one page that needs no other file."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import Any

from zeroply.evals.bands import NAMES
from zeroply.evals.charts import (
    Found,
    accuracy_panels,
    calibration_panels,
    ladder_panels,
    puzzle_panels,
)
from zeroply.training.svg import MODELS, picture

ROWS = (
    ("accuracy", "top1", "move foreseen, top-1", "%"),
    ("accuracy", "top3", "top-3", "%"),
    ("accuracy", "top5", "top-5", "%"),
    ("accuracy", "nll", "NLL, nothing masked", ".3f"),
    ("accuracy", "book_top1", "top-1 of one who only counts", "%"),
    ("legality", "legal_mass", "mass on legal moves", "%"),
    ("legality", "illegal_argmax", "likeliest move illegal", "%"),
    ("calibration", "brier", "Brier score of win, draw, loss", ".3f"),
    ("calibration", "frequency_brier", "Brier score of one who only counts", ".3f"),
    ("calibration", "wdl_ece", "calibration error of win, draw, loss", ".3f"),
    ("calibration", "explained_variance", "variance of evaluations explained", "%"),
    ("calibration", "kendall_tau", "Kendall's τ with an engine's order", ".3f"),
    ("puzzles", "solved", "puzzles, whole line right", "%"),
    ("puzzles", "first_move", "puzzles, first move right", "%"),
    ("suite", "solved", "suite, best move found", "%"),
    ("suite", "points", "suite, share of points", "%"),
    ("ladder", "elo", "rating on the ladder", ".0f"),
)
"""Measure, name of a number, what it is called, and how it is written."""
UNITS = {"puzzles": "puzzles", "suite": "positions", "ladder": "games"}
"""What `n` counts; positions in other measures."""


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A model and what is known of it."""

    name: str
    facts: str
    """Its game, recipe and size in a few words."""
    found: Mapping[str, Found]
    """By measure."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """SVG by what it shows."""


NUMBERS = {"n", "games", *(name for _, name, _, _ in ROWS)}


def unwritable(found: Found) -> str | None:
    """The name of a value, if there is one, that cannot be what a measure found: results are files, and
    anybody may have written them."""
    for name, value in {"n": None, **found}.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        must_be_one = name.endswith(("_low", "_high")) or name in NUMBERS or NAMES.fullmatch(name)
        if not is_number and (
            name == "n" or isinstance(value, float | list | dict) or (must_be_one and value is not None)
        ):
            return name
    return None


def markdown(models: Sequence[Reported]) -> str:
    """The table: a line a number, a column a model."""
    header = ["", "test set", *(model.name for model in models)]
    lines = [header, ["---"] * len(header), ["", "", *(model.facts for model in models)]]
    lines += [[what, where, *cells] for what, where, cells in _lines(models)]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines) + "\n"


def page(title: str, models: Sequence[Reported]) -> str:
    """HTML with all pictures inside."""
    rows = [
        row
        for where, lines in groupby(_lines(models), key=lambda line: line[1])
        for row in _rows(where, list(lines))
    ]
    heads = "".join(
        f'<th><i style="background:{MODELS[place % len(MODELS)]}"></i>{escape(model.name)}'
        f"<small>{escape(model.facts)}</small></th>"
        for place, model in enumerate(models)
    )
    boards = [
        f"<figure>{_image(drawn, what)}<figcaption>{escape(model.name)}: {escape(what)}</figcaption></figure>"
        for model in models
        for what, drawn in model.pictures.items()
    ]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{NOTE}</p>",
        f'<div class="wide"><table><thead><tr><th></th><th>test set</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        *_charts(models),
    ]
    if boards:
        parts.append(f'<h2>Where it looks</h2><div class="boards">{"".join(boards)}</div>')
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body>{chr(10).join(parts)}</body></html>\n"
    )


def _rows(where: str, lines: Sequence[tuple[str, str, list[str]]]) -> Iterator[str]:
    """Those of one test set, which is told once."""
    told = f'<td class="where" rowspan="{len(lines)}">{escape(where)}</td>'
    for what, _, cells in lines:
        yield f"<tr><th>{escape(what)}</th>{told}{''.join(f'<td>{_cell(cell)}</td>' for cell in cells)}</tr>"
        told = ""


NOTE = (
    "Policy alone unless a line says otherwise: one look at the position, no search, no help of the rules. "
    "In brackets 95 % intervals. A model has one colour in all charts."
)
STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; max-width: 1060px;
  margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } p { color: #59636e; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem; border-bottom: 1px solid #d1d9e0; }
tbody th { font-weight: 500; white-space: nowrap; } thead th { border-bottom-width: 2px; }
td { font-variant-numeric: tabular-nums; } .where { color: #59636e; }
small { display: block; font-weight: 400; color: #59636e; white-space: nowrap; }
i { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .45em; }
img { max-width: 100%; height: auto; }
.boards { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 0 1 340px; }
figcaption { font-size: 13px; color: #59636e; }
@media (prefers-color-scheme: dark) {
  body { color: #f0f6fc; background: #0d1117; }
  p, small, figcaption, .where { color: #9198a1; } th, td { border-color: #3d444d; }
}
"""


def _lines(models: Sequence[Reported]) -> Iterator[tuple[str, str, list[str]]]:
    """Of each number that some model has: what it is, on what, and one cell a model."""
    for measure, name, what, form in ROWS:
        found = [model.found.get(measure, {}) for model in models]
        if all(one.get(name) is None and one.get(f"{name}_low") is None for one in found):
            continue
        yield what, _test_sets(measure, models), [_number(one, name, form) for one in found]


def _test_sets(measure: str, models: Sequence[Reported]) -> str:
    """One where it is that of all models that were measured so; else each with those whose it is."""
    measured: dict[str, list[str]] = {}
    for model in models:
        if found := model.found.get(measure):
            measured.setdefault(_test_set(measure, found), []).append(model.name)
    if len(measured) < 2:
        return "".join(measured)
    return "; ".join(f"{', '.join(names)}: {words}" for words, names in measured.items())


def _test_set(measure: str, found: Found) -> str:
    parts = [
        str(found.get("data") or found.get("scale") or ""),
        f"{found['n']:,} {UNITS.get(measure, 'positions')}",
    ]
    if "games" in found:
        parts.append(f"{found['games']:,} games")
    if found.get("mode") == "human":
        parts.append("told the mover's rating" if found.get("rating") is None else f"as of {found['rating']}")
    if found.get("rules"):
        parts.append("with the rules' help")
    if found.get("unseen") is False:
        parts.append("may have been seen in training")
    return ", ".join(part for part in parts if part)


def _number(found: Found, name: str, form: str) -> str:
    unit = " %" if form == "%" else ""
    value, low, high = (_written(found.get(name + bound), form) for bound in ("", "_low", "_high"))
    if value:
        return f"{value}{unit}" + (f" ({low} – {high})" if low and high else "")
    return f"≥ {low}{unit}" if low else f"≤ {high}{unit}" if high else "–"


def _written(value: float | None, form: str) -> str:
    return "" if value is None else f"{100 * value:.1f}" if form == "%" else f"{value:{form}}"


def _cell(text: str) -> str:
    """The interval on a line of its own."""
    value, bracket, interval = text.partition(" (")
    return escape(value) + (f"<small>{escape(bracket.strip() + interval)}</small>" if bracket else "")


def _charts(models: Sequence[Reported]) -> Iterator[str]:
    for measure, title, panels_of in (
        ("accuracy", "Moves foreseen", accuracy_panels),
        ("calibration", "As sure as it may be", calibration_panels),
        ("puzzles", "Puzzles", puzzle_panels),
        ("ladder", "Ladder", ladder_panels),
    ):
        found: list[Mapping[str, Any]] = [model.found.get(measure, {}) for model in models]
        panels = panels_of(found)
        if panels:
            yield f"<p>{_image(picture(title, _test_sets(measure, models), '', panels), title)}</p>"


def _image(drawn: str, what: str) -> str:
    """As an image, whose styles and names stay its own."""
    data = b64encode(drawn.encode()).decode()
    return f'<img alt="{escape(what)}" src="data:image/svg+xml;base64,{data}">'
