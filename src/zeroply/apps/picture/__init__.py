"""Pictures of positions, with arrows for moves: SVG, or PNG by way of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zeroply.apps.picture.board import picture
from zeroply.artefacts import new_file
from zeroply.errors import needs
from zeroply.games import Game, Position

__all__ = ["picture", "save"]


def save(
    game: Game,
    position: Position,
    weighed: Sequence[tuple[int, float]],
    *,
    svg: Path | None = None,
    png: Path | None = None,
) -> None:
    """The position with an arrow for each weighed move, likeliest first, written to each file asked for."""
    drawn = picture(game, position, weighed)
    if png is not None:
        with needs("pictures", "a PNG picture"):
            from resvg_py import svg_to_bytes
        with new_file(png) as building:
            building.write_bytes(bytes(svg_to_bytes(svg_string=drawn)))
    if svg is not None:
        with new_file(svg) as building:
            building.write_text(drawn, encoding="utf-8")
