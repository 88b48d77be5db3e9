"""The page while something that it asked for is not answered yet, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from .driver import Line, click, new_game, play, record, wait_for_answer, wait_for_moves

pytestmark = pytest.mark.browser

PASSED = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def line(page: Page) -> Line:
    """That of a page on which one move was made and answered."""
    line = Line(page)
    page.reload()
    expect(page.locator("#status")).to_have_text("Your move")
    play(page, "e2e4")
    wait_for_moves(page, 2)
    return line


def wait_for_drawing(page: Page) -> None:
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def pieces(page: Page) -> dict[str, str]:
    """What stands on the board, by the widget's keys."""
    wait_for_drawing(page)
    found: dict[str, str] = page.locator("cg-board piece:not(.ghost)").evaluate_all(
        "pieces => Object.fromEntries(pieces.map(piece => [piece.cgKey, piece.className.split(' ')[0]]))"
    )
    return found


def reconnect(page: Page) -> None:
    page.get_by_role("button", name="Reconnect").click()
    expect(page.locator("#lost")).to_be_hidden()


def begin_another(page: Page) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start", exact=True).click()


def take_back(page: Page) -> None:
    page.get_by_role("button", name="Take back").click()


def move(page: Page) -> None:
    play(page, "d2d3")


@pytest.mark.parametrize(
    ("ask", "words"), [(begin_another, "One moment…"), (take_back, "One moment…"), (move, "The net looks…")]
)
def test_the_page_says_that_it_waits(page: Page, line: Line, ask: Callable[[Page], None], words: str) -> None:
    line.hold()
    ask(page)
    expect(page.locator("#status")).to_have_text(words)
    line.release()
    expect(page.locator("#status")).to_have_text("Your move")


@pytest.mark.parametrize("ask", [begin_another, take_back, move])
def test_nothing_is_done_meanwhile(page: Page, line: Line, ask: Callable[[Page], None]) -> None:
    """It would be done in a position that nobody has seen."""
    sent = len(line.sent)
    line.hold()
    ask(page)
    expect(page.locator("#table")).to_have_attribute("aria-busy", "true")
    for button in ("#undo", "#resign", "#typed-send"):
        expect(page.locator(button)).to_be_disabled()
    expect(page.get_by_role("button", name="New game")).to_be_enabled()  # the way out
    click(page, "g1")
    wait_for_drawing(page)
    expect(page.locator("cg-board square.move-dest")).to_have_count(0)
    click(page, "f3")
    field = page.get_by_label("Type a move")
    field.fill("Nf3")
    field.press("Enter")
    line.release()
    wait_for_answer(page)
    expect(field).to_have_value("Nf3")  # typed ahead, and sent by another Enter
    field.press("Enter")
    expect(field).to_have_value("")
    expect(page.locator("#moves .made", has_text="Nf3")).to_have_count(1)
    assert len(line.sent) == sent + 2


@pytest.mark.parametrize("ask", [begin_another, take_back, move])
def test_what_is_unanswered_when_the_connection_is_lost_was_not_done(
    page: Page, line: Line, ask: Callable[[Page], None]
) -> None:
    before, on_board = record(page), pieces(page)
    line.hold()
    ask(page)
    line.cut()
    expect(page.locator("#lost")).to_be_visible()
    assert pieces(page) == on_board
    for button in ("#new", "#undo", "#resign", "#typed-send", "#typed-move"):
        expect(page.locator(button)).to_be_disabled()
    click(page, "g1")
    wait_for_drawing(page)
    expect(page.locator("cg-board square.move-dest")).to_have_count(0)
    reconnect(page)
    wait_for_answer(page)
    assert record(page) == before
    play(page, "g1f3")
    wait_for_moves(page, 4)


def test_a_game_is_held_before_it_is_played_on(page: Page, line: Line) -> None:
    """Another server may not have its model."""
    line.cut()
    line.hold()
    reconnect(page)
    click(page, "g1")
    wait_for_drawing(page)
    expect(page.locator("cg-board square.move-dest")).to_have_count(0)
    line.release()
    wait_for_answer(page)
    click(page, "g1")
    expect(page.locator("cg-board square.move-dest")).not_to_have_count(0)


