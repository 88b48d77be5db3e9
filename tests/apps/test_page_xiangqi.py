"""Xiangqi on the page, in a real browser, against a net that has learnt nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from zeroply.games import Position, game_named

from .driver import PHONE, click, drag, new_game, opened, play, point, record, resign, wait_for_moves

pytestmark = pytest.mark.browser

GAME = game_named("xiangqi")
VALUES = (0, 1, 2, 2, 4, 4, 9, 0)
"""By piece code: none, soldier, advisor, elephant, horse, cannon, chariot, general."""
LADDER = "4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1"
"""Red mates by b6b8, to which nothing but e9f9 is possible, and a7a9."""


@pytest.fixture
def page(browser: Browser, both: str) -> Iterator[Page]:
    yield from opened(browser, both)


@pytest.fixture
def phone(browser: Browser, both: str) -> Iterator[Page]:
    yield from opened(browser, both, PHONE)


def quick_move(position: Position) -> int:
    """A cheap player that ends games soon: mate, take the most, and leave the other side few moves."""
    board = [abs(int(code)) for code in position.row(0)["board"][0]]

    def worth(move: int) -> tuple[float, ...]:
        after = position.play(move)
        replies, end = after.legal(), GAME.moves.end[move]
        lost = VALUES[board[GAME.moves.start[move]]] if end in GAME.moves.end[replies] else 0
        return (
            after.result() == 1,
            after.result() is None and not after.repeats,
            VALUES[board[end]] - lost,
            -len(replies),
        )

    return int(max(position.legal().tolist(), key=worth))


def test_a_whole_game_to_its_end(page: Page) -> None:
    position = GAME.start()
    count = 0
    while page.locator("#status-card.over").count() == 0:
        move = quick_move(position)
        assert count < 400, f"no end in sight: {position.fen()}"
        play(page, GAME.moves.names[move])
        position, count = position.play(move), count + 1
        # The net's move has come when the list is longer by two, or the game is over after one of them.
        page.wait_for_function(
            "count => document.querySelectorAll('#moves .made').length > count"
            " || document.querySelector('#status-card.over')",
            arg=count,
        )
        for notation in record(page)[count:]:
            (reply,) = [move for move in position.legal().tolist() if position.notation(move) == notation]
            position, count = position.play(reply), count + 1
        expect(page.locator("#moves .made")).to_have_count(count)
    expected = {1: "You won, 1–0", 0: "The net won, 0–1", 0.5: "Draw, ½–½", None: "no end"}[position.result()]
    expect(page.locator("#status")).to_have_text(expected)
    reason = position.reason()
    assert reason is not None
    expect(page.locator("#detail")).to_have_text(f"{reason[0].upper()}{reason[1:]}.")


def test_pieces_stand_on_the_points_and_move_by_click_and_drag(page: Page) -> None:
    click(page, "b0")
    expect(page.locator("cg-board square.move-dest")).to_have_count(2)
    drag(page, "h2e2")
    wait_for_moves(page, 2)
    assert record(page)[0] == "C2.5"
    expect(page.locator("cg-board square.last-move")).to_have_count(2)
    expect(page.locator("#candidates li")).to_have_count(5)
    expect(page.locator("svg.cg-shapes line")).not_to_have_count(0)
    board = page.locator("cg-board").bounding_box()
    assert board is not None
    assert board["width"] / 9 == pytest.approx(board["height"] / 10, abs=0.1), (
        "points are as far apart both ways"
    )


def test_ranks_are_counted_from_zero_and_turn_with_the_board(page: Page) -> None:
    ranks, files = page.locator("coords.side coord"), page.locator("coords.bottom coord")
    assert ranks.all_inner_texts() == list("0123456789")
    assert files.all_inner_texts() == list("abcdefghi")

    def middle(coord: str) -> float:
        box = page.locator("coords.side coord").get_by_text(coord, exact=True).bounding_box()
        assert box is not None
        return box["y"] + box["height"] / 2

    assert middle("9") < middle("0")
    page.get_by_role("button", name="Flip board").click()
    assert middle("0") < middle("9")


def test_typed_moves_in_all_notations(page: Page) -> None:
    field = page.get_by_label("Type a move")
    expect(field).to_have_attribute("placeholder", "Type C2.5 or h2e2")
    for text, answer in (
        ("Nf3", "'Nf3' is not a move here. Write it as C2.5, h2e2, H2-E2 or in Chinese."),
        ("e2e4", "'e2e4' is not legal here: nothing stands on e2."),
        ("H9-G7", "'H9-G7' is not legal here: the piece on h9 is the net's."),
        ("h2h8", "'h2h8' is not legal here: your piece on h2 cannot go to h8."),
        ("C2.8", "'C2.8' is not legal here."),
        ("炮二平八", "'炮二平八' is not legal here."),
    ):
        field.fill(text)
        field.press("Enter")
        expect(page.locator("#problem")).to_have_text(answer)
    field.fill("c2=5")
    field.press("Enter")
    wait_for_moves(page, 2)
    field.fill("h0g2")
    field.press("Enter")
    wait_for_moves(page, 4)
    assert record(page)[::2] == ["C2.5", "H2+3"]
    for text, notation in [("H2-E2", "C2.5"), ("h2-e2", "C2.5"), ("炮二平五", "C2.5"), ("傌八進七", "H8+7")]:
        new_game(page, side="Red")
        wait_for_moves(page, 0)
        field.fill(text)
        field.press("Enter")
        wait_for_moves(page, 2)
        assert record(page)[0] == notation


def test_taking_back_resigning_and_the_record(page: Page, tmp_path: Path) -> None:
    expect(page.locator("#download")).to_be_disabled()
    play(page, "h2e2")
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Take back").click()
    wait_for_moves(page, 0)
    play(page, "b2e2")
    wait_for_moves(page, 2)
    resign(page)
    expect(page.locator("#status")).to_have_text("The net won, 0–1")
    expect(page.locator("#detail")).to_have_text("You resigned.")
    with page.expect_download() as found:
        page.locator("#download").click()
    assert found.value.suggested_filename == "zeroply-xiangqi.pgn"
    found.value.save_as(tmp_path / "game.pgn")
    text = (tmp_path / "game.pgn").read_text(encoding="utf-8")
    assert '[Game "Chinese Chess"]' in text
    assert '[Red "you"]' in text
    assert "1. B2-E2 " in text
    assert text.rstrip().endswith("{you resigned} 0-1")


def test_as_black_the_board_is_turned_and_can_be_flipped(page: Page) -> None:
    new_game(page, side="Black")
    expect(page.locator("#seat-below")).to_contain_text("YouBlack")
    expect(page.locator("#seat-above")).to_contain_text("Red · xiangqi")
    wait_for_moves(page, 1)
    play(page, "h7e7", turned=True)
    wait_for_moves(page, 3)
    assert record(page)[1] == "C8.5"
    page.get_by_role("button", name="Flip board").click()
    expect(page.locator(".cg-wrap.orientation-white")).to_have_count(1)


def test_mate_is_announced_with_its_reason(page: Page) -> None:
    new_game(page, side="Red", fen=LADDER)
    play(page, "b6b8")
    wait_for_moves(page, 2)
    play(page, "a7a9")
    expect(page.locator("#status")).to_have_text("You won, 1–0")
    expect(page.locator("#detail")).to_have_text("Checkmate.")
    expect(page.locator("cg-board square.check")).to_have_count(1)


def test_switching_between_the_games(page: Page) -> None:
    pieces = page.locator("cg-board piece:not(.ghost)")
    page.get_by_role("button", name="New game").click()
    expect(page.locator("#setup")).to_contain_text("Red")
    expect(page.locator("#rating")).to_be_hidden()
    page.locator("#model").select_option("chess")
    expect(page.locator("#setup")).to_contain_text("White")
    expect(page.locator("#rating")).to_be_visible()
    page.locator("#rating").fill("2500")  # for a net that knows ratings only
    expect(page.locator("#temperature")).to_have_value("0.36")
    page.locator("#model").select_option("xiangqi")  # no strength, so nobody asked for its variety
    expect(page.locator("#temperature")).to_have_value("0")
    page.locator("#model").select_option("chess")
    expect(page.locator("#temperature")).to_have_value("0.36")
    page.get_by_role("button", name="Cancel").click()
    new_game(page, model="chess")
    expect(page.locator("[data-game=chess] cg-board")).to_have_count(1)
    play(page, "e2e4")
    wait_for_moves(page, 2)
    assert record(page)[0] == "e4"
    new_game(page, side="Red", model="xiangqi")
    wait_for_moves(page, 0)
    expect(page.locator("[data-game=xiangqi] cg-board")).to_have_count(1)
    expect(pieces).to_have_count(32)
    play(page, "b0c2")
    wait_for_moves(page, 2)
    before = record(page)
    page.reload()
    wait_for_moves(page, 2)
    assert record(page) == before, "a game of either kind is kept when the page is loaded again"


def test_a_pasted_game_brings_a_model_that_plays_it(page: Page) -> None:
    """Xiangqi is the first model here; what a text is of shows in its tags, its ranks or its moves."""
    for text, game in [
        ("1. e4 e5 2. Nf3", "chess"),
        ("1. H2-E2 H9-G7", "xiangqi"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "chess"),
        (LADDER, "xiangqi"),
        ('[Event "a match"]\n\n1. d4 d5 2. c4 *', "chess"),
        ('[Game "Chinese Chess"]\n\n1. C2.5 H8+7', "xiangqi"),
        ("C2.5 H8+7", "xiangqi"),
        ("Nf3 d5 Nc3", "chess"),
        ("炮二平五 馬8進7", "xiangqi"),
        ("1. e4 c5", "chess"),
        ("h2e2 h9g7", "xiangqi"),
    ]:
        page.get_by_role("button", name="New game").click()
        if not page.locator("#record").is_visible():
            page.get_by_text("Start from another position").click()
        page.locator("#record").fill(text)
        expect(page.locator("#model")).to_have_value(game)  # before the field is left
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(f"[data-game={game}] cg-board")).to_have_count(1)
        expect(page.locator("#problem")).to_be_hidden()


def test_letters_on_the_pieces_are_a_choice_that_is_kept(page: Page) -> None:
    shown = "getComputedStyle(document.querySelector('piece.n-piece'), '::after').content"
    assert page.evaluate(shown) == "none"
    page.get_by_label("Letters on the pieces").check()
    assert page.evaluate(shown) == '"H"'
    page.reload()
    expect(page.locator("cg-board piece")).not_to_have_count(0)
    assert page.evaluate(shown) == '"H"'
    new_game(page, model="chess")
    expect(page.locator("[data-game=chess] cg-board")).to_have_count(1)
    expect(page.get_by_label("Letters on the pieces")).to_be_hidden()


def test_phone_width_has_no_sideways_scroll(phone: Page) -> None:
    play(phone, "h2e2")
    wait_for_moves(phone, 2)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    board = phone.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] > 0.85 * PHONE[0]
    phone.get_by_role("button", name="New game").click()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_touch_moves_pieces(browser: Browser, both: str) -> None:
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True)
    page = context.new_page()
    page.goto(both)
    expect(page.locator("#status")).to_have_text("Your move")
    for square in ("h2", "e2"):
        page.touchscreen.tap(*point(page, square))
    wait_for_moves(page, 2)
    assert record(page)[0] == "C2.5"
    context.close()


def test_what_to_type_fits_into_the_field_on_the_narrowest_phone(browser: Browser, both: str) -> None:
    for page in opened(browser, both, (320, 640)):
        for model, side, hint in (
            ("xiangqi", "Red", "Type C2.5 or h2e2"),
            ("chess", "White", "Type e4 or e2e4"),
        ):
            new_game(page, side=side, model=model)
            field = page.get_by_label("Type a move")
            expect(field).to_have_attribute("placeholder", hint)
            room, wanted = field.evaluate(
                """field => {
                    const style = getComputedStyle(field);
                    const pen = document.createElement('canvas').getContext('2d');
                    pen.font = `${style.fontSize} ${style.fontFamily}`;
                    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
                    return [field.clientWidth - padding, pen.measureText(field.placeholder).width];
                }"""
            )
            assert wanted <= room
