"""A position as SVG: board, coordinates, last move, pieces, arrows, and below who is to move.

The first player sits below. A square is 100 wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from zeroply.apps.looks import LOOKS
from zeroply.apps.picture.arrows import LEAST, Point, arrows
from zeroply.apps.picture.pieces import background, symbol
from zeroply.games import Game, Position

MARGIN, CAPTION = 46, 74
"""Room for coordinates on all sides, and for a line of text below."""
SIZE = 0.8
"""Of a picture where nobody scales it: pixels per unit."""
PAPER, INK, MARK, GLOW = "#faf6ee", "#3c3a36", "#e0b400", "#d4410a"
LIGHT, DARK, WOOD = "#eedfc3", "#b98b60", "#ecd3a1"
DISCS = {"White": "#ffffff", "Red": "#b3201a", "Black": "#1d2430"}
"""Who is to move, by the names of sides."""
LETTERS, MOST_LETTERS = 28, 45
"""Their size below the board, and how many fit there."""
FONTS = "DejaVu Sans, Noto Sans, Liberation Sans, Segoe UI, Helvetica, Arial, sans-serif"


def picture(
    game: Game,
    position: Position,
    weighed: Sequence[tuple[int, float]] = (),
    heat: Sequence[float] = (),
) -> str:
    """With an arrow for each weighed move: its number and its probability, likeliest first. `heat` is a share
    of each square, the largest the most glowing."""
    width, height = 100 * game.files + 2 * MARGIN, 100 * game.ranks + 2 * MARGIN + CAPTION
    codes: list[int] = position.row(0)["board"][0].tolist()
    look = LOOKS[game.name]
    names = [look.name(game, code) if code else None for code in codes]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width * SIZE:g}" height="{height * SIZE:g}">',
        f"<title>{escape(position.fen())}</title>",
        "<defs>",
        *(symbol(game.name, name) for name in sorted({name for name in names if name})),
        "</defs>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *(_points(game) if look.on_points else _squares(game)),
        *_last_move(game, position),
        *_glow(game, heat),
        *(
            f'<use href="#{name}" x="{x - 50:g}" y="{y - 50:g}" width="100" height="100"/>'
            for (x, y), name in ((_middle(game, square), name) for square, name in enumerate(names))
            if name
        ),
        *arrows(game.moves, weighed, lambda square: _middle(game, square)),
        "</g>",
        *_coordinates(game),
        *_caption(game, position, weighed),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _middle(game: Game, square: int) -> Point:
    rank, file = divmod(square, game.files)
    return 100 * file + 50, 100 * (game.ranks - 1 - rank) + 50


def _squares(game: Game) -> Iterator[str]:
    yield f'<rect width="{100 * game.files}" height="{100 * game.ranks}" fill="{LIGHT}"/>'
    dark = [
        f"M{x - 50:g} {y - 50:g}h100v100h-100z"
        for square in range(game.files * game.ranks)
        if sum(divmod(square, game.files)) % 2 == 0
        for x, y in [_middle(game, square)]
    ]
    yield f'<path d="{"".join(dark)}" fill="{DARK}"/>'


def _points(game: Game) -> Iterator[str]:
    yield f'<rect width="{100 * game.files}" height="{100 * game.ranks}" fill="{WOOD}"/>'
    yield background(game.name)


def _last_move(game: Game, position: Position) -> Iterator[str]:
    _, moves = position.record()
    for square in [game.moves.start[moves[-1]], game.moves.end[moves[-1]]] if moves else []:
        x, y = _middle(game, int(square))
        yield (
            f'<rect x="{x - 50:g}" y="{y - 50:g}" width="100" height="100" fill="{MARK}" fill-opacity="0.5"/>'
        )


def _glow(game: Game, heat: Sequence[float]) -> Iterator[str]:
    for square, share in enumerate(heat):
        x, y = _middle(game, square)
        opacity = 0.85 * share / max(heat)
        yield (
            f'<rect x="{x - 50:g}" y="{y - 50:g}" width="100" height="100" fill="{GLOW}" '
            f'fill-opacity="{opacity:.2f}"/>'
        )


def _coordinates(game: Game) -> Iterator[str]:
    """Files below and above, ranks on both sides."""
    lowest = int(game.moves.corners[0][1:])
    right, below = 100 * game.files + MARGIN, 100 * game.ranks + MARGIN
    for file in range(game.files):
        for y in (MARGIN / 2, below + MARGIN / 2):
            yield _text(MARGIN + 100 * file + 50, y, "abcdefghi"[file], 26, anchor="middle")
    for rank in range(game.ranks):
        for x in (MARGIN / 2, right + MARGIN / 2):
            yield _text(x, below - 100 * rank - 50, str(rank + lowest), 26, anchor="middle")


def _caption(game: Game, position: Position, weighed: Sequence[tuple[int, float]]) -> Iterator[str]:
    """Who is to move, or how the game ended; and the likeliest moves as people write them."""
    y = 100 * game.ranks + 2 * MARGIN + CAPTION / 2 - 6
    side = game.sides[position.turn]
    disc = f'cx="{MARGIN + 16}" cy="{y:g}" r="15" fill="{DISCS[side]}"'
    yield f'<circle {disc} stroke="{INK}" stroke-width="2.5"/>'
    said = position.reason() or f"{side} to move"
    yield _text(MARGIN + 44, y, said, LETTERS)
    shown = [f"{position.notation(move)} {share:.0%}" for move, share in weighed if share >= LEAST]
    while shown and len(said) + len("   ".join(shown)) > MOST_LETTERS:
        shown.pop()
    yield _text(100 * game.files + MARGIN, y, "   ".join(shown), LETTERS, anchor="end")


def _text(x: float, y: float, words: str, size: int, *, anchor: str = "start") -> str:
    # A third of the letters' height lower instead of dominant-baseline, which few programs know.
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-family="{FONTS}" font-size="{size}" fill="{INK}" '
        f'text-anchor="{anchor}" xml:space="preserve">{escape(words)}</text>'
    )
