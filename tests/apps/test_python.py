"""`zeroply.load`: positions in all their forms, probabilities, settings, errors; and the page about it."""

from __future__ import annotations

import doctest
import subprocess
import sys

import chess
import chess.variant
import pytest

import zeroply
from tests.players.nets import MaterialNet
from tests.sources import CHESS, ROOT
from zeroply.apps.python import BATCH
from zeroply.players import player_of
from zeroply.players.load import load_network

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
MOVES = "e2e4 e7e5 g1f3 b8c6 f1c4"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


@pytest.fixture(scope="module")
def player() -> zeroply.LoadedPlayer:
    return zeroply.load("chess")


@pytest.mark.slow
@pytest.mark.parametrize(("page", "least"), [("docs/python.md", 15), ("README.md", 2)])
def test_the_examples_of_a_page_come_out(page: str, least: int) -> None:
    found = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert found.attempted >= least
    assert found.failed == 0


def test_one_position_in_all_its_forms(player: zeroply.LoadedPlayer) -> None:
    board = chess.Board()
    for move in MOVES.split():
        board.push_uci(move)
    later = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
    later.push_san("Nc6")
    later.push_san("Bc4")
    first = chess.STARTING_FEN
    forms = (
        f"startpos {MOVES}",
        f"startpos moves {MOVES}",
        "startpos e4 e5 Nf3 Nc6 Bc4",
        f"{first} {MOVES}",
        f"{first} moves e4 e5 Nf3 Nc6 Bc4",
        FEN,
        f"  {FEN}  ",
        board,
        later,
    )
    assert {player._read(form).fen() for form in forms} == {FEN}
    whole = [form for form in forms if player._read(form).record() == player._read(forms[0]).record()]
    assert len(whole) == 6  # the others tell less of the past, or nothing
    weighed = player.weigh(whole)
    assert weighed == [weighed[0]] * len(whole)
    assert {player.choose(form) for form in whole} == {weighed[0][0][0]}


def test_a_board_keeps_its_past(player: zeroply.LoadedPlayer) -> None:
    """Without its past this position would not be the third of its kind."""
    board = chess.Board()
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(move)
    assert player._read(board).repeats == 2
    assert player._read(chess.Board()).repeats == 0


def test_weigh_is_what_the_net_says_whatever_the_settings(player: zeroply.LoadedPlayer) -> None:
    net = load_network("chess")
    (glance,) = player_of(net).glance([CHESS.start(FEN)])
    wanted = [
        (CHESS.moves.names[move], share)
        for move, share in zip(glance.moves, glance.probabilities, strict=True)
    ]
    assert player.weigh([FEN, MATED, FEN]) == [wanted, [], wanted]
    assert zeroply.load("chess", temperature=2, top_p=0.1, rules=False).weigh([FEN]) == [wanted]
    assert player.weigh([]) == []
    assert player.weigh(iter([MATED])) == [[]]


@pytest.mark.slow
def test_settings_reach_the_player(player: zeroply.LoadedPlayer) -> None:
    def openings(**settings: float) -> list[str]:
        drawn = zeroply.load("chess", **settings)  # type: ignore[arg-type]
        return [drawn.choose("startpos") for _ in range(12)]

    assert len(set(openings(temperature=3))) > 2
    assert openings(temperature=3, seed=5) == openings(temperature=3, seed=5)
    assert openings(temperature=3, seed=5) != openings(temperature=3, seed=6)
    assert set(openings(temperature=3, top_p=0.01)) == {player.choose("startpos")}
    assert zeroply.load("chess", rating=2300).weigh(["startpos"]) != player.weigh(["startpos"])


def test_it_may_look_at_successors(monkeypatch: pytest.MonkeyPatch) -> None:
    net = MaterialNet("policy", "value")
    monkeypatch.setattr("zeroply.apps.python.load_network", lambda _, threads: net)
    hanging = "rnb1kbnr/pppp1ppp/8/4q3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"
    assert zeroply.load("net").choose(hanging) != "d4e5"
    looking = zeroply.load("net", look="successors")
    assert looking.choose(hanging) == looking.weigh([hanging])[0][0][0] == "d4e5"
    with pytest.raises(
        zeroply.ZeroplyError, match="look=both of 'net' will not do: it is one of policy, suc"
    ):
        zeroply.load("net", look="both")


