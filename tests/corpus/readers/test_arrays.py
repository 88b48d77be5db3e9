"""Plain arrays: evaluations in plies, who played, and folders that are something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.sources import CHESS
from zeroply.corpus.readers import arrays, read
from zeroply.corpus.score import MATE, NO_EVALUATION, Kind, Score, Skipped
from zeroply.errors import ReadError

E4, E5, NF3 = 12 | 28 << 6, 52 | 36 << 6, 6 | 21 << 6


def collection(folder: Path, **other: NDArray[Any]) -> Path:
    """Two games of three and two moves, with some arrays replaced or added."""
    found: dict[str, NDArray[Any]] = {
        "moves": np.array([E4, E5, NF3, E4, E5], np.uint16),
        "offsets": np.array([0, 3, 5]),
        "games": np.array([[2400, 2500, 2, 1999], [0, 0, 3, 0]], np.uint16),
    }
    folder.mkdir()
    for name, array in (found | other).items():
        np.save(folder / f"{name}.npy", array)
    return folder


def scores(folder: Path) -> list[Score]:
    return [item for item in read(folder, CHESS) if isinstance(item, Score)]


def test_games_and_what_is_known_of_them(tmp_path: Path) -> None:
    first, second = scores(collection(tmp_path / "x"))
    assert [CHESS.moves.names[move] for move in first.moves] == ["e2e4", "e7e5", "g1f3"]
    assert (first.result, first.ratings, first.year, first.kind) == (1.0, (2400, 2500), 1999, Kind.human)
    assert (second.result, second.ratings, second.evaluations) == (None, (0, 0), ())


def test_ratings_that_nobody_has_are_unknown(tmp_path: Path) -> None:
    games = np.array([[5000, 5001, 2, 1999], [40_000, 65_535, 3, 0]], np.uint16)
    assert [score.ratings for score in scores(collection(tmp_path / "x", games=games))] == [(5000, 0), (0, 0)]


def test_evaluations_become_the_movers_and_mates_count_moves(tmp_path: Path) -> None:
    cp = np.array([30, 30, 32767, MATE - 5, MATE - 4], np.int16)
    first, second = scores(collection(tmp_path / "x", cp=cp))
    assert list(first.evaluations) == [30, -30, NO_EVALUATION]
    assert list(second.evaluations) == [MATE - 3, -(MATE - 2)]
    assert first.kind == Kind.engine


@given(st.lists(st.integers(-32768, 32767), min_size=5, max_size=5))
def test_any_evaluation_stays_in_its_bounds(values: list[int]) -> None:
    found = arrays._movers_view(np.array(values, np.int16), np.array([0, 3, 5]))
    for value, after, side in zip(values, found.tolist(), (1, -1, 1, 1, -1), strict=True):
        if value == 32767:
            assert after == NO_EVALUATION
        else:
            assert after * side * value >= 0
            assert abs(after) == (min(abs(value), 30_999) if abs(value) < 31_000 else max(
                MATE - (MATE - min(abs(value), MATE) + 1) // 2, 0
            ))  # fmt: skip


def test_kinds_may_be_told(tmp_path: Path) -> None:
    cp = np.zeros(5, np.int16)
    folder = collection(tmp_path / "x", cp=cp, kinds=np.array([0, 2], np.uint8))
    assert [score.kind for score in scores(folder)] == [Kind.human, Kind.puzzle]


def test_bad_games_cost_only_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "GAMES", 2)
    folder = collection(
        tmp_path / "x",
        moves=np.array([E4, E4, 0, E4, E4, E4], np.uint16),
        offsets=np.array([0, 1, 1, 3, 4, 5, 6]),
        games=np.array([[0, 0, result, 0] for result in (2, 2, 2, 4, 2, 2)], np.uint16),
        kinds=np.array([0, 0, 0, 0, 3, 0], np.uint8),
    )
    found = list(read(folder, CHESS))
    assert [str(item) for item in found if isinstance(item, Skipped)] == [
        "x, game 2: it has no moves",
        "x, game 3: a move is none of the table",
        "x, game 4: its result is not 0, 1, 2 or 3",
        "x, game 5: its kind of player is not 0, 1 or 2",
    ]
    assert [list(item.moves) for item in found if isinstance(item, Score)] == 2 * [
        [CHESS.moves.number("e2e4")]
    ]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"moves": np.zeros(5)}, r"moves\.npy holds float64, not uint16"),
        ({"moves": np.array([None])}, r"moves\.npy cannot be read: .*objects"),
        ({"offsets": np.array([0, 4, 3, 5])}, "do not belong together"),
        ({"offsets": np.array([0, 6, 5])}, "do not belong together"),
        ({"offsets": np.array([], np.int64)}, "do not belong together"),
        ({"games": np.zeros((2, 3), np.uint16)}, "do not belong together"),
        ({"cp": np.zeros(4, np.int16)}, r"cp\.npy do not belong together\. docs/corpus\.md"),
        ({"kinds": np.zeros(3, np.uint8)}, r"kinds\.npy do not belong together"),
    ],
)
def test_other_arrays_are_refused(tmp_path: Path, other: dict[str, NDArray[Any]], message: str) -> None:
    with pytest.raises(ReadError, match=message):
        list(read(collection(tmp_path / "x", **other), CHESS))


def test_junk_and_a_missing_file_are_named(tmp_path: Path) -> None:
    folder = collection(tmp_path / "x")
    (folder / "games.npy").write_bytes(b"\x00junk")
    with pytest.raises(ReadError, match=r"games\.npy cannot be read"):
        list(read(folder, CHESS))
    (folder / "games.npy").unlink()
    with pytest.raises(ReadError, match=r"games\.npy cannot be read: .*No such file"):
        list(read(folder, CHESS))
