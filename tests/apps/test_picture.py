"""Pictures of positions: what stands where, for both games; and files in both formats."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands import refused, zeroply
from zeroply.apps.looks import LOOKS
from zeroply.apps.picture import picture
from zeroply.apps.picture.arrows import CLEAR, FAINT, LEAST, NARROW, WIDE, arrow
from zeroply.games import GAMES, Game, game_named
from zeroply.games.line import follow

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
BOTH = pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
SVG = "{http://www.w3.org/2000/svg}"


def moves(game: Game, *pairs: tuple[str, float]) -> list[tuple[int, float]]:
    return [(game.moves.number(name), share) for name, share in pairs]


def texts(drawn: str) -> list[str]:
    return ["".join(found.itertext()) for found in ElementTree.fromstring(drawn).iter(f"{SVG}text")]  # noqa: S314


def test_every_game_has_a_look_for_each_kind() -> None:
    assert set(LOOKS) == set(GAMES)
    for name, look in LOOKS.items():
        kinds = game_named(name).kinds
        assert [len(part) for part in (look.kinds, look.letters, *look.characters)] == [kinds] * 4


@BOTH
def test_each_piece_is_drawn_on_its_square(game: Game) -> None:
    position = game.start()
    root = ElementTree.fromstring(picture(game, position))  # noqa: S314 (our own)
    symbols = {entry.get("id") for entry in root.iter(f"{SVG}symbol")}
    found = {}
    for use in root.iter(f"{SVG}use"):
        name = (use.get("href") or "").removeprefix("#")
        assert name in symbols
        file, row = (float(use.get(axis) or "nan") / 100 for axis in ("x", "y"))
        found[int((game.ranks - 1 - row) * game.files + file)] = name
    board = position.row(0)["board"][0].tolist()
    assert found == {square: LOOKS[game.name].name(game, code) for square, code in enumerate(board) if code}
    assert found[0] == {"chess": "white-rook", "xiangqi": "red-chariot"}[game.name]


@BOTH
def test_coordinates_and_the_side_to_move(game: Game) -> None:
    said = texts(picture(game, game.start()))
    first, last = game.moves.corners
    for name in (first[0], last[0], first[1:], last[1:]):
        assert said.count(name) == 2
    assert f"{game.sides[0]} to move" in said
    name = game.moves.names[int(game.start().legal()[0])]
    assert f"{game.sides[1]} to move" in texts(picture(game, follow(game.start(), [name])))


def test_an_end_is_told_instead() -> None:
    mated = CHESS.start("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert "checkmate" in texts(picture(CHESS, mated))


@BOTH
def test_the_last_move_is_marked(game: Game) -> None:
    def marks(drawn: str) -> list[tuple[str, str]]:
        return re.findall(r'<rect x="(\d+)" y="(\d+)"', drawn)

    assert marks(picture(game, game.start())) == []
    name = {"chess": "e2e4", "xiangqi": "h2e2"}[game.name]
    wanted = {"chess": [("400", "600"), ("400", "400")], "xiangqi": [("700", "700"), ("400", "700")]}
    assert marks(picture(game, follow(game.start(), [name]))) == wanted[game.name]


def test_arrows_go_from_square_to_square_the_likeliest_on_top() -> None:
    weighed = moves(CHESS, ("e2e4", 0.6), ("d2d4", 0.3), ("a2a3", LEAST / 2))
    drawn = picture(CHESS, CHESS.start(), weighed)
    shapes = re.findall(r'<polygon points="([^"]+)" fill="[^"]+" fill-opacity="([\d.]+)"', drawn)
    assert len(shapes) == 2
    tips = [points.split()[3] for points, _ in shapes]
    assert tips == ["350.0,454.0", "450.0,454.0"]  # d4, then e4 above it, each just below its middle
    assert float(shapes[0][1]) < float(shapes[1][1])
    assert "e4 60%   d4 30%" in texts(drawn)


def test_promotions_on_one_square_are_one_arrow() -> None:
    position = CHESS.start("7k/4P3/8/8/8/8/8/K7 w - - 0 1")
    drawn = picture(CHESS, position, moves(CHESS, ("e7e8q", 0.5), ("e7e8n", 0.3)))
    assert drawn.count("<polygon") == 1
    (opacity,) = re.findall(r'<polygon [^>]*fill-opacity="([\d.]+)"', drawn)
    assert float(opacity) == pytest.approx(FAINT + (CLEAR - FAINT) * 0.8**0.5, abs=0.006)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_likelier_move_has_a_wider_and_darker_arrow(one: float, other: float) -> None:
    def look(share: float) -> tuple[float, float]:
        drawn = arrow((50, 50), (350, 50), share)
        ys = [float(point.split(",")[1]) for point in drawn.split('"')[1].split()]
        return abs(ys[0] - ys[-1]), float(re.findall(r'fill-opacity="([\d.]+)"', drawn)[0])

    low, high = sorted((one, other))
    assert look(low) <= look(high)
    assert NARROW - 0.2 <= look(low)[0] <= WIDE + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--moves", "e4 c5"], ["--game", "xiangqi"]], ids=GAMES)
def test_predict_draws(tmp_path: Path, arguments: list[str]) -> None:
    done = zeroply("predict", *arguments, "--svg", tmp_path / "a.svg", "--json")
    assert done.stderr == f"{tmp_path / 'a.svg'}: the board with arrows for the likely moves\n"
    assert json.loads(done.stdout)["moves"]  # nothing else is there
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text(encoding="utf-8"))  # noqa: S314
    assert len(list(root.iter(f"{SVG}polygon"))) >= 1
    assert (root.find(f"{SVG}title").text or "").count("/") in (7, 9)  # type: ignore[union-attr]


@pytest.mark.slow
def test_predict_draws_a_png(tmp_path: Path) -> None:
    if importlib.util.find_spec("resvg_py") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("resvg-py is missing")
        assert "pip install 'zeroply[pictures]'" in refused("predict", "--png", tmp_path / "a.png")
        pytest.skip("resvg-py is missing")
    zeroply("predict", "--png", tmp_path / "a.png")
    data = (tmp_path / "a.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (714, 773)


@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file is no folder for you to write in" in refused("predict", "--svg", tmp_path / "file" / "a.svg")
