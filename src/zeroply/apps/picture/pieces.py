"""The pieces and boards of the page, for pictures: outlines, so that no font is needed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PIECES = Path(__file__).parent.parent / "web" / "static" / "pieces"
"""Put there when the page is built."""


@cache
def _parts(game: str, name: str) -> tuple[str, str]:
    """What a file says of its size, as a viewBox, and what it draws."""
    text = (PIECES / game / f"{name}.svg").read_text(encoding="utf-8").strip()
    head, _, drawn = text.removesuffix("</svg>").partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    if box:
        return box[1], drawn
    width, height = (re.findall(rf'{side}="(\d+)"', head)[0] for side in ("width", "height"))
    return f"0 0 {width} {height}", drawn


def symbol(game: str, name: str) -> str:
    """A definition to be used by its name as often as there are such pieces."""
    box, drawn = _parts(game, name)
    return f'<symbol id="{name}" viewBox="{box}">{drawn}</symbol>'


def background(game: str) -> str:
    """The lines of a board, 100 to a square."""
    return _parts(game, "board")[1]
