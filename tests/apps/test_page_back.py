"""Looking back at a game that goes on, and games that come in and go out as text, in a real browser."""

from __future__ import annotations

import json

import chess
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from zeroply.games import game_named

from .driver import click, copied, new_game, play, record, wait_for_moves

pytestmark = pytest.mark.browser

SPECIAL = "e4 a6 e5 d5 exd6 e5 Nf3 Nc6 Bb5 Bd7 O-O Rc8 dxc7 h5 cxd8=N h4"
"""En passant, castling, a lost right, promotion: all that changes a board in an unusual way."""


def test_looking_back_and_returning_to_the_game(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    play(page, "d2d4")
    wait_for_moves(page, 4)
    page.locator("#moves .made").first.click()
    expect(page.locator("#status")).to_have_text("Looking back")
    expect(page.locator("#detail")).to_have_text("After 1. e4.")
    expect(page.locator("#weighed")).to_have_text("What it would play")
    expect(page.locator("#candidates .played .notation")).to_have_text(record(page)[1])
    click(page, "g1")
    expect(page.locator("cg-board square.move-dest")).to_have_count(0)
    expect(page.get_by_label("Type a move")).to_be_disabled()  # it would be made in the game, not here
    expect(page.locator("#undo")).to_be_disabled()
    page.get_by_role("button", name="Back to the game").click()
    expect(page.get_by_label("Type a move")).to_be_enabled()
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator("#return")).to_be_hidden()
    click(page, "g1")
    expect(page.locator("cg-board square.move-dest")).not_to_have_count(0)
    wait_for_moves(page, 4)


