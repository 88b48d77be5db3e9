"""The pictures in docs/page.md: `python -m tests.apps.screenshots [MODEL…]`, else of the bundled models."""

from __future__ import annotations

import sys

from playwright.sync_api import Page, expect, sync_playwright

from tests.sources import ROOT
from zeroply.players.load import bundled, load_network

from .conftest import CHROMIUM, served
from .driver import ARGUMENTS, play, wait_for_moves

WIDTH, HEIGHT = 1100, 740
PICTURES = {"chess": ("page.png", "body"), "xiangqi": ("page-xiangqi.png", "#table")}
"""File and what it shows: the whole page once, elsewhere the board."""
FIRST_MOVES = {"chess": ["e2e4", "g1f3"], "xiangqi": ["h2e2", "h0g2"]}
"""The person's; they are legal whatever the net answers."""


def main() -> None:
    for model in sys.argv[1:] or list(bundled()):
        game = load_network(model).game.name
        with served([model]) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            page.goto(address)
            _play(page, FIRST_MOVES[game])
            name, part = PICTURES[game]
            path = ROOT / "docs" / name
            page.locator(part).screenshot(path=path)
            browser.close()
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def _play(page: Page, moves: list[str]) -> None:
    expect(page.locator("#status")).to_have_text("Your move")
    for number, move in enumerate(moves, 1):
        play(page, move)
        wait_for_moves(page, 2 * number)


if __name__ == "__main__":
    main()
