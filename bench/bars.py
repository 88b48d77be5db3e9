"""Bars with intervals as SVG: charts side by side, a bar for each name."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from html import escape

from zeroply.training.svg import MODELS, STYLE, text

NAMES, WIDTH, VALUES = 130, 150, 62
"""Room for names, bars and what is written behind them."""
HEAD, ABOVE, ROW, BELOW = 62, 34, 24, 12


@dataclass(frozen=True)
class Bar:
    """A number from 0 on, how it is written, and from where to where it may lie."""

    value: float
    words: str
    low: float
    high: float


@dataclass(frozen=True)
class Chart:
    name: str
    most: float
    """Where a bar would be as long as the chart."""
    bars: Sequence[Bar | None]
    """One for each name; None where there is no such number."""


def picture(
    title: str, summary: str, names: Sequence[str], variants: Container[str], charts: Sequence[Chart]
) -> str:
    """Names once, at the left; then a column for each chart. Variants of the first have its colour, and stand
    a little to the right."""
    colours = [MODELS[0 if name in variants else place % len(MODELS)] for place, name in enumerate(names)]
    width = NAMES + len(charts) * (WIDTH + VALUES)
    height = HEAD + ABOVE + ROW * len(names) + BELOW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}: {escape(summary)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        text(20, 30, title, look="title"),
        text(20, 48, summary),
    ]
    for place, name in enumerate(names):
        down = HEAD + ABOVE + ROW * place + 12
        parts.append(text(28, down, name) if name in variants else text(20, down, name, look="name"))
    for number, chart in enumerate(charts):
        left = NAMES + number * (WIDTH + VALUES)
        parts.append(text(left, HEAD + 18, chart.name, look="name"))
        for place, bar in enumerate(chart.bars):
            top = HEAD + ABOVE + ROW * place
            parts += (
                [text(left, top + 12, "–")] if bar is None else _bar(bar, chart, left, top, colours[place])
            )
    return "\n".join([*parts, "</svg>", ""])


def _bar(bar: Bar, chart: Chart, left: float, top: float, colour: str) -> list[str]:
    def across(value: float) -> float:
        return WIDTH * min(1.0, value / chart.most)

    end = left + max(across(bar.value), across(bar.high)) + 6
    return [
        f'<rect x="{left}" y="{top + 2}" width="{across(bar.value):.1f}" height="13" rx="2" '
        f'fill="{colour}"/>',
        f'<path class="ideal" style="stroke-dasharray: none" '
        f'd="M{left + across(bar.low):.1f} {top + 8.5}H{left + across(bar.high):.1f}"/>',
        text(end, top + 12, bar.words),
    ]
