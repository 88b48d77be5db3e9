"""The pictures in docs/page.md: `python -m tests.apps.screenshots`, of the bundled models."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.sources import ROOT

from .alone.conftest import site_of
from .conftest import CHROMIUM, served
from .driver import ARGUMENTS, click, new_game, play, wait_for_moves

MODELS = ["chess", "xiangqi"]
DESKTOP, PHONE = (1100, 740), (390, 844)
IMMORTAL = """[White "Garry Kasparov"]
[Black "Veselin Topalov"]
[Result "1-0"]

1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5
11. O-O-O Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5
20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4
28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4 31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1
36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7 1-0
"""
"""Wijk aan Zee 1999."""
OPERA = """1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7"""
"""Paris 1858, but for its end."""
PASSED = "r4rk1/1P3ppp/2n5/8/8/2B5/5PPP/R5K1 w - - 0 1"


def play_chess(page: Page) -> None:
    _play(page, ["e2e4", "g1f3"])  # legal whatever the net answers


def play_xiangqi(page: Page) -> None:
    new_game(page, side="Red", model="xiangqi")
    expect(page.locator("[data-game=xiangqi] cg-board")).to_have_count(1)
    wait_for_moves(page, 0)
    _play(page, ["h2e2", "h0g2"])


def take_back(page: Page) -> None:
    _play(page, ["e2e4", "g1f3", "f1e2"])
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#detail")).to_have_text("You took back 3. Be2.")


def promote(page: Page) -> None:
    new_game(page, fen=PASSED)
    click(page, "b7")
    click(page, "a8")
    expect(page.locator("#promotion")).to_be_visible()


def win(page: Page) -> None:
    new_game(page, fen=OPERA)
    wait_for_moves(page, 30)
    play(page, "b3b8")
    wait_for_moves(page, 32)  # there is one answer
    play(page, "d1d8")
    expect(page.locator("#status")).to_have_text("You won, 1–0")


def look_inside(page: Page) -> None:
    play_chess(page)
    page.locator("#gaze").check()
    expect(page.locator(".picker")).to_have_count(1)
    click(page, "f3")
    expect(page.locator("#gaze-words")).to_contain_text("f3 looks most at")


def analyse(page: Page) -> None:
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill(IMMORTAL)
    page.get_by_role("button", name="Analyse", exact=True).click()
    wait_for_moves(page, 87)
    page.locator("#moves .made", has_text="Rxd4").nth(1).click()  # the famous sacrifice
    expect(page.locator("#candidates .share")).not_to_have_count(0)
    page.mouse.move(0, 0)


def analyse_below(page: Page) -> None:
    """On a phone, what is said of the game is below the board."""
    analyse(page)
    page.wait_for_timeout(300)
    page.locator("#moves").evaluate(
        "list => scrollBy(0, list.getBoundingClientRect().bottom + 40 - innerHeight)"
    )


Scheme = Literal["light", "dark"]
Picture = tuple[Callable[[Page], None], tuple[int, int], Scheme]
PICTURES: dict[str, Picture] = {
    "page.png": (play_chess, DESKTOP, "light"),
    "page-undo.png": (take_back, DESKTOP, "light"),
    "page-promotion.png": (promote, DESKTOP, "light"),
    "page-result.png": (win, DESKTOP, "light"),
    "page-xiangqi.png": (play_xiangqi, DESKTOP, "light"),
    "page-attention.png": (look_inside, DESKTOP, "light"),
    "page-analysis.png": (analyse, DESKTOP, "dark"),
    "page-phone.png": (play_chess, PHONE, "dark"),
    "page-phone-analysis.png": (analyse_below, PHONE, "light"),
}
ALONE: dict[str, Picture] = {"page-alone.png": (play_xiangqi, DESKTOP, "dark")}
"""Of the page without a server."""


@contextmanager
def alone() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, site_of(MODELS, Path(folder)) as address:
        yield address


def main(wanted: list[str]) -> None:
    """All pictures, or those that are named."""
    with ExitStack() as open_here:
        playwright = open_here.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        expect.set_options(timeout=30_000)  # without a server the net has to be loaded first
        for place, pictures in ((served(MODELS), PICTURES), (alone(), ALONE)):
            address = open_here.enter_context(place)
            for name, (act, size, scheme) in pictures.items():
                if not wanted or name in wanted:
                    _take(browser, address, name, act, size, scheme)
        browser.close()


def _take(
    browser: Browser,
    address: str,
    name: str,
    act: Callable[[Page], None],
    size: tuple[int, int],
    scheme: Scheme,
) -> None:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce",
        color_scheme=scheme,
        has_touch=size == PHONE,
    )
    page.goto(address)
    expect(page.locator("#status")).to_have_text("Your move")
    act(page)
    page.wait_for_timeout(500)  # what the net would play is asked after a moment
    path = ROOT / "docs" / name
    page.screenshot(path=path)
    page.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def _play(page: Page, moves: list[str]) -> None:
    for number, move in enumerate(moves, 1):
        play(page, move)
        wait_for_moves(page, 2 * number)


if __name__ == "__main__":
    main(sys.argv[1:])
