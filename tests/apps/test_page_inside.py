"""What the net sees: its candidates in the person's place, and where it looks, in a real browser."""

from __future__ import annotations

import base64
import json
import re
from itertools import pairwise
from typing import Literal

import pytest
from playwright.sync_api import Page, Request, Route, WebSocketRoute, expect

from .driver import PHONE, Line, click, new_game, play, point, record, wait_for_moves

pytestmark = pytest.mark.browser


def look(page: Page) -> None:
    page.locator("#gaze").check()
    expect(page.locator(".picker button")).not_to_have_count(0)


def heat(page: Page) -> list[float]:
    """How strongly each cell of the board is painted, from the top left."""
    found: list[float] = page.locator(".heat span").evaluate_all(
        "all => all.map(one => Number(one.style.getPropertyValue('--share')))"
    )
    return found


def test_hints_show_what_it_would_play_in_the_persons_place(page: Page) -> None:
    expect(page.locator("#candidates")).to_contain_text("appear after its next move")
    page.get_by_label("Hints").check()
    expect(page.locator("#candidates li .share")).to_have_count(5)
    expect(page.locator("#weighed")).to_have_text("What it would play")
    expect(page.locator("svg.cg-shapes line")).not_to_have_count(0)
    shares = page.locator("#wdl").get_attribute("aria-label") or ""
    assert sum(int(share) for share in re.findall(r"(\d+)\s%", shares)) in range(98, 103)
    play(page, "e2e4")
    wait_for_moves(page, 2)
    page.get_by_label("Hints").uncheck()
    expect(page.locator("#weighed")).to_have_text("What it weighed")
    expect(page.locator("#candidates .played .notation")).to_have_text(record(page)[-1])


@pytest.mark.parametrize(
    ("because", "words"),
    [
        ("wins_at_once", "{} wins at once: played by the rules’ help."),
        (
            "gives_nothing_away",
            "A winning side neither draws nor repeats: {} was played by the rules’ help.",
        ),
        ("forbidden", "The rules forbid its likeliest move: {} was played instead."),
    ],
)
def test_it_says_when_the_rules_decided_not_the_net(page: Page, because: str, words: str) -> None:
    def told(socket: WebSocketRoute) -> None:
        """As a server of which the net preferred another move."""
        server = socket.connect_to_server()
        server.on_message(
            lambda message: socket.send(re.sub(r'"because":null', f'"because":"{because}"', str(message)))
        )

    note = page.locator("#because")
    play(page, "e2e4")
    wait_for_moves(page, 2)
    expect(note).to_be_hidden()
    page.route_web_socket("**/api/game", told)
    page.reload()
    wait_for_moves(page, 2)  # taken up, it has not looked yet
    play(page, "g1f3")
    wait_for_moves(page, 4)
    expect(note).to_have_text(words.format(record(page)[-1]))
    page.get_by_label("Hints").check()
    expect(page.locator("#weighed")).to_have_text("What it would play")
    expect(note).to_be_hidden()


def test_a_question_whose_answer_is_to_come_is_not_asked_again(page: Page) -> None:
    asked: list[Route] = []
    page.route("**/api/predict", lambda route: asked.append(route))
    for _ in range(3):
        page.get_by_label("Hints").check()
        page.wait_for_timeout(200)  # longer than the pause before a question
        page.get_by_label("Hints").uncheck()
    page.get_by_label("Hints").check()
    assert len(asked) == 1
    asked[0].continue_()
    expect(page.locator("#candidates li .share")).to_have_count(5)


def test_where_it_looks_from_a_square(page: Page) -> None:
    look(page)
    expect(page.locator("#layer-words")).to_have_text(re.compile(r"(\d+) of \1"))
    expect(page.locator("#gaze-words")).to_contain_text("All squares together")
    everywhere = heat(page)
    assert len(everywhere) == 64
    assert max(everywhere) == 1
    click(page, "g1")
    expect(page.locator(".picker .chosen")).to_have_attribute("aria-label", re.compile("^g1: "))
    expect(page.locator("#gaze-words")).to_contain_text("g1 looks most at")
    outwards = heat(page)
    assert outwards != everywhere
    expect(page.locator("cg-board square.move-dest")).to_have_count(0)
    page.get_by_label("Is looked at by").check()
    expect(page.locator("#gaze-words")).to_contain_text("g1 is looked at most by")
    assert heat(page) != outwards
    page.locator("#head").fill("1")
    expect(page.locator("#head-words")).to_contain_text("1 of")
    click(page, "g1")
    expect(page.locator(".picker .chosen")).to_have_count(0)
    page.locator("#gaze").uncheck()
    expect(page.locator(".picker")).to_have_count(0)
    play(page, "g1f3")
    wait_for_moves(page, 2)