def test_the_way_back_fits_the_narrowest_phone(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    page.set_viewport_size({"width": 320, "height": 700})
    page.locator("#moves .made").first.click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_check_at_the_beginning_is_marked_when_looking_back(page: Page) -> None:
    new_game(page, fen="7k/8/8/8/8/8/5PP1/r5K1 w - - 0 1")
    play(page, "g1h2")
    wait_for_moves(page, 2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("cg-board square.check")).to_have_count(0)
    page.keyboard.press("Home")
    expect(page.locator("cg-board square.check")).to_have_count(1)


def test_keys_and_buttons_step_through_the_game(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    shown = page.locator("#moves .latest")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text("e4")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#detail")).to_have_text("At the beginning.")
    expect(page.locator("#previous")).to_be_disabled()
    expect(page.locator("cg-board square.last-move")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    expect(page.locator("#status")).to_have_text("Your move")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="One move on").click()
    expect(shown).to_have_text("e4")
    page.keyboard.press("End")
    latest = record(page)[1]
    field = page.get_by_label("Type a move")
    field.fill("d4")
    field.press("ArrowLeft")
    expect(shown).to_have_text(latest)
    field.press("Enter")
    wait_for_moves(page, 4)
    expect(page.locator("#status")).to_have_text("Your move")
    page.locator("#moves").focus()
    page.keyboard.press("f")
    expect(page.locator(".cg-wrap.orientation-black")).to_have_count(1)


def test_a_pasted_game_goes_on_and_its_positions_are_right(page: Page) -> None:
    new_game(page, fen=SPECIAL)
    wait_for_moves(page, 16)
    board, fens = chess.Board(), [chess.STARTING_FEN]
    for notation in SPECIAL.split():
        board.push_san(notation)
        fens.append(board.fen(en_passant="xfen"))
    assert copied(page, "#copy-fen") == fens[-1]
    for at in (11, 8, 7, 5, 4, 0):
        page.keyboard.press("Home")
        for _ in range(at):
            page.keyboard.press("ArrowRight")
        assert copied(page, "#copy-fen") == fens[at]
    page.keyboard.press("End")
    play(page, "d2d4")
    wait_for_moves(page, 18)


def test_xiangqi_positions_are_right(xiangqi: Page) -> None:
    moves = ["h2e2", "h7e7", "e2e6", "d9e8"]
    new_game(xiangqi, side="Red", fen=" ".join(moves))
    wait_for_moves(xiangqi, 4)
    position = game_named("xiangqi").start()
    fens = [position.fen()]
    for move in moves:
        position = position.play(position.number(move))
        fens.append(position.fen())
    for at in (4, 3, 2):
        assert copied(xiangqi, "#copy-fen") == fens[at]
        xiangqi.keyboard.press("ArrowLeft")


def test_a_game_is_copied_pasted_and_downloaded(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    moves, text = record(page), copied(page, "#copy-pgn")
    assert '[White "you"]' in text
    with page.expect_download() as found:
        page.locator("#download").click()
    assert found.value.suggested_filename == "zeroply-chess.pgn"
    assert found.value.path().read_text(encoding="utf-8") == text
    new_game(page)
    wait_for_moves(page, 0)
    page.get_by_label("Type a move").focus()  # a whole game is none of its moves
    page.keyboard.press("Control+v")
    expect(page.locator("#record")).to_have_value(text.replace("\r\n", "\n").strip())
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for_moves(page, 2)
    assert record(page) == moves
    page.get_by_role("button", name="New game").click()
    expect(page.locator("#record")).to_have_value("")


def test_a_game_taken_up_as_black_is_answered(page: Page) -> None:
    new_game(page, side="Black", fen="1. d4 d5 2. c4 e6")
    wait_for_moves(page, 5)
    assert record(page)[:4] == ["d4", "d5", "c4", "e6"]
    expect(page.locator("#status")).to_have_text("Your move")


def test_what_is_wrong_with_a_pasted_game_is_said(page: Page) -> None:
    new_game(page, fen="1. e4 e5 2. Ke3")
    expect(page.locator("#setup-problem")).to_contain_text("Ke3")
    expect(page.locator("#record")).to_have_value("1. e4 e5 2. Ke3")
    page.locator("#record").fill("1. e4 e5 2. Ke2")
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for_moves(page, 4)
    page.get_by_role("button", name="New game").click()
    expect(page.locator("#setup-problem")).to_be_hidden()


def test_an_en_passant_that_is_pinned_is_not_in_a_position_before(page: Page) -> None:
    """Looking back, the position is the server's, which names only captures that are legal."""
    moves = ["d7d5", "a5a4"]
    new_game(page, fen=f"6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1 {' '.join(moves)}")
    wait_for_moves(page, 3)  # the net has answered
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    position = game_named("chess").start("6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    position = position.play(position.number("d7d5"))
    assert copied(page, "#copy-fen") == position.fen()
    assert position.fen().split()[3] == "-"


def test_a_check_in_xiangqi_is_marked_looking_back(xiangqi: Page) -> None:
    """Its notation has no sign for it."""
    moves = ["a1a9", "e9e8", "a9a8", "e8e9"]
    new_game(xiangqi, side="Red", fen=f"4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1 {' '.join(moves)}")
    wait_for_moves(xiangqi, 4)
    expect(xiangqi.locator("cg-board square.check")).to_have_count(0)
    xiangqi.keyboard.press("ArrowLeft")
    expect(xiangqi.locator("cg-board square.check")).to_have_count(1)
    xiangqi.keyboard.press("ArrowLeft")
    expect(xiangqi.locator("cg-board square.check")).to_have_count(0)


def test_a_full_server_loses_no_game_and_says_why(page: Page) -> None:
    """The game is taken up when there is room again."""
    play(page, "e2e4")
    wait_for_moves(page, 2)
    moves, full = record(page), [True]

    def answer(socket: WebSocketRoute) -> None:
        if not full[0]:
            socket.connect_to_server()
            return
        socket.send(json.dumps({"type": "error", "text": "there are 800 games here. Come again later"}))
        socket.close(code=1013)

    page.route_web_socket("**/api/game", answer)
    page.reload()
    expect(page.locator("#lost")).to_contain_text("there are 800 games here. Come again later")
    page.reload()
    expect(page.locator("#lost")).to_contain_text("there are 800 games here. Come again later")
    full[0] = False
    page.get_by_role("button", name="Reconnect").click()
    wait_for_moves(page, 2)
    assert record(page) == moves
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#problem")).to_be_hidden()


def test_a_game_that_cannot_be_taken_up_gives_way_and_that_is_said(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    page.evaluate(
        "sessionStorage.setItem('zeroply-game',"
        " sessionStorage.getItem('zeroply-game').replace('\"e2e4\"', '\"e2e5\"'))"
    )
    page.reload()
    expect(page.locator("#problem")).to_contain_text("Your last game cannot be taken up: ")
    wait_for_moves(page, 0)
    play(page, "d2d4")
    wait_for_moves(page, 2)
    expect(page.locator("#problem")).to_be_hidden()
