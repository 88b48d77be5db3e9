"""How the browser tests open the page and act on it: squares, moves, new games, the record."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = (1280, 800), (360, 740)
SHAPES = {"chess": (8, 8, 1), "xiangqi": (9, 10, 0)}
"""Files, ranks and the lowest rank of each game."""


def opened(browser: Browser, address: str, size: tuple[int, int] = DESKTOP) -> Iterator[Page]:
    """The page, which must not complain: a broken content policy shows only in the console. A narrow one is
    touched."""
    complaints: list[str] = []
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", has_touch=size != DESKTOP
    )
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    expect(page.locator("#status")).to_have_text("Your move")
    yield page
    context.close()
    assert complaints == []


def point(page: Page, square: str, turned: bool = False) -> tuple[float, float]:
    """The middle of a square on the screen; `turned` where the second player is below."""
    box = page.locator("cg-board").bounding_box()
    assert box is not None
    files, ranks, lowest = SHAPES[page.evaluate("document.documentElement.dataset.game")]
    file, rank = "abcdefghi".index(square[0]), int(square[1]) - lowest
    column, row = (files - 1 - file, rank) if turned else (file, ranks - 1 - rank)
    return (
        box["x"] + (column + 0.5) * box["width"] / files,
        box["y"] + (row + 0.5) * box["height"] / ranks,
    )


def click(page: Page, square: str, turned: bool = False) -> None:
    page.mouse.click(*point(page, square, turned))


def drag(page: Page, move: str) -> None:
    page.mouse.move(*point(page, move[:2]))
    page.mouse.down()
    page.mouse.move(*point(page, move[2:]), steps=6)
    page.mouse.up()


def play(page: Page, move: str, turned: bool = False) -> None:
    """Click from and to, and choose the piece if the move is a promotion."""
    wait_for_answer(page)
    click(page, move[:2], turned)
    click(page, move[2:4], turned)
    if len(move) == 5:
        page.locator("#promotion").get_by_label(chess.piece_name(chess.PIECE_SYMBOLS.index(move[4]))).click()


def new_game(page: Page, side: str = "White", fen: str = "", model: str | None = None) -> None:
    page.get_by_role("button", name="New game").click()
    if model is not None:
        page.locator("#model").select_option(model)
    page.locator("#setup").get_by_label(side).check()
    if not page.locator("#record").is_visible():
        page.get_by_text("Start from another position").click()
    page.locator("#record").fill(fen)
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for_answer(page)


def wait_for_answer(page: Page) -> None:
    """Until then the old game's board stays, and nothing can be moved on it."""
    expect(page.locator("#table")).to_have_attribute("aria-busy", "false")


def resign(page: Page) -> None:
    """By two clicks that are no double click."""
    page.locator("#resign").click()
    page.wait_for_timeout(600)
    page.locator("#resign").click()


def record(page: Page) -> list[str]:
    """The moves in the list, in notation."""
    return page.locator("#moves .made").all_inner_texts()


def wait_for_moves(page: Page, count: int) -> None:
    expect(page.locator("#moves .made")).to_have_count(count)


def copied(page: Page, button: str) -> str:
    """What a button puts on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('nothing yet')")
    page.locator(button).click()
    expect(page.locator(button)).to_contain_text("Copied")
    page.wait_for_function("async () => await navigator.clipboard.readText() !== 'nothing yet'")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


class Line:
    """The websocket between a page that is loaded from now on and its server; answers can be held."""

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        self._held: list[str | bytes] | None = None
        self._socket: WebSocketRoute | None = None
        page.route_web_socket("**/api/game", self._join)

    def hold(self) -> None:
        self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._to_page(message)

    def cut(self) -> None:
        """What is held will never come."""
        self._held = None
        assert self._socket is not None
        self._socket.close()

    def _join(self, socket: WebSocketRoute) -> None:
        self._socket, server = socket, socket.connect_to_server()
        server.on_message(self._to_page)

        def to_server(message: str | bytes) -> None:
            self.sent.append(str(message))
            server.send(message)

        socket.on_message(to_server)

    def _to_page(self, message: str | bytes) -> None:
        if self._held is not None:
            self._held.append(message)
        elif self._socket is not None:
            self._socket.send(message)
