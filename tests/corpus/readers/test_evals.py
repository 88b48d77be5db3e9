"""Lichess evaluations, as JSON lines and as a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zstandard

from tests.sources import CHESS
from zeroply.corpus.build import build
from zeroply.corpus.readers import read
from zeroply.corpus.score import LINES as LINES_KEPT
from zeroply.corpus.score import MATE, Kind, Score, Skipped
from zeroply.corpus.store import Corpus

WHITE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
BLACK = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
PROMOTION = "8/P6k/8/8/8/8/8/K7 w - -"


def position(fen: str, *found: tuple[int, str, dict[str, int]]) -> str:
    entries = [
        {"depth": depth, "knodes": 10 * depth, "pvs": [{"line": line, **value}, {"line": "a1a2", "cp": 9}]}
        for depth, line, value in found
    ]
    return json.dumps({"fen": fen, "evals": entries})


LINES = [
    position(WHITE, (20, "e1e2", {"cp": 5}), (30, "e1h1 e8d8", {"cp": 60}), (25, "a1a2", {"mate": 3})),
    position(BLACK, (20, "e8a8", {"cp": 60})),
    position(EN_PASSANT, (9, "e5d6", {"mate": -2})),
    position(f"{WHITE} 3 9", (40, "e1e2", {"cp": 0})),
    "{",
    '{"fen": "x"}',
    position("rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w - -", (1, "h2e2", {"cp": 1})),
    position(PROMOTION.replace("w", "b"), (1, "h7h5", {"mate": 4})),
    position(PROMOTION, (50, "a7a8q h7g7", {"mate": 4})),
    position("8/P6k/8/8/8/8/8/1K6 w - -", (50, "", {"mate": 4})),
    position("8/P6k/8/8/8/8/8/2K5 w - -", (50, "a7a8q", {})),
]


@pytest.fixture(params=[".jsonl", ".jsonl.zst"])
def found(tmp_path: Path, request: pytest.FixtureRequest) -> list[Score | Skipped]:
    text = "\n".join(LINES).encode()
    path = tmp_path / f"evals{request.param}"
    path.write_bytes(zstandard.compress(text) if request.param.endswith("zst") else text)
    return list(read(path, CHESS))


def test_each_position_is_a_game_of_one_move(found: list[Score | Skipped]) -> None:
    scores = [item for item in found if isinstance(item, Score)]
    assert [(CHESS.moves.names[item.moves[0]], item.start) for item in scores] == [
        ("e1g1", f"{WHITE} 0 1"),
        ("e8c8", f"{BLACK} 0 1"),
        ("e5d6", f"{EN_PASSANT} 0 1"),
        ("e1e2", f"{WHITE} 3 9"),
        ("a7a8q", f"{PROMOTION} 0 1"),
    ]
    assert all(len(item.moves) == 1 and item.kind == Kind.label for item in scores)
    assert scores[0].tags == {"depth": "30", "knodes": "300"}


def test_values_are_the_movers_view(found: list[Score | Skipped]) -> None:
    values = [value for item in found if isinstance(item, Score) for value in item.evaluations]
    assert values == [60, -60, -(MATE - 2), 0, MATE - 4]


def test_several_lines_are_kept_as_far_as_they_are_legal(found: list[Score | Skipped]) -> None:
    kept = [
        [(CHESS.moves.names[move], value) for lines in item.lines for move, value in lines]
        for item in found
        if isinstance(item, Score)
    ]
    assert kept == [
        [("e1g1", 60), ("a1a2", 9)],
        [("e8c8", -60)],  # the other line is White's move
        [("e5d6", -(MATE - 2))],
        [("e1e2", 0), ("a1a2", 9)],
        [("a7a8q", MATE - 4), ("a1a2", 9)],
    ]


def test_lines_that_are_none_are_left_out_and_five_are_enough(tmp_path: Path) -> None:
    moves = ["e1h1", "e1a1", "", "castles", "e1h1", "e1e2", "a1a2", "a1a3", "a1a4"]
    pvs = [{"line": move, "cp": 90 - 10 * at} for at, move in enumerate(moves)]
    pvs[5] = {"line": "e1e2", "cp": "much"}
    evals = [{"depth": 0, "pvs": pvs[:1]}, {"depth": 1, "pvs": pvs}]
    (tmp_path / "evals.jsonl").write_text(json.dumps({"fen": WHITE, "evals": evals}))
    build(tmp_path / "corpus", [tmp_path / "evals.jsonl"], CHESS)
    corpus = Corpus.open(tmp_path / "corpus")
    assert corpus.manifest["lines"] == 1
    assert corpus.lines.shape == (1, LINES_KEPT, 2)
    names = [CHESS.moves.names[move] for move in corpus.lines[0, :, 0]]
    assert names == ["e1g1", "e1c1", "a1a2", "a1a3", "a1a4"]
    assert corpus.lines[0, :, 1].tolist() == [90, 80, 30, 20, 10]


def test_what_is_wrong_is_told(found: list[Score | Skipped]) -> None:
    flaws = {item.number: item.reason for item in found if isinstance(item, Skipped)}
    assert list(flaws) == [5, 6, 7, 8, 10, 11]
    assert flaws[5] == "it is no evaluated position: '{' is no JSON"
    assert flaws[6] == (
        'it is no evaluated position: that has "fen" and "evals", and each of these "depth" and "pvs"'
    )
    assert "is not a chess position" in flaws[7]
    assert flaws[8] == "ply 1: h7h5 is not legal in 8/P6k/8/8/8/8/8/K7 b - - 0 1"
    assert flaws[10] == "it has no moves"
    assert flaws[11] == "cp None, mate None is no evaluation"


@pytest.mark.parametrize(
    ("fen", "move", "wanted"),
    [
        (WHITE, "e1h1", "e1g1"),
        (WHITE, "e1a1", "e1c1"),
        (BLACK, "e8h8", "e8g8"),
        (BLACK, "e8c8", "e8c8"),
        ("k7/8/8/8/8/8/8/K3R2r w - -", "e1h1", "e1h1"),  # no king
        ("4k3/8/8/8/8/8/8/4K2R w - -", "e1h1", None),  # no right
        ("4k3/8/8/8/8/8/4R3/4K2R w K -", "e1e2", None),
        ("4k3/8/8/8/8/8/8/4K2r w - -", "e1h1", None),
    ],
)
def test_castling_is_the_king_taking_the_rook_with_which_he_may(
    tmp_path: Path, fen: str, move: str, wanted: str | None
) -> None:
    (tmp_path / "evals.jsonl").write_text(position(fen, (1, move, {"cp": 1})))
    (found,) = read(tmp_path / "evals.jsonl", CHESS)
    assert (CHESS.moves.names[found.moves[0]] if isinstance(found, Score) else None) == wanted


def test_blank_lines_are_no_games(tmp_path: Path) -> None:
    (tmp_path / "evals.jsonl").write_text(f"\n{LINES[0]}\n  \n{{\n\n")
    good, bad = read(tmp_path / "evals.jsonl", CHESS)
    assert isinstance(good, Score)
    assert bad == Skipped("evals.jsonl", 2, "it is no evaluated position: '{' is no JSON")


@pytest.mark.parametrize(
    "line", ["[]", "1", '{"fen": "x", "evals": []}', '{"fen": 1, "evals": [{"depth": 1}]}']
)
def test_other_json_is_told_in_plain_words(tmp_path: Path, line: str) -> None:
    (tmp_path / "evals.jsonl").write_text(line)
    (found,) = read(tmp_path / "evals.jsonl", CHESS)
    assert isinstance(found, Skipped)
    assert found.reason.startswith('it is no evaluated position: that has "fen" and "evals"')


def test_a_table_keeps_the_deepest_of_a_position(tmp_path: Path) -> None:
    rows = [
        "fen,line,depth,knodes,cp,mate",
        f"{BLACK},e8e7 e1e2,20,5,12.0,",
        f"{BLACK},e8g8 e1g1,33,7,40.0,",
        f"{BLACK},a8a7,33,7,50.0,",
        f"{PROMOTION},a7a8q,12,7,,3.0",
        f"{WHITE},e1e2,deep,7,1,",
        f"{BLACK},e8e7,99,7,1,None",
        f"{EN_PASSANT}",
    ]
    (tmp_path / "evals.csv").write_text("\n".join(rows))
    first, second, no_depth, again, short = read(tmp_path / "evals.csv", CHESS)
    assert isinstance(first, Score)
    assert isinstance(second, Score)
    assert isinstance(again, Score)
    assert CHESS.moves.names[first.moves[0]] == "e8g8"
    assert list(first.evaluations) == [-40]
    assert [[(CHESS.moves.names[move], value) for move, value in lines] for lines in first.lines] == [
        [("e8g8", -40), ("a8a7", -50)]
    ]
    assert not second.lines
    assert first.tags == {"depth": "33", "knodes": "7"}
    assert list(second.evaluations) == [MATE - 3]
    assert isinstance(no_depth, Skipped)
    assert no_depth.reason == "it is no evaluated position: depth 'deep' is no number"
    assert isinstance(short, Skipped)
    assert short.number == 5


def test_a_position_that_comes_again_is_a_duplicate(tmp_path: Path) -> None:
    """Whatever its best move, its clocks and its move number."""
    (tmp_path / "evals.jsonl").write_text("\n".join(LINES))
    manifest = build(tmp_path / "corpus", [tmp_path / "evals.jsonl"], CHESS)
    assert (manifest["games"], manifest["duplicates"]) == (4, 1)
    assert Corpus.open(tmp_path / "corpus").evaluations.tolist() == [60, -60, -(MATE - 2), MATE - 4]


def test_a_past_without_a_best_move_costs_only_its_row(tmp_path: Path) -> None:
    first = CHESS.start().fen()
    rows = [
        f"{first} moves e2e4 e7e5,,9,1,30,",
        f"{first} moves d2d4,d7d5,9,1,-77,",
        f"{first} moves e2e5,e7e5,9,1,0,",
    ]
    (tmp_path / "labels.csv").write_text("\n".join(["fen,line,depth,knodes,cp,mate", *rows]))
    manifest = build(tmp_path / "corpus", [tmp_path / "labels.csv"], CHESS)
    assert (manifest["games"], manifest["skipped"]) == (1, 2)
    skipped = (tmp_path / "corpus" / "skipped.txt").read_text()
    assert "it has no moves" in skipped
    assert "ply 1: e2e5 is not legal" in skipped
    corpus = Corpus.open(tmp_path / "corpus")
    assert (corpus.past.tolist(), corpus.evaluations[-1]) == ([1], 77)
