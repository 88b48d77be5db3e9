"""Parts of a test set and their names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import CHESS, XIANGQI
from zeroply.evals.bands import DIMENSIONS, UNKNOWN, by_dimension, codes_of, grouped, within
from zeroply.evals.phases import PHASES, phases
from zeroply.games import Game

NAMES = st.sampled_from(["n", "top1", "first_move", "book_top1", "came"])
BANDS = st.sampled_from(["opening", "2400", "0.3", "-1.5", "mateIn2", "sts_v1_0_undermine", UNKNOWN])


@given(st.sampled_from(DIMENSIONS), BANDS, st.dictionaries(NAMES, st.tuples(*[st.floats(0, 1)] * 3)))
def test_names_of_parts_tell_what_they_are(
    dimension: str, band: str, numbers: dict[str, tuple[float, ...]]
) -> None:
    flat = {
        f"{name}{bound}": value
        for name, three in numbers.items()
        for bound, value in zip(("", "_low", "_high"), three, strict=True)
    }
    assert by_dimension(within(flat, dimension, band)) == ({dimension: {band: flat}} if flat else {})


def test_numbers_of_the_whole_are_no_parts() -> None:
    whole = (
        "top1_low",
        "win_ece",
        "win_ece_high",
        "evaluation_mse_low",
        "points_won",
        "rating",
        "opponent_rating",
    )
    assert by_dimension(dict.fromkeys(whole, 1.0)) == {}


def test_bands_are_in_order_and_small_ones_left_out() -> None:
    found = grouped([5, 1200, 900, 30, 31], lambda number: [str(number // 100 * 100), "any"])
    assert list(found) == ["0", "900", "1200", "any"]
    assert list(grouped([5, 1200, 30], lambda number: [str(number // 100 * 100)], fewest=2)) == ["0"]
    assert grouped([1, 2], lambda _: [UNKNOWN]) == {}


@pytest.mark.parametrize(
    ("game", "fen", "phase"),
    [
        (CHESS, None, "opening"),
        (CHESS, "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4", "opening"),
        (CHESS, "2r2rk1/pb1nqppp/1p2pn2/8/2PN4/1P2P3/PB1NQPPP/2R2RK1 w - - 0 1", "middlegame"),
        (CHESS, "2r3k1/5ppp/8/8/8/8/5PPP/R1B3K1 w - - 0 1", "endgame"),
        (CHESS, "rnbqkbnr/8/8/8/8/8/8/4K3 w kq - 0 1", "opening"),  # no game comes there; but nothing moved
        (XIANGQI, None, "opening"),
        (XIANGQI, "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 0 1", "opening"),
        (XIANGQI, "2bakab2/4r4/2n1c1n2/p1p3p1p/4p4/2P6/P3P1P1P/2N1C1N2/4R4/2BAKAB2 w - - 0 1", "middlegame"),
        (XIANGQI, "2bakab2/9/9/p3p3p/9/9/P7P/3R5/9/2BAKAB2 w - - 0 1", "endgame"),
    ],
)  # fmt: skip
def test_the_board_tells_the_phase(game: Game, fen: str | None, phase: str) -> None:
    row = game.start(fen).row(0)
    assert PHASES[int(phases(game, row)[0])] == phase


def test_a_rating_below_the_first_band_is_not_unknown() -> None:
    row = {name: column.repeat(3, axis=0) for name, column in CHESS.start().row(0).items()}
    codes = codes_of(CHESS, {**row, "rating": np.array([0, 150, 2799], np.int16)})
    assert codes["rating"].tolist() == [-1, 0, 2600]
