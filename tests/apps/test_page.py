"""The page in a real browser, against a real server and a real net."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

import chess
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.shipped import HIGHEST
from zeroply.artefacts import bundled

from .conftest import served
from .driver import (
    PHONE,
    click,
    copied,
    drag,
    new_game,
    opened,
    play,
    point,
    record,
    resign,
    wait_for_answer,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def quick_move(board: chess.Board) -> chess.Move:
    """A cheap player that ends games soon: mate, promote, take the most, and leave the king few squares."""

    def worth(move: chess.Move) -> tuple[float, ...]:
        victim = board.piece_type_at(move.to_square)
        board.push(move)
        mate, draw = board.is_checkmate(), board.is_stalemate() or board.is_repetition(2)
        replies, attacked = board.legal_moves.count(), bool(board.attackers(board.turn, move.to_square))
        board.pop()
        piece = board.piece_type_at(move.from_square) or chess.PAWN
        gain = VALUES[victim] if victim else 0
        gain += 8 if move.promotion == chess.QUEEN else 0
        gain -= VALUES[piece] if attacked else 0
        return (mate, not draw, gain, -replies)

    return max(board.legal_moves, key=worth)


def test_a_whole_game_to_its_end(page: Page) -> None:
    board = chess.Board()
    while not board.is_game_over(claim_draw=False) and page.locator("#status-card.over").count() == 0:
        move = quick_move(board)
        assert board.fullmove_number < 250, f"no end in sight: {board.fen()}"
        play(page, move.uci())
        board.push(move)
        # The net's move has come when the list is longer by two, or the game is over after one of them.
        page.wait_for_function(
            "count => document.querySelectorAll('#moves .made').length >= count + 1"
            " || document.querySelector('#status-card.over')",
            arg=len(board.move_stack),
        )
        for notation in record(page)[len(board.move_stack) :]:
            board.push_san(notation)
        expect(page.locator("#moves .made")).to_have_count(len(board.move_stack))
    status = page.locator("#status").inner_text()
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None, f"the page says '{status}' in {board.fen()}"
    expected = {True: "You won, 1–0", False: "The net won, 0–1", None: "Draw, ½–½"}[outcome.winner]
    assert status == expected
    assert len(page.locator("#detail").inner_text()) > 4, "the reason is shown"
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()


def test_candidates_are_listed_and_drawn(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    rows = page.locator("#candidates li")
    expect(rows).to_have_count(5)
    played = page.locator("#candidates .played .notation")
    assert played.inner_text() == record(page)[-1]
    assert page.locator("#candidates .share").first.inner_text().endswith("%")
    widths = page.locator("#candidates .fill").evaluate_all("bars => bars.map(bar => bar.offsetWidth)")
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0
    arrows = page.locator("svg.cg-shapes line")
    expect(arrows).not_to_have_count(0)
    page.get_by_label("Arrows").uncheck()
    expect(arrows).to_have_count(0)
    expect(rows).to_have_count(5)
    assert "You win" in (page.locator("#wdl").get_attribute("aria-label") or "")
    assert record(page)[-1] in page.locator("#spoken").inner_text()


def test_legal_targets_are_shown_and_dragging_works(page: Page) -> None:
    click(page, "g1")
    expect(page.locator("cg-board square.move-dest")).to_have_count(2)
    drag(page, "e2e4")
    wait_for_moves(page, 2)
    assert record(page)[0] == "e4"
    expect(page.locator("cg-board square.last-move")).to_have_count(2)


@pytest.mark.parametrize(("piece", "notation"), [("queen", "e8=Q"), ("knight", "e8=N"), ("rook", "e8=R")])
def test_promotion_asks_for_the_piece(page: Page, piece: str, notation: str) -> None:
    new_game(page, fen="8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    wait_for_moves(page, 0)
    play(page, "e7e8")
    dialog = page.locator("#promotion")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("cg-board piece.p-piece.white")).to_have_count(1)
    play(page, "e7e8")
    dialog.get_by_label(piece).click()
    expect(page.locator("#moves .made").first).to_have_text(notation)
    expect(page.locator(f"cg-board piece.{notation[-1].lower()}-piece.white")).to_have_count(1)


def test_promotion_is_cancelled_by_touch(phone: Page) -> None:
    new_game(phone, fen="8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    dialog = phone.locator("#promotion")

    def arrive() -> None:
        wait_for_answer(phone)
        for square in ("e7", "e8"):
            phone.touchscreen.tap(*point(phone, square))
        expect(dialog).to_be_visible()

    arrive()
    dialog.get_by_role("button", name="Cancel").tap()
    expect(dialog).to_be_hidden()
    arrive()
    box = dialog.bounding_box()
    assert box is not None
    phone.touchscreen.tap(box["x"] + 4, box["y"] + 4)  # its margin, which is within
    expect(dialog).to_be_visible()
    phone.touchscreen.tap(box["x"] + 4, box["y"] - 20)
    expect(dialog).to_be_hidden()
    wait_for_moves(phone, 0)
    arrive()
    dialog.get_by_label("queen").tap()
    expect(phone.locator("#moves .made").first).to_have_text("e8=Q")


def test_a_typed_promotion_names_its_piece(page: Page) -> None:
    new_game(page, fen="8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    field = page.get_by_label("Type a move")
    for text in ("e8", "e7e8"):
        field.fill(text)
        field.press("Enter")
        wanted = f"'{text}' does not say what the pawn becomes. Write one of: "
        expect(page.locator("#problem")).to_have_text(
            wanted + ", ".join(text + piece for piece in "qrbn") + "."
        )
    field.fill("e8n")
    field.press("Enter")
    expect(page.locator("#moves .made").first).to_have_text("e8=N")


def test_mate_is_announced_with_its_reason(page: Page) -> None:
    new_game(page, fen="7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    wait_for_moves(page, 0)
    play(page, "a2a7")
    wait_for_moves(page, 2)
    play(page, "b1b8")
    expect(page.locator("#status")).to_have_text("You won, 1–0")
    expect(page.locator("#detail")).to_have_text("Checkmate.")
    expect(page.locator("cg-board square.check")).to_have_count(1)
    expect(page.locator("svg.cg-shapes line")).to_have_count(0)  # none of the move before
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#status")).to_have_text("Your move")
    assert record(page) == ["Ra7", "Kg8"]


def test_a_check_is_marked(page: Page) -> None:
    new_game(page, fen="7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1")
    expect(page.locator("#status")).to_have_text("The net won, 0–1")
    new_game(page, fen="7k/8/8/8/8/8/5PP1/r5K1 w - - 0 1")
    expect(page.locator("#detail")).to_have_text("You are in check.")
    expect(page.locator("cg-board square.check")).to_have_count(1)


def test_taking_back_and_resigning(page: Page) -> None:
    undo = page.get_by_role("button", name="Take back")
    expect(undo).to_be_disabled()
    play(page, "d2d4")
    wait_for_moves(page, 2)
    undo.click()
    wait_for_moves(page, 0)
    expect(undo).to_be_disabled()
    expect(page.locator("#detail")).to_have_text("You took back 1. d4.")
    expect(page.locator("#spoken")).to_have_text("You took back 1. d4. Your move.")
    play(page, "c2c4")
    wait_for_moves(page, 2)
    expect(page.locator("#detail")).to_have_text("You play White.")
    assert record(page)[0] == "c4"
    resign(page)
    expect(page.locator("#status")).to_have_text("The net won, 0–1")
    expect(page.locator("#detail")).to_have_text("You resigned.")


def test_resigning_is_asked_in_place_and_thought_better_of(page: Page) -> None:
    page.set_viewport_size({"width": 1100, "height": 740})
    button, steps = page.locator("#resign"), page.locator(".steps")
    places = [button.bounding_box(), steps.bounding_box()]
    button.dblclick()
    expect(button).to_have_text("Sure?")
    expect(button).to_have_accessible_name("Really resign?")
    assert [button.bounding_box(), steps.bounding_box()] == places
    page.keyboard.press("Escape")
    expect(button).to_have_text("Resign")
    page.wait_for_timeout(600)
    button.focus()
    page.keyboard.down("Enter")
    page.wait_for_timeout(600)
    page.keyboard.down("Enter")  # held down
    page.keyboard.up("Enter")
    expect(button).to_have_text("Sure?")
    expect(button).to_have_text("Resign")  # after a while without an answer
    expect(button).to_have_accessible_name("Resign")
    expect(page.locator("#status")).to_have_text("Your move")


def test_as_black_the_board_is_turned_and_can_be_flipped(page: Page) -> None:
    new_game(page, side="Black")
    expect(page.locator("#seat-below")).to_contain_text("YouBlack")
    wait_for_moves(page, 1)
    board = chess.Board()
    board.push_san(record(page)[0])
    mine = next(iter(board.legal_moves)).uci()
    play(page, mine, turned=True)
    wait_for_moves(page, 3)
    expect(page.locator(".cg-wrap.orientation-black")).to_have_count(1)
    page.get_by_role("button", name="Flip board").click()
    expect(page.locator(".cg-wrap.orientation-white")).to_have_count(1)
    expect(page.locator("#seat-above")).to_contain_text("YouBlack")


def test_the_settings_reach_the_server_in_words_and_numbers(page: Page) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    page.reload()
    page.get_by_role("button", name="New game").click()
    page.locator("#rating").fill("2500")
    expect(page.locator("#rating-words")).to_have_text("like a grandmaster, 2500")
    expect(page.locator("#temperature")).to_have_value("0.36")  # offered with the strength
    page.locator("#temperature").fill("0.5")
    expect(page.locator("#temperature-words")).to_have_text("often another good move")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#seat-above")).to_contain_text("Black · like a grandmaster, 2500")
    assert '"rating":2500' in sent[-1]
    assert '"temperature":0.5' in sent[-1]
    page.get_by_role("button", name="New game").click()
    page.locator("#rating").fill(str(HIGHEST - 50))
    expect(page.locator("#rating-words")).to_have_text(f"like the world's elite, {HIGHEST - 50}")
    page.locator("#rating").fill(str(HIGHEST))  # the end of what it knows asks for more
    expect(page.locator("#rating-words")).to_have_text("at its best")
    expect(page.locator("#temperature-words")).to_have_text("always its best move")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#seat-above")).to_contain_text("Black · at its best")
    assert "rating" not in sent[-1]


def test_loading_the_page_again_keeps_the_game(page: Page) -> None:
    play(page, "d2d4")
    wait_for_moves(page, 2)
    before = record(page)
    page.reload()
    wait_for_moves(page, 2)
    assert record(page) == before
    play(page, "c2c4")
    wait_for_moves(page, 4)


def test_loading_the_page_again_keeps_a_game_that_is_over(page: Page) -> None:
    new_game(page, fen="7k/8/8/8/8/8/R7/1R5K w - - 0 1 a2a7 h8g8")
    play(page, "b1b8")
    expect(page.locator("#detail")).to_have_text("Checkmate.")
    text = copied(page, "#copy-pgn")
    page.reload()
    expect(page.locator("#status")).to_have_text("You won, 1–0")
    expect(page.locator("#detail")).to_have_text("Checkmate.")
    assert copied(page, "#copy-pgn") == text
    page.get_by_role("button", name="Take back").click()
    wait_for_moves(page, 2)
    wait_for_answer(page)
    resign(page)
    expect(page.locator("#detail")).to_have_text("You resigned.")
    text = copied(page, "#copy-pgn")
    page.reload()
    expect(page.locator("#status")).to_have_text("The net won, 0–1")
    expect(page.locator("#detail")).to_have_text("You resigned.")
    assert copied(page, "#copy-pgn") == text
    new_game(page)
    page.reload()
    expect(page.locator("#status")).to_have_text("Your move")
    wait_for_moves(page, 0)


def test_bad_positions_and_moves_are_explained(page: Page) -> None:
    new_game(page, fen="nonsense")
    expect(page.locator("#setup-problem")).to_contain_text("'nonsense' is not legal")
    expect(page.locator("#record")).to_have_value("nonsense")
    page.get_by_role("button", name="Cancel").click()
    field = page.get_by_label("Type a move")
    field.fill("e5")
    field.press("Enter")
    problem = page.locator("#problem")
    expect(problem).to_have_text("'e5' is not legal here.")
    for text, answer in (
        ("Zz9", "'Zz9' is not a move here. Write it as e4 or e2e4."),
        ("e1e5", "'e1e5' is not legal here: your piece on e1 cannot go to e5."),
        ("e7e5", "'e7e5' is not legal here: the piece on e7 is the net's."),
        ("e3e4", "'e3e4' is not legal here: nothing stands on e3."),
        ("O-O", "'O-O' is not legal here."),
    ):
        field.fill(text)
        field.press("Enter")
        expect(problem).to_have_text(answer)
    field.fill("nf3")
    field.press("Enter")
    wait_for_moves(page, 2)
    assert record(page)[0] == "Nf3"
    expect(problem).to_be_hidden()
    field.fill("e1e5")
    field.press("Enter")
    expect(problem).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#detail")).to_have_text("You took back 1. Nf3.")
    expect(problem).to_be_hidden()
    expect(field).to_have_value("")
    new_game(page, fen="7k/8/8/8/8/2N5/8/K5N1 w - - 0 1")
    field.fill("ne2")
    field.press("Enter")
    expect(problem).to_have_text("'ne2' does not say which piece goes. Write Nce2 or Nge2.")


def test_a_lost_connection_is_said_and_the_game_taken_up_again(browser: Browser, model: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(15_000)
    page = context.new_page()
    with served([model]) as address:
        page.goto(address)
        expect(page.locator("#status")).to_have_text("Your move")
        play(page, "e2e4")
        wait_for_moves(page, 2)
        before = record(page)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.get_by_role("button", name="New game")).to_be_disabled()
    page.get_by_role("button", name="Reconnect").click()
    expect(page.locator("#lost")).to_contain_text("Still no answer")
    expect(page.locator("#lost")).to_contain_text("zeroply serve")
    with served([model], port=int(address.rstrip("/").rpartition(":")[2])):
        page.get_by_role("button", name="Reconnect").click()
        expect(page.locator("#lost")).to_be_hidden()
        assert record(page) == before
        play(page, "d2d3")
        wait_for_moves(page, 4)
    context.close()


def test_a_resigned_game_stays_resigned_and_another_server_may_not_know_it(
    browser: Browser, model: str, xiangqi_model: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(15_000)
    page = context.new_page()
    with served([model]) as address:
        page.goto(address)
        expect(page.locator("#status")).to_have_text("Your move")
        play(page, "e2e4")
        wait_for_moves(page, 2)
        resign(page)
        expect(page.locator("#status")).to_have_text("The net won, 0–1")
    port = int(address.rstrip("/").rpartition(":")[2])
    with served([model], port=port):
        page.get_by_role("button", name="Reconnect").click()
        expect(page.get_by_role("button", name="Take back")).to_be_enabled()
        expect(page.locator("#status")).to_have_text("The net won, 0–1")
        expect(page.locator("#detail")).to_have_text("You resigned.")
    with served([xiangqi_model], port=port):
        page.get_by_role("button", name="Reconnect").click()
        expect(page.locator("#problem")).to_have_text(
            "This game cannot be taken up: there is no model 'chess' here. Known: xiangqi"
        )
        expect(page.get_by_role("button", name="Take back")).to_be_disabled()
        expect(page.get_by_role("button", name="New game")).to_be_enabled()
    context.close()


def test_a_browser_that_keeps_nothing_still_plays(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    forbid = "{ get() { throw new DOMException('no', 'SecurityError') } }"
    for place in ("sessionStorage", "localStorage"):
        page.add_init_script(f"Object.defineProperty(window, '{place}', {forbid})")
    page.goto(address)
    expect(page.locator("#status")).to_have_text("Your move")
    page.locator("#theme").click()
    play(page, "e2e4")
    wait_for_moves(page, 2)
    context.close()


def test_phone_width_has_no_sideways_scroll(phone: Page) -> None:
    play(phone, "e2e4")
    wait_for_moves(phone, 2)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    board = phone.locator("cg-board").bounding_box()
    assert board is not None
    assert board["width"] > 0.85 * PHONE[0]
    phone.get_by_role("button", name="New game").click()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    dialog = phone.locator("#setup").bounding_box()
    assert dialog is not None
    assert dialog["x"] >= 0
    assert dialog["x"] + dialog["width"] <= PHONE[0]


def test_a_long_name_of_a_model_is_cut_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    name = "a-run-with-all-its-settings-in-its-name-" * 3
    copied = shutil.copy(bundled()["xiangqi"], tmp_path / f"{name}.onnx")
    with served([str(copied)]) as address:
        for page in opened(browser, address, PHONE):
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
            who, manner = page.locator("#seat-above strong"), page.locator("#seat-above .quiet")
            widths = "shown => [shown.scrollWidth, shown.clientWidth]"
            whole, shown = who.evaluate(widths)
            assert whole == shown > 0
            whole, shown = manner.evaluate(widths)
            assert whole > shown > 0
            expect(manner).to_have_attribute("title", f"Black · {name}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_until_a_person_chooses(
    page: Page, scheme: Literal["light", "dark"]
) -> None:
    def brightness() -> float:
        red, green, blue = page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        return float(red + green + blue) / 3

    page.emulate_media(color_scheme=scheme)
    assert (brightness() > 128) == (scheme == "light")
    page.locator("#theme").click()
    assert brightness() > 128
    page.locator("#theme").click()
    assert brightness() < 128
    page.reload()
    assert brightness() < 128, "the choice is kept"


def test_everything_is_reached_by_keyboard(page: Page) -> None:
    reached = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    wanted = {
        "to-analyse",
        "theme",
        "flip",
        "new",
        "resign",
        "hints",
        "arrows",
        "gaze",
        "moves",
        "typed-move",
    }
    assert wanted <= reached
    page.locator("#new").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#setup")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#setup")).to_be_hidden()