def test_rules_help_unless_they_are_not_wanted(player: zeroply.LoadedPlayer) -> None:
    # A queen mates in several ways; whatever the net prefers, one of them is played.
    board = chess.Board("7k/8/6K1/8/8/8/Q7/8 w - - 0 1")
    board.push_uci(player.choose(board))
    assert board.is_checkmate()
    assert zeroply.load("chess", rules=False)._player.helps == ()


def test_a_model_of_xiangqi_knows_its_game() -> None:
    player = zeroply.load("xiangqi")
    assert (player.game, repr(player)) == ("xiangqi", "<zeroply player 'xiangqi' of xiangqi>")
    assert player.choose("startpos") in ("h2e2", "b2e2")
    with pytest.raises(
        zeroply.ZeroplyError, match=r"there is no chess here\. The model 'xiangqi' plays xiangqi"
    ):
        player.choose(chess.Board())


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ("", "an empty text is no position"),
        ("hello", "'hello' is not a chess position"),
        ("startpos e2e5", "ply 1: 'e2e5' is not legal in"),
        ("startpos moves e2e4 0000", "ply 2: '0000' is not legal in"),
        (f"{FEN} e2e4", "ply 1: 'e2e4' is not legal in"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "cannot arise in chess"),
        (MATED, f"there is no move in {MATED}: checkmate"),
        (chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"), "cannot arise in chess"),
        (chess.Board(chess960=True), "there is no chess960 here. The model 'chess' plays chess"),
        (chess.variant.AtomicBoard(), "there is no atomic here"),
        (None, "a NoneType is no position. Give a FEN, 'startpos e2e4' or a chess.Board"),
        (5, "a int is no position"),
    ],
    ids=str,
)
def test_a_bad_position_is_one_line(player: zeroply.LoadedPlayer, position: object, part: str) -> None:
    with pytest.raises(zeroply.ZeroplyError) as caught:
        player.choose(position)  # type: ignore[arg-type]
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_null_move_is_refused(player: zeroply.LoadedPlayer) -> None:
    board = chess.Board()
    board.push(chess.Move.null())
    with pytest.raises(zeroply.ZeroplyError, match="ply 1: '0000' is not legal"):
        player.choose(board)


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"model": "nothing"}, "there is no model 'nothing'"),
        ({"temperature": -1}, "temperature=-1 will not do"),
        ({"top_p": 2}, "top_p=2 will not do"),
        ({"top_p": 0}, "top_p=0 will not do: it is a number above 0, at most 1"),
        ({"seed": -1}, "seed=-1 will not do"),
        ({"rating": 99999}, "rating=99999 will not do"),
        ({"rating": -1}, "rating=-1 will not do"),
        ({"rating": "2400"}, "rating=2400 will not do: it is a whole number"),
        ({"rating": 2400.5}, "rating=2400.5 will not do"),
        ({"temperature": "1"}, "temperature=1 will not do: it is a number from 0 to 100"),
        ({"top_p": "a"}, "top_p=a will not do"),
        ({"threads": 0}, "threads=0 will not do"),
    ],
    ids=str,
)
def test_bad_settings_are_one_line(settings: dict[str, object], part: str) -> None:
    with pytest.raises(zeroply.ZeroplyError, match=part):
        zeroply.load(**settings)  # type: ignore[arg-type]


def test_one_text_is_not_several_positions(player: zeroply.LoadedPlayer) -> None:
    with pytest.raises(zeroply.ZeroplyError, match=r"Write weigh\(\[position\]\)"):
        player.weigh("startpos")


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_the_import_is_cheap_and_a_bundled_net_needs_no_torch() -> None:
    assert not loaded_after("import zeroply") & {"numpy", "chess", "onnxruntime", "zeroply.games"}
    used = loaded_after("import zeroply; zeroply.load('chess').choose('startpos')")
    assert not used & {"torch", "typer", "fastapi", "rich", "pyarrow"}


def test_what_comes_late_is_listed_all_the_same() -> None:
    assert {"load", "LoadedPlayer", "ZeroplyError"} <= set(dir(zeroply))


def test_many_positions_are_shown_part_by_part(player: zeroply.LoadedPlayer) -> None:
    net = MaterialNet("policy")
    many = zeroply.LoadedPlayer(player_of(net)).weigh(["startpos", MATED] * BATCH)
    assert [len(entry) for entry in many] == [20, 0] * BATCH
    assert net.most_rows == BATCH


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        zeroply.nothing  # type: ignore[attr-defined]  # noqa: B018
