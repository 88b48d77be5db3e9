"""A game that was played elsewhere, seen by the net, in a real browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from .driver import PHONE, copied, new_game, play, record, wait_for_moves

pytestmark = pytest.mark.browser

OPERA = """[White "Paul Morphy"]
[Black "Duke Karl of Brunswick and Count Isouard de Vauvenargues"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {this is a weak move} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6
9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
"""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def analyse(page: Page, text: str, count: int) -> None:
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill(text)
    page.get_by_role("button", name="Analyse", exact=True).click()
    wait_for_moves(page, count)
    expect(page.locator("#analysis-progress")).to_be_hidden()


def test_a_pasted_game_is_looked_at_move_by_move(page: Page) -> None:
    analyse(page, OPERA, 33)
    expect(page.locator("#analysis-title")).to_contain_text("Paul Morphy – Duke Karl")
    expect(page.locator("#analysis-result")).to_contain_text("1–0 · 17 moves")
    expect(page.locator("#seat-below")).to_contain_text("Paul MorphyWhite")
    for cell in page.locator("#moves .made small").all_inner_texts():
        assert cell.endswith("%")
        assert cell[0].isdigit()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#verdict")).to_contain_text("1. e4")
    expect(page.locator("#verdict")).to_contain_text("choice")
    expect(page.locator("#moves .latest")).to_contain_text("e4")
    page.keyboard.press("End")
    expect(page.locator("#verdict")).to_contain_text("17. Rd8#")
    expect(page.locator("#expectation")).to_have_text("How it ended")
    expect(page.locator("#play-here")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#candidates .played")).to_contain_text("Rd8#")
    assert page.locator("#moves .made small").count() == 33


def test_who_allows_a_mate_at_once_is_told(page: Page) -> None:
    analyse(page, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#", 7)
    expect(page.locator("#worst button").first).to_contain_text("3… Nf6")


def test_the_graph_is_clicked(page: Page) -> None:
    analyse(page, OPERA, 33)
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 10 / 33, box["y"] + 10)
    expect(page.locator("#verdict")).to_contain_text("5… dxe5")
    page.mouse.move(box["x"] + box["width"] * 20 / 33, box["y"] + 10)
    expect(page.locator("#graph .tip")).to_contain_text(re.compile(r"^10… cxb5 · White 0\.\d\d$"))
    expect(page.locator("#graph-name")).to_have_text("White’s expected points, smoothed")
    page.mouse.move(0, 0)
    expect(page.locator("#graph .tip")).to_be_hidden()


def ply(
    move: str, notation: str, expected: float | None, rank: int = 1, probability: float = 0.5
) -> dict[str, object]:
    best = {"move": "a2a3", "notation": "a3", "probability": 0.5}
    seen = {"probability": probability, "rank": rank, "best": best, "expected": expected}
    return {"move": move, "notation": notation, "fen": START, "check": False, **seen}


def told(
    page: Page, plies: list[dict[str, object]], last: float | None, start: str = START
) -> list[WebSocketRoute]:
    """Opens the page with a server that says this of any game, one ply at a time, the last one late."""
    sockets: list[WebSocketRoute] = []

    def part(at: int) -> str:
        is_last = at == len(plies) - 1
        about = {
            "type": "analysis",
            "game": "chess",
            "model": "chess",
            "start": start,
            "start_check": False,
            "result": None,
            "names": None,
        }
        some = {
            "total": len(plies),
            "first": at,
            "plies": [plies[at]],
            "last_expected": last if is_last else None,
            "ended": False,
            "record": "1. e4 *" if is_last else None,
        }
        return json.dumps(about | some)

    def answer(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def hear(message: str | bytes) -> None:
            if "analyse" not in str(message):
                server.send(message)
                return
            sockets.append(socket)
            for at in range(len(plies) - 1):
                socket.send(part(at))

        socket.on_message(hear)

    page.route_web_socket("**/api/game", answer)
    page.reload()
    page.goto(page.url.partition("#")[0] + "#analyse")
    page.get_by_label("A game to look at").fill("anything")
    page.get_by_role("button", name="Analyse", exact=True).click()
    wait_for_moves(page, len(plies) - 1)
    bar = page.locator("#analysis-progress")
    expect(bar).to_be_visible()
    assert bar.evaluate("bar => bar.value") == pytest.approx(1 - 1 / len(plies))
    sockets[-1].send(part(len(plies) - 1))
    wait_for_moves(page, len(plies))
    expect(bar).to_be_hidden()
    return sockets


def test_the_worst_moments_are_where_a_mover_loses_most_and_progress_is_shown(page: Page) -> None:
    """Any move costs 0.1 here, because each look favours the mover; Qh5 costs 0.4 more, a6 0.15 more."""
    plies = [
        ply("e2e4", "e4", 0.55),
        ply("e7e5", "e5", 0.45),
        ply("d1h5", "Qh5", 0.55, rank=9, probability=0.001),
        ply("a7a6", "a6", 0.05, rank=3, probability=0.2),
        ply("h5h4", "Qh4", 0.3),
        ply("a6a5", "a5", 0.2),
    ]
    told(page, plies, 0.3)
    chips = page.locator("#worst .chip")
    expect(chips).to_have_count(2)
    assert chips.all_inner_texts() == ["2. Qh5??\n−0.40", "2… a6?!\n−0.15"]
    expect(page.locator("#moves .mark")).to_have_text(["??", "?!"])
    expect(page.locator("#graph .dot")).to_have_count(2)
    chips.first.click()
    expect(page.locator("#verdict")).to_contain_text("Costs 0.40 points.")
    expect(page.locator("#verdict")).to_contain_text("its 9th choice; likeliest a3")


def test_the_nets_own_first_choice_may_cost_most_without_a_mark(page: Page) -> None:
    plies = [
        ply("e2e4", "e4", 0.5),
        ply("e7e5", "e5", 0.5),
        ply("d1h5", "Qh5", 0.5),
        ply("a7a6", "a6", 0.1, rank=2),
        ply("h5h4", "Qh4", 0.1, rank=2),
    ]
    told(page, plies, 0.1)
    expect(page.locator("#worst .chip")).to_have_count(1)
    assert page.locator("#worst .chip").inner_text() == "2. Qh5\n−0.40"
    expect(page.locator("#moves .mark")).to_have_count(0)
    page.locator("#worst .chip").click()
    expect(page.locator("#verdict")).to_contain_text("its 1st choice. Costs 0.40 points.")


def test_what_a_move_cost_never_contradicts_its_mark(page: Page) -> None:
    """A mark is given for 0.35 points, not for nearly as many."""
    plies = [
        ply("e2e4", "e4", 0.5),
        ply("e7e5", "e5", 0.5),
        ply("d1h5", "Qh5", 0.5, rank=2),
        ply("a7a6", "a6", 0.151, rank=2),
        ply("h5h4", "Qh4", 0.151, rank=2),
    ]
    told(page, plies, 0.151)
    assert page.locator("#worst .chip").inner_text() == "2. Qh5?\n−0.34"


class Cut:
    """Sockets that break when an analysis comes to a ply, until they are mended."""

    def __init__(self, page: Page, first: int) -> None:
        self.broken, self._first = True, first
        self._open: list[WebSocketRoute] = []
        page.route_web_socket("**/api/game", self._join)
        page.reload()
        expect(page.locator("#status")).to_have_text("Your move")

    def _join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._open.append(socket)

        def to_page(message: str | bytes) -> None:
            part = json.loads(message)
            if not self.broken or part["type"] != "analysis" or part["first"] < self._first:
                socket.send(message)
                return
            for each in self._open:
                each.close()
            self._open = []

        server.on_message(to_page)


def test_an_analysis_that_was_cut_off_says_so_and_goes_on_with_the_connection(page: Page) -> None:
    line = Cut(page, 16)
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill(OPERA)
    page.get_by_role("button", name="Analyse", exact=True).click()
    cut = page.locator("#analysis-cut")
    expect(cut).to_contain_text("It came as far as 8… c6. The server does not answer.")
    expect(page.locator("#worst .name")).to_have_text("Worst moments so far")
    wait_for_moves(page, 16)
    page.get_by_role("button", name="Go on").click()
    expect(cut).to_be_visible()  # still broken
    page.keyboard.press("End")
    line.broken = False
    page.get_by_role("button", name="Reconnect").click()
    wait_for_moves(page, 33)
    expect(cut).to_be_hidden()
    expect(page.locator("#analysis-problem")).to_be_hidden()
    expect(page.locator("#worst .name")).to_have_text("Worst moments")
    expect(page.locator("#verdict")).to_contain_text("8… c6")  # the person stays where they are


def test_an_analysis_that_was_cut_off_goes_on_when_asked(page: Page) -> None:
    line = Cut(page, 8)
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill(OPERA)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#analysis-cut")).to_be_visible()
    line.broken = False
    page.get_by_role("button", name="Go on").click()
    wait_for_moves(page, 33)
    expect(page.locator("#analysis-cut")).to_be_hidden()


def test_an_analysis_that_was_asked_of_nobody_begins_with_the_connection(page: Page) -> None:
    line = Cut(page, 0)
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill("1. e4")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#analysis-problem")).to_contain_text("The server does not answer.")
    line.broken = False
    page.get_by_role("button", name="Reconnect").click()
    wait_for_moves(page, 1)
    expect(page.locator("#analysis-problem")).to_be_hidden()
    expect(page.locator("#analysis-result")).to_contain_text("1 move ·")


def test_a_game_that_did_not_end_may_be_expected_to_be_drawn(page: Page) -> None:
    """Half a point is what the net expects there, not how the game ended."""
    told(page, [ply("e2e4", "e4", 0.5), ply("e7e5", "e5", 0.5)], 0.5)
    page.keyboard.press("End")
    expect(page.locator("#expectation")).to_have_text("What it expects")
    expect(page.locator("#play-here")).to_be_enabled()


def test_the_analysed_game_is_copied_whatever_is_typed_since(page: Page) -> None:
    analyse(page, OPERA, 33)
    page.get_by_role("button", name="Another game").click()
    page.get_by_label("A game to look at").fill("1. d4")
    text = copied(page, "#copy-pgn")
    assert '[White "Paul Morphy"]' in text
    assert (
        text.split("\n\n")[1].split() == OPERA.replace("{this is a weak move} ", "").split("\n\n")[1].split()
    )
    with page.expect_download() as found:
        page.locator("#download").click()
    assert found.value.path().read_text(encoding="utf-8") == text


def test_a_check_at_the_beginning_is_marked(page: Page) -> None:
    analyse(page, "7k/8/8/8/8/8/5PP1/r5K1 w - - 0 1 Kh2", 1)
    expect(page.locator("cg-board square.check")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("cg-board square.check")).to_have_count(0)


def test_a_check_in_xiangqi_is_marked(xiangqi: Page) -> None:
    analyse(xiangqi, "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1 a1a9 e9e8", 2)
    xiangqi.keyboard.press("ArrowRight")
    expect(xiangqi.locator("cg-board square.check")).to_have_count(1)
    xiangqi.keyboard.press("ArrowRight")
    expect(xiangqi.locator("cg-board square.check")).to_have_count(0)


def test_a_net_that_expects_nothing_marks_what_it_did_not_expect(page: Page) -> None:
    plies = [
        ply("e2e4", "e4", None),
        ply("a7a6", "a6", None, rank=12, probability=0.003),
        ply("d2d4", "d4", None),
    ]
    told(page, plies, None)
    expect(page.locator("#worst .chip")).to_have_count(1)
    expect(page.locator("#worst .chip")).to_contain_text("1… a6?!")
    expect(page.locator("#graph")).to_have_class("graph mute")


def test_the_game_on_the_page_is_taken_over_and_stays(page: Page) -> None:
    new_game(page, fen="7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    play(page, "a2a7")
    wait_for_moves(page, 2)
    play(page, "b1b8")
    expect(page.locator("#status")).to_have_text("You won, 1–0")
    moves = record(page)
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator("#analysis-title")).to_have_text("you – zeroply chess")
    assert [text.split("\n")[0] for text in record(page)] == moves
    page.get_by_role("link", name="Play").click()
    expect(page.locator("#status")).to_have_text("You won, 1–0")
    expect(page.locator("#moves .made")).to_have_text(moves)  # the list follows the link a moment later


def test_playing_on_from_a_position_of_the_game(page: Page) -> None:
    analyse(page, OPERA, 33)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Play from here").click()
    page.locator("#setup").get_by_label("Black").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator("#seat-below")).to_contain_text("YouBlack")
    wait_for_moves(page, 0)
    expect(page.locator("cg-board piece.p-piece.white")).to_have_count(8)


def test_a_bad_record_is_explained_and_can_be_mended(page: Page) -> None:
    page.get_by_role("link", name="Analyse").click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#analysis-problem")).to_have_text("Paste a game first: a PGN, or its moves.")
    page.get_by_role("button", name="The current game").click()
    expect(page.locator("#analysis-problem")).to_have_text("There is no move in the current game yet.")
    page.get_by_label("A game to look at").fill("1. e4 e5 2. Ke3")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#analysis-problem")).to_contain_text("Ke3")
    analyse(page, "1. e4 e5", 2)
    expect(page.locator("#analysis-problem")).to_be_hidden()
    page.get_by_role("button", name="Another game").click()
    expect(page.get_by_label("A game to look at")).to_have_value("1. e4 e5")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#graph")).to_be_visible()


def test_a_record_that_is_too_long_is_explained(page: Page) -> None:
    page.get_by_role("link", name="Analyse").click()
    page.get_by_label("A game to look at").fill("e4 " * 100_000)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#analysis-problem")).to_contain_text("too long")
    page.get_by_role("link", name="Play").click()
    new_game(page, fen="e4 " * 100_000)
    expect(page.locator("#setup-problem")).to_contain_text("too long")
    expect(page.locator("#lost")).to_be_hidden()


def test_a_game_of_xiangqi(xiangqi: Page) -> None:
    analyse(xiangqi, "h2e2 h9g7 h0g2 i9h9", 4)
    expect(xiangqi.locator("#analysis-title")).to_have_text("Red – Black")
    xiangqi.keyboard.press("ArrowRight")
    expect(xiangqi.locator("#verdict")).to_contain_text("1. C2.5")
    expect(xiangqi.locator("#wdl-win-name")).to_have_text("Red")


def test_loading_the_page_again_keeps_what_was_pasted(page: Page) -> None:
    analyse(page, OPERA, 33)
    page.reload()
    expect(page.get_by_label("A game to look at")).to_have_value(OPERA.strip())
    expect(page.locator("cg-board piece:not(.ghost)")).to_have_count(32)
    page.get_by_role("button", name="Analyse", exact=True).click()
    wait_for_moves(page, 33)


def test_phone_width_has_no_sideways_scroll(phone: Page) -> None:
    analyse(phone, OPERA, 33)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    seat = phone.locator("#seat-above").bounding_box()
    assert seat is not None
    assert seat["x"] + seat["width"] <= PHONE[0]
    expect(phone.locator("#verdict")).to_have_text(
        "Tap the graph or a move, or step with the buttons below the board."
    )


@pytest.mark.parametrize("width", [360, 375, 430])
def test_on_a_phone_nothing_of_the_move_list_is_cut(phone: Page, width: int) -> None:
    """The longest that there is: 100 moves on, with a mark, a rank of two digits and a small share."""
    phone.set_viewport_size({"width": width, "height": 740})
    plies = [ply("b6d5", "Nbxd5+", 0.5 - 0.4 * (at % 4 > 1), rank=28, probability=0.001) for at in range(8)]
    told(phone, [{**each, "fen": START} for each in plies], 0.5, start=START.replace("0 1", "0 199"))
    expect(phone.locator("#moves .mark").first).to_have_text("??")
    cut = phone.locator("#moves > *").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    )
    assert cut == []
