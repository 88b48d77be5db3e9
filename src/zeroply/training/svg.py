"""Line charts as SVG, by hand: machines that train have no library for it.

The picture follows the reader's light or dark theme, and brings its own background, so that it can be read
where page and browser disagree.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

COLUMNS = 3
WIDTH, HEIGHT = 268, 168
"""Of a chart without what stands around it."""
LEFT, ABOVE, RIGHT, BELOW = 50, 46, 18, 30
"""Room around each chart."""
HEAD = 56
LETTER, LINE = 6.2, 14
"""How wide a letter of plain text is, rather too wide than too narrow, and how high a line."""
TICKS = 5
"""Lines across a chart, about."""

Legend = Sequence[tuple[str, str, int]]
LEARNING: Legend = (("validation", "validation", 86), ("training", "smoothed", 84), ("raw", "training", 72))
"""Kinds of lines, what they are called, and how wide that is."""

STYLE = """
text { font: 11px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #59636e; }
.title { font-size: 16px; font-weight: 600; fill: #1f2328; }
.name { font-size: 13px; font-weight: 600; fill: #1f2328; }
.paper { fill: #ffffff; stroke: #d1d9e0; }
.grid { stroke: #e4e8ec; }
.raw, .training, .validation { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.raw { stroke: #0969da; stroke-opacity: 0.4; }
.training { stroke: #0969da; stroke-width: 2; }
.validation { stroke: #d4600a; stroke-width: 1.5; }
.ideal { fill: none; stroke: #59636e; stroke-dasharray: 3 3; }
.validation-dot { fill: #d4600a; }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1; }
  .title, .name { fill: #f0f6fc; }
  .paper { fill: #0d1117; stroke: #3d444d; }
  .grid { stroke: #262c34; }
  .raw, .training { stroke: #58a6ff; }
  .validation { stroke: #f0883e; }
  .validation-dot { fill: #f0883e; }
}
"""

MODELS = ("#0969da", "#d4600a", "#1a7f37", "#8250df", "#bf3989", "#6e7781")
"""Colours of several nets in one chart, on light and dark paper; after the last they come again."""


def model_kind(number: int) -> str:
    """The kind of line that the net of this place has among several."""
    return f"model-{number % len(MODELS)}"


STYLE += "".join(
    f".{model_kind(number)} {{ fill: none; stroke: {colour}; stroke-width: 1.5; stroke-linejoin: round; }}\n"
    f".{model_kind(number)}-dot {{ fill: {colour}; }}\n"
    for number, colour in enumerate(MODELS)
)


@dataclass(frozen=True)
class Line:
    kind: str
    """`raw`, `training`, `validation`, `ideal` or a `model_kind`: its look."""
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    dots: bool = False
    joined: bool = True
    """Whether a line goes from point to point."""
    span: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
    """From where to where each point may lie; NaN where that is not known."""


@dataclass(frozen=True)
class Panel:
    """One chart: what it shows, what that is now, and from where to where it reaches."""

    name: str
    latest: str
    lines: Sequence[Line]
    low: float
    high: float
    left: float = 0.0
    right: float | None = None
    """Where the axis ends; None where it does for all charts that do not say: behind the last point."""
    axis: str | None = None
    """What lies along it; None for what all charts have."""


def picture(title: str, summary: str, axis: str, panels: Sequence[Panel], legend: Legend = ()) -> str:
    """All charts, three in a row."""
    end = max([float(line.x.max()) for panel in panels for line in panel.lines], default=1.0) or 1.0
    columns, rows = min(COLUMNS, max(1, len(panels))), -(-len(panels) // COLUMNS)
    step_x, step_y = LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW
    width = columns * step_x + 8
    told = wrap(summary, int((width - 40) / LETTER))
    head = HEAD + LINE * max(0, len(told) - 1)
    height = head + rows * step_y + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}: {escape(summary)}</title>",
        f"<style>{STYLE}</style>",
        f'<clipPath id="chart"><rect y="-3" width="{WIDTH + 3}" height="{HEIGHT + 6}"/></clipPath>',
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        text(20, 30, title, look="title"),
        *(text(20, 48 + LINE * at, words) for at, words in enumerate(told)),
        *_legend(width - 20, {line.kind for panel in panels for line in panel.lines}, legend),
    ]
    for number, panel in enumerate(panels):
        row, column = divmod(number, COLUMNS)
        parts.append(f'<g transform="translate({column * step_x + LEFT} {head + row * step_y + ABOVE})">')
        parts += _chart(panel, panel.axis or axis, end if panel.right is None else panel.right)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _legend(right: int, drawn: Container[str], legend: Legend) -> list[str]:
    """From the right, for the kinds of lines that are drawn."""
    parts = []
    for kind, words, room in legend:
        if kind in drawn:
            parts += [
                f'<path class="{kind}" d="M{right - room} 26h22"/>',
                text(right - room + 27, 30, words),
            ]
            parts += [_dot(right - room + 11, 26, kind)] if kind == "validation" else []
            right -= room + 14
    return parts


def _chart(panel: Panel, axis: str, end: float) -> list[str]:
    def down(value: float) -> float:
        return HEIGHT * (panel.high - value) / (panel.high - panel.low)

    def across(value: float) -> float:
        return WIDTH * (value - panel.left) / (end - panel.left)

    up, along = ticks(panel.low, panel.high), ticks(panel.left, end)
    parts = [
        text(0, -25, panel.name, look="name"),
        text(0, -9, panel.latest),
        *(f'<path class="grid" d="M0 {down(value):.1f}h{WIDTH}"/>' for value in up),
        *(
            text(-7, down(value) + 4, words, anchor="end")
            for value, words in zip(up, labels(up), strict=True)
        ),
        *(
            text(across(value), HEIGHT + 16, words, anchor="middle")
            for value, words in zip(along, labels(along), strict=True)
        ),
        text(WIDTH, HEIGHT + 28, axis, anchor="end"),
        '<g clip-path="url(#chart)">',
    ]
    for line in panel.lines:
        points = [(across(x), down(y)) for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts += [f'<path class="{line.kind}" d="M{path}"/>'] if points and line.joined else []
        parts += [
            f'<path class="{line.kind}" d="M{across(x):.1f} {down(low):.1f}V{down(high):.1f}"/>'
            for x, low, high in zip(line.x, *(line.span or ((), ())), strict=line.span is not None)
            if math.isfinite(low) and math.isfinite(high)
        ]
        parts += [_dot(x, y, line.kind) for x, y in points] if line.dots else []
    return [*parts, "</g>"]


def text(x: float, y: float, words: str, *, anchor: str = "start", look: str = "") -> str:
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _dot(x: float, y: float, kind: str) -> str:
    return f'<circle class="{kind}-dot" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>'


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, about as many as TICKS."""
    rough = (high - low) / TICKS
    size: float = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def labels(values: Sequence[float]) -> list[str]:
    """Ticks in words, all with as many decimals; very large and very small ones with powers of ten."""
    most = max(map(abs, values), default=0.0)
    if not 1e-3 <= most < 1e4:
        return [short(value) for value in values]
    step = min((later - value for value, later in pairwise(values)), default=most)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return [f"{value:.{decimals}f}" if abs(value) > step / 2 else "0" for value in values]


def exact(value: float) -> str:
    """A number with three decimals, where these say something."""
    return f"{value:.3f}" if 0.01 <= abs(value) < 100 else short(value)


def short(value: float) -> str:
    """A number in a few characters: 98.4M, 20k, 2.31, 0.0004."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:.3g}{letter}"
    if value and abs(value) < 1e-3:
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return f"{value:.4g}" if abs(value) < 10 else f"{value:.3g}"