def test_a_move_stays_on_the_board_whatever_else_comes(page: Page, line: Line) -> None:
    """Hints, arrows and a board that is turned do not take it back for a moment."""
    asked: list[Route] = []
    page.route("**/api/predict", lambda route: asked.append(route))
    with page.expect_request("**/api/predict"):
        page.get_by_label("Hints").check()
    line.hold()
    move(page)
    ahead = pieces(page)
    assert "d3" in ahead
    assert "d2" not in ahead
    asked[0].continue_()
    expect(page.locator("svg.cg-shapes line")).not_to_have_count(0)
    assert pieces(page) == ahead
    page.locator("#flip").click()
    expect(page.locator(".cg-wrap.orientation-black")).to_have_count(1)
    assert pieces(page) == ahead
    page.unroute("**/api/predict")
    line.release()
    wait_for_moves(page, 4)


@pytest.fixture
def promoting(page: Page, line: Line) -> Line:
    """While the page asks what the pawn becomes."""
    new_game(page, fen=f"{PASSED} e1e2 h7h6")
    play(page, "e7e8")
    expect(page.locator("#promotion")).to_be_visible()
    return line


def test_a_pawn_becomes_nothing_where_the_move_was_taken_back(page: Page, promoting: Line) -> None:
    page.evaluate("document.getElementById('undo').click()")  # as only a program can, through the dialog
    wait_for_moves(page, 0)
    page.locator("#promotion").get_by_label("queen").click()
    assert "e7" in pieces(page)
    play(page, "e1e2")
    wait_for_moves(page, 2)
    assert not any("e7e8" in text for text in promoting.sent)


def test_a_pawn_becomes_nothing_where_the_connection_is_lost(page: Page, promoting: Line) -> None:
    promoting.cut()
    expect(page.locator("#lost")).to_be_visible()
    page.locator("#promotion").get_by_label("queen").click()
    expect(page.locator("#promotion")).to_be_hidden()
    assert "e7" in pieces(page)
    reconnect(page)
    play(page, "e7e8q")
    expect(page.locator("#moves .made", has_text="e8=Q")).to_have_count(1)
    assert sum("e7e8" in text for text in promoting.sent) == 1


def test_the_focus_stays_where_it_is(page: Page, line: Line) -> None:
    """For who plays by keys: moves one after the other, and taken back likewise."""
    field, undo = page.get_by_label("Type a move"), page.get_by_role("button", name="Take back")
    field.fill("d3")
    field.press("Enter")
    wait_for_moves(page, 4)
    expect(field).to_be_focused()
    undo.focus()
    line.hold()
    page.keyboard.press("Enter")
    expect(undo).to_be_disabled()
    wait_for_drawing(page)
    line.release()
    wait_for_moves(page, 2)
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_moves(page, 0)


def test_the_focus_is_not_taken_from_who_turned_elsewhere(page: Page, line: Line) -> None:
    """A button that was disabled for good and can be used again much later; a key would press it."""
    undo = page.get_by_role("button", name="Take back")
    undo.click()
    wait_for_moves(page, 0)
    expect(undo).to_be_disabled()
    page.mouse.click(5, page.evaluate("innerHeight") - 5)
    play(page, "d2d4")
    wait_for_moves(page, 2)
    expect(undo).to_be_enabled()
    expect(undo).not_to_be_focused()
    page.keyboard.press("Space")
    wait_for_answer(page)
    wait_for_drawing(page)
    wait_for_moves(page, 2)


def test_a_new_game_that_is_refused_changes_nothing_of_the_one_whose_answer_is_under_way(
    page: Page, line: Line
) -> None:
    """The answer to the move comes after another game was asked for, and is no answer to that."""
    line.hold()
    move(page)
    page.get_by_role("button", name="New game").click()
    page.locator("#rating").fill("2300")
    page.get_by_text("Start from another position").click()
    page.locator("#record").fill("1. e5")
    page.get_by_role("button", name="Start", exact=True).click()
    line.release()
    expect(page.locator("#setup-problem")).to_contain_text("'e5' is not legal")
    page.get_by_role("button", name="Cancel").click()
    wait_for_moves(page, 4)
    expect(page.locator("#seat-above")).to_contain_text("at its best")
    assert "2300" not in page.evaluate("sessionStorage['zeroply-game']")
    play(page, "g1f3")
    wait_for_moves(page, 6)
