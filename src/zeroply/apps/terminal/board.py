"""The board in a terminal: characters and colours, or letters where there are none."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from zeroply.apps.looks import LOOKS, Look
from zeroply.games import Game, Position

SIDES = {False: ("#ffffff", "#000000"), True: ("#a31515", "#10151f")}
"""Colours of the first and the second player's pieces, where they stand between lines, and on points."""
LIGHT, DARK, MARKED = "#93a8b5", "#6d8797", "#c2b04e"
"""Squares; both players' pieces have to show on them. The last move's are marked."""
WOOD, LINES, MARKED_WOOD = "#ecd3a1", "#8a6a3e", "#c8d98b"


def board(game: Game, position: Position, last: int | None, *, turned: bool, characters: bool) -> Text:
    """Ranks from above, with the names of ranks and files beside; `turned` where the second player sits
    below. `last` is the move that led here."""
    look, codes = LOOKS[game.name], position.row(0)["board"][0].tolist()
    marked = set() if last is None else {int(game.moves.start[last]), int(game.moves.end[last])}
    files, ranks = list(range(game.files)), list(range(game.ranks))[::-1]
    if turned:
        files, ranks = files[::-1], ranks[::-1]
    lowest = int(game.moves.corners[0][1:])
    drawn = Text()
    for row, rank in enumerate(ranks):
        drawn.append(f" {rank + lowest:>2} ", "dim")
        for column, file in enumerate(files):
            square = rank * game.files + file
            point = _point(look, row, column, game) if look.on_points else ""
            piece = _piece(look, codes[square], characters)
            colours = _colours(look, codes[square], (file + rank) % 2 == 1, square in marked)
            drawn.append_text(_cell(piece, point, colours))
        drawn.append("\n")
    # Under each piece: on points they stand at the left of their cell, between lines in its middle.
    names = "".join(f"{chr(97 + file):<3}" if look.on_points else f" {chr(97 + file)} " for file in files)
    return drawn.append(f"    {names}", "dim")


def _piece(look: Look, code: int, characters: bool) -> str:
    if code == 0:
        return "" if look.on_points else " " if characters else "."
    return look.character(code) if characters else look.letter(code)


def _colours(look: Look, code: int, light: bool, marked: bool) -> Style:
    side = SIDES[look.on_points][int(code < 0)]
    if look.on_points:
        return Style(color=side if code else LINES, bgcolor=MARKED_WOOD if marked else WOOD, bold=code != 0)
    return Style(color=side, bgcolor=MARKED if marked else LIGHT if light else DARK, bold=code != 0)


def _cell(piece: str, point: str, style: Style) -> Text:
    """Three columns: a piece between lines in their middle, one on a point at their left, then the line."""
    if not point:
        return Text(f" {piece} ", style)
    line = point[1:] if not piece else point[cell_len(piece) :]
    cell = Text(piece or point[0], style)
    return cell.append(line, Style(color=LINES, bgcolor=style.bgcolor))


def _point(look: Look, row: int, column: int, game: Game) -> str:
    """Where lines cross, and the line to the right: three columns. Over the river there are no lines."""
    last_row, last_column = game.ranks - 1, game.files - 1
    up = row not in (0, game.ranks // 2) or (row and column in (0, last_column))
    down = row not in (game.ranks // 2 - 1, last_row) or (row != last_row and column in (0, last_column))
    left, right = column > 0, column < last_column
    crossing = {
        (True, True, True, True): "┼",
        (True, True, False, True): "├",
        (True, True, True, False): "┤",
        (False, True, True, True): "┬",
        (True, False, True, True): "┴",
        (False, True, False, True): "┌",
        (False, True, True, False): "┐",
        (True, False, False, True): "└",
        (True, False, True, False): "┘",
    }[bool(up), bool(down), left, right]
    return crossing + ("──" if right else "  ")
