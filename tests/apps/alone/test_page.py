"""The page without a server in a real browser, from a sub-path of a plain file server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.apps.driver import new_game, opened, play, record, resign, wait_for_moves
from tests.shipped import HEADS
from zeroply.games import game_named

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """Whatever it does, it asks for nothing outside its folder."""
    asked: list[str] = []
    for page in opened(browser, site):
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        yield page
        assert asked
        assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_a_whole_game_to_its_end(page: Page, name: str) -> None:
    """Against someone who plays anything, the net wins soon."""
    game, chance = game_named(name), np.random.default_rng(4)
    new_game(page, side=game.sides[0], model=name)
    expect(page.locator(f"[data-game={name}] cg-board")).to_have_count(1)
    position = game.start()
    while position.result() is None:
        assert position.ply < 200, f"no end in sight: {position.fen()}"
        # No promotion: which piece to choose is asked on the page in chess, and others test that.
        moves = [int(move) for move in position.legal() if not game.moves.promotion[move]]
        move = int(chance.choice(moves))
        play(page, game.moves.names[move])
        position = position.play(move)
        if position.result() is None:
            wait_for_moves(page, position.ply + 1)
            position = position.play(position.number(record(page)[-1]))
    end = {1.0: "You won, 1–0", 0.5: "Draw, ½–½", 0.0: "The net won, 0–1"}[float(position.result() or 0)]
    expect(page.locator("#status")).to_have_text(end)
    reason = position.reason() or ""
    expect(page.locator("#detail")).to_have_text(f"{reason[0].upper()}{reason[1:]}.")


def test_the_net_says_what_it_weighed_and_where_it_looked(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    expect(page.locator("#candidates li")).to_have_count(5)
    assert page.locator("#candidates .played .notation").inner_text() == record(page)[-1]
    page.locator("#gaze").check()
    expect(page.locator("#gaze-words")).to_contain_text("look most at")
    page.locator("#head").fill("3")
    expect(page.locator("#head-words")).to_have_text(f"3 of {HEADS}")
    expect(page.locator("#gaze-words")).to_contain_text("look most at")
    expect(page.locator("#gaze-none")).to_be_hidden()


def test_a_pasted_game_is_analysed(page: Page) -> None:
    page.locator("#to-analyse").click()
    page.locator("#analysis-record").fill(
        '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 {early} Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
    )
    page.locator("#analysis-start").click()
    expect(page.locator("#analysis")).to_be_visible()
    expect(page.locator("#analysis-progress")).to_be_hidden()
    expect(page.locator("#analysis-title")).to_contain_text("A")
    wait_for_moves(page, 7)
    expect(page.locator("#analysis-problem")).to_be_hidden()


def test_taking_back_resigning_and_loading_again(page: Page) -> None:
    play(page, "d2d4")
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Take back").click()
    wait_for_moves(page, 0)
    play(page, "c2c4")
    wait_for_moves(page, 2)
    before = record(page)
    page.reload()
    wait_for_moves(page, 2)
    assert record(page) == before
    resign(page)
    expect(page.locator("#status")).to_have_text("The net won, 0–1")
    page.reload()
    expect(page.locator("#detail")).to_have_text("You resigned.")
    assert len(record(page)) == 2


def test_bad_positions_are_explained(page: Page) -> None:
    new_game(page, fen="nonsense")
    expect(page.locator("#setup-problem")).to_contain_text("'nonsense' is not")
    page.get_by_role("button", name="Cancel").click()
    play(page, "e2e4")
    wait_for_moves(page, 2)


def test_the_first_load_shows_how_far_it_is(browser: Browser, site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    held: list[Route] = []
    page.route("**/models/chess.onnx", lambda route: held.append(route))
    page.goto(site)
    expect(page.locator("#loading")).to_be_visible()
    expect(page.locator("#loading-words")).to_have_text(re.compile(r"^Loading the net: 1[0-9] of 2[0-9] MB$"))
    assert 0.3 < page.locator("#loading-bar").evaluate("bar => bar.value / bar.max") < 0.7
    expect(page.locator("#status")).to_have_text("Your move")  # there is time to think meanwhile
    held[0].continue_()
    expect(page.locator("#loading")).to_be_hidden()
    play(page, "e2e4")
    wait_for_moves(page, 2)
    context.close()


def test_a_net_that_is_missing_is_said(browser: Browser, site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/models/chess.onnx", lambda route: route.fulfill(status=404))
    page.goto(site)
    expect(page.locator("#status")).to_have_text("Your move")
    play(page, "e2e4")
    expect(page.locator("#problem")).to_contain_text("models/chess.onnx cannot be loaded")
    expect(page.locator("#status")).to_have_text("The net has not answered")
    page.unroute("**/models/chess.onnx")
    page.get_by_role("button", name="Take back").click()
    wait_for_moves(page, 0)
    expect(page.locator("#problem")).to_be_hidden()
    play(page, "d2d4")
    wait_for_moves(page, 2)
    context.close()


def test_while_a_net_loads_nothing_is_moved(browser: Browser, site: str) -> None:
    """As Black one waits for its first move: the board that is there is not the one to play on."""
    context = browser.new_context()
    page = context.new_page()
    held: list[Route] = []
    page.route("**/models/xiangqi.onnx", lambda route: held.append(route))
    page.goto(site)
    expect(page.locator("#status")).to_have_text("Your move")
    page.get_by_role("button", name="New game").click()
    page.locator("#model").select_option("xiangqi")
    page.locator("#setup").get_by_label("Black").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#status")).to_have_text("The net looks…")
    expect(page.locator("#table")).to_have_attribute("aria-busy", "true")
    for button in ("#undo", "#resign", "#typed-send"):
        expect(page.locator(button)).to_be_disabled()
    held[0].continue_()
    wait_for_moves(page, 1)
    play(page, "b9c7", turned=True)
    wait_for_moves(page, 3)
    context.close()
