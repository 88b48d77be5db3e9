"""The pictures in docs/page.md: `python -m tests.apps.screenshots`, of the bundled models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.sources import ROOT

from .conftest import CHROMIUM, served
from .driver import ARGUMENTS, click, new_game, play, wait_for_moves

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


def play_chess(page: Page) -> None:
    _play(page, ["e2e4", "g1f3"])  # legal whatever the net answers


def play_xiangqi(page: Page) -> None:
    new_game(page, side="Red", model="xiangqi")
    expect(page.locator("[data-game=xiangqi] cg-board")).to_have_count(1)
    wait_for_moves(page, 0)
    _play(page, ["h2e2", "h0g2"])


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


Scheme = Literal["light", "dark"]
PICTURES: dict[str, tuple[Callable[[Page], None], tuple[int, int], Scheme]] = {
    "page.png": (play_chess, DESKTOP, "light"),
    "page-xiangqi.png": (play_xiangqi, DESKTOP, "light"),
    "page-attention.png": (look_inside, DESKTOP, "light"),
    "page-analysis.png": (analyse, DESKTOP, "dark"),
    "page-phone.png": (play_chess, PHONE, "dark"),
}


def main() -> None:
    with served(["chess", "xiangqi"]) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, (act, size, scheme) in PICTURES.items():
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
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", color_scheme=scheme
    )
    page.goto(address)
    expect(page.locator("#status")).to_have_text("Your move")
    act(page)
    page.wait_for_timeout(500)  # what the net would play is asked after a moment
    page.evaluate("scrollTo(0, 0)")
    path = ROOT / "docs" / name
    page.screenshot(path=path)
    page.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def _play(page: Page, moves: list[str]) -> None:
    for number, move in enumerate(moves, 1):
        play(page, move)
        wait_for_moves(page, 2 * number)


if __name__ == "__main__":
    main()