def test_what_is_painted_is_what_the_server_said(page: Page) -> None:
    """Square 28 is e4, square 27 is d4; in real weights a wrong row or column would be hard to see."""
    weights = [[0.0] * 64 for _ in range(64)]
    weights[28][27] = 0.75
    weights[28][36] = 0.25

    def answer(route: Route) -> None:
        route.fulfill(
            body=json.dumps({"layers": 2, "heads": 2, "weights": weights}), content_type="application/json"
        )

    page.route("**/api/attention", answer)
    look(page)
    click(page, "e4")
    expect(page.locator("#gaze-words")).to_contain_text(re.compile(r"e4 looks most at d4 75\s%, e5 25\s%"))
    cells = heat(page)
    d4, e5 = 4 * 8 + 3, 3 * 8 + 4
    assert cells[d4] == 1
    assert 0 < cells[e5] < 1
    assert sum(value > 0 for value in cells) == 2
    page.locator("#flip").click()
    assert heat(page)[63 - d4] == 1
    expect(page.locator(".picker .chosen")).to_have_attribute("aria-label", re.compile("^e4: "))


def brightness(page: Page, squares: list[str]) -> list[float]:
    """Of the middles of squares as they are seen, 0 to 255."""
    at = [point(page, square) for square in squares]
    picture = base64.b64encode(page.screenshot()).decode()
    found: list[float] = page.evaluate(PIXELS, ["data:image/png;base64," + picture, at])
    return found


PIXELS = """async ([source, points]) => {
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const drawn = canvas.getContext('2d');
  drawn.drawImage(picture, 0, 0);
  return points.map(([x, y]) => {
    const [red, green, blue] = drawn.getImageData(x, y, 1, 1).data;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_share_looks_alike_on_light_and_dark_squares(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Painted on rank 5: two neighbours a step, one of them light and one dark, from the strongest down."""
    page.emulate_media(color_scheme=scheme)
    values = [0.0] * 64
    values[32:40] = [share ** (1 / 0.7) for share in (1, 1, 0.7, 0.7, 0.35, 0.35, 0, 0)]
    told = {"layers": 1, "heads": 1, "weights": [values] * 64}
    page.route("**/api/attention", lambda route: route.fulfill(json=told))
    look(page)
    seen = brightness(page, [f"{file}5" for file in "abcdefgh"])
    steps = [seen[at : at + 2] for at in range(0, 8, 2)]
    for stronger, weaker in pairwise(steps):
        assert max(stronger) < min(weaker)


def test_squares_are_chosen_by_keyboard(page: Page) -> None:
    look(page)
    page.locator(".picker button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#gaze-words")).to_contain_text("b7 looks most at")


def test_it_follows_the_game_and_the_position_on_the_board(page: Page) -> None:
    play(page, "e2e4")
    wait_for_moves(page, 2)
    asked: list[int] = []

    def hear(request: Request) -> None:
        if "attention" in request.url:
            asked.append(len(json.loads(request.post_data or "")["moves"]))

    page.on("request", hear)
    look(page)
    page.locator("#previous").click()
    expect(page.locator("#status")).to_have_text("Looking back")
    page.wait_for_function("() => document.querySelector('#gaze-words').textContent !== ''")
    page.wait_for_timeout(300)
    assert asked == [2, 1]


def test_where_it_looks_in_xiangqi(xiangqi: Page) -> None:
    look(xiangqi)
    assert len(heat(xiangqi)) == 90
    click(xiangqi, "e0")
    expect(xiangqi.locator("#gaze-words")).to_contain_text("e0 looks most at")
    new_game(xiangqi, model="chess")
    expect(xiangqi.locator("[data-game=chess] .picker button")).to_have_count(64)


def test_a_net_that_cannot_be_looked_into_says_so(page: Page) -> None:
    def shut(route: Route) -> None:
        answer = route.fetch().json()
        for model in answer["models"]:
            model["layers"] = model["heads"] = None
        route.fulfill(json=answer)

    page.route("**/api/models", shut)
    page.reload()
    expect(page.locator("#gaze-none")).to_have_text("This net cannot be looked into.")
    expect(page.locator("#gaze")).to_be_disabled()


def test_that_nobody_answered_is_forgotten_when_it_is_not_wanted_any_more(page: Page) -> None:
    line = Line(page)
    page.reload()
    expect(page.locator("#status")).to_have_text("Your move")
    page.evaluate(
        "() => { window.whole = fetch; window.fetch = () => Promise.reject(new TypeError('down')) }"
    )
    page.locator("#gaze").check()
    expect(page.locator("#gaze-none")).to_contain_text("does not answer")
    page.locator("#gaze").uncheck()
    expect(page.locator("#gaze-none")).to_be_hidden()
    page.locator("#gaze").check()
    expect(page.locator("#gaze-none")).to_contain_text("does not answer")
    page.evaluate("() => { window.fetch = window.whole }")
    line.cut()
    page.get_by_role("button", name="Reconnect").click()  # then it is asked again
    expect(page.locator("#gaze-words")).to_contain_text("look most at")
    expect(page.locator("#gaze-none")).to_be_hidden()


def test_on_a_phone_the_knobs_come_to_the_board(phone: Page) -> None:
    look(phone)
    click(phone, "e2")
    expect(phone.locator("#gaze-words")).to_contain_text("e2 looks most at")
    box, table = phone.locator(".gaze").bounding_box(), phone.locator("#table").bounding_box()
    assert box is not None
    assert table is not None
    assert box["y"] - (table["y"] + table["height"]) < 40
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
