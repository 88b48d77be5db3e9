"""How the browser tests act on the page: squares, moves, the dialog for a new game, the list of moves."""

from __future__ import annotations

import chess
from playwright.sync_api import Page, expect


def point(page: Page, square: str, facing: chess.Color = chess.WHITE) -> tuple[float, float]:
    """The middle of a square on the screen."""
    box = page.locator("cg-board").bounding_box()
    assert box is not None
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    column, row = (file, 7 - rank) if facing == chess.WHITE else (7 - file, rank)
    return box["x"] + (column + 0.5) * box["width"] / 8, box["y"] + (row + 0.5) * box["height"] / 8


def click(page: Page, square: str, facing: chess.Color = chess.WHITE) -> None:
    page.mouse.click(*point(page, square, facing))


def play(page: Page, move: str, facing: chess.Color = chess.WHITE) -> None:
    """Click from and to, and choose the piece if the move is a promotion."""
    click(page, move[:2], facing)
    click(page, move[2:4], facing)
    if len(move) == 5:
        page.locator("#promotion").get_by_label(chess.piece_name(chess.PIECE_SYMBOLS.index(move[4]))).click()


def new_game(page: Page, side: str = "White", fen: str = "") -> None:
    page.get_by_role("button", name="New game").click()
    page.locator("#setup").get_by_label(side).check()
    if not page.locator("#fen").is_visible():
        page.get_by_text("Start from another position").click()
    page.locator("#fen").fill(fen)
    page.get_by_role("button", name="Start", exact=True).click()
    if "/" in fen:  # the old game's board stays until the server has answered
        pieces = sum(letter.isalpha() for letter in fen.split()[0])
        expect(page.locator("cg-board piece:not(.ghost)")).to_have_count(pieces)


def record(page: Page) -> list[str]:
    return page.locator("#moves .made").all_inner_texts()


def wait_for_moves(page: Page, count: int) -> None:
    expect(page.locator("#moves .made")).to_have_count(count)
