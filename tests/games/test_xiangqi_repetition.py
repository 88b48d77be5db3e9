"""Repetitions that were judged before: perpetual checks, chases, plain ones."""

import pyffish
import pytest

from tests.games.xiangqi import XIANGQI, golden, play
from zeroply.games import Position

CASES = [tuple(part.strip() for part in line.split("|")) for line in golden("xiangqi-repetition.txt")]
KNOWN_FAILURES: dict[int, str] = {}
"""Cases, counted from 1, that our rules judge otherwise, and why; none today."""


def cases() -> list[object]:
    return [
        pytest.param(
            *case,
            id=str(number),
            marks=[pytest.mark.xfail(strict=True, reason=KNOWN_FAILURES[number])]
            if number in KNOWN_FAILURES
            else [],
        )
        for number, case in enumerate(CASES, 1)
    ]


def test_all_cases_are_there() -> None:
    assert len(CASES) == 25


@pytest.mark.parametrize(("fen", "moves", "verdict"), cases())
def test_verdict(fen: str, moves: str, verdict: str) -> None:
    position: Position = XIANGQI.start(fen)
    for text in moves.split():
        position = position.play(XIANGQI.from_uci(text))
    wins = 1.0 - position.turn
    assert position.result() == {"mate": wins, "-mate": 1 - wins, "draw": 0.5}[verdict]


CHECKS = ("a7a8", "e8e9", "a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8", "a9a8")
ALONE = "9/4k4/R8/9/9/9/9/9/9/3K5 w - - 0 1"


def test_perpetual_check_loses_at_the_third_occurrence() -> None:
    assert play(*CHECKS[:-1], fen=ALONE).result() is None
    end = play(*CHECKS, fen=ALONE)
    assert (end.result(), end.reason()) == (0.0, "Red gave perpetual check")
    assert len(end.legal())


def test_plain_repetition_is_a_draw() -> None:
    shuffle = ["b0c2", "b9c7", "c2b0", "c7b9"]
    assert play(*shuffle, *shuffle[:3]).result() is None
    third = play(*shuffle, *shuffle)
    assert (third.result(), third.reason()) == (0.5, "the position occurred three times")
    assert (third.repeats, len(third.legal())) == (2, 44)


LIKE_PYFFISH = {
    # The chariot on e4 was the screen of the cannon that protected e8: a protector less, but none is pinned.
    "4k1N2/3Pa4/9/9/C7c/4R4/9/B8/4c4/5K3 w - - 0 1": (
        "e4g4 e1f1 g4e4 f1e1",
        (0.5, "the position occurred three times"),
    ),
    # A check pins nobody: it is answered before anything is taken. The last three are from real games.
    "3aC3r/1n1k2c2/4C4/6R2/9/2N1c4/6R2/1p3A3/5K3/2N3r2 w - - 0 1": (
        "g6d6 b8d7 d6g6 d7b8",
        (0.5, "the position occurred three times"),
    ),
    "r3ka1n1/4a1r2/cR1cb4/p7p/9/6p2/P1R5P/4C4/9/2BAKABN1 b - - 0 1": (
        "e9d9 e2d2 d9e9 d2e2",
        (0.5, "the position occurred three times"),
    ),
    "R2Nk1b2/9/4b1c2/4n3p/6p2/2pnC4/P3P1P2/6Nr1/9/2BAKAB1c b - - 0 1": (
        "e9e8 a9a8 e8e9 a8a9",
        (0.5, "the position occurred three times"),
    ),
    "2bak4/3Ra4/4b4/p1N1p3p/9/2P1c4/P4n3/4B4/C3A4/2BAK1N1r w - - 0 1": (
        "e0f0 e4f4 f0e0 f4e4",
        (0.5, "the position occurred three times"),
    ),
    # Red only steps out of check.
    "3RckC2/7r1/9/9/6P2/7n1/9/9/4K3C/9 b - - 0 1": (
        "h4f3 e1d1 f3h4 d1e1",
        (0.5, "the position occurred three times"),
    ),
    # Two chariots take turns to attack d2: each time another one attacks it.
    "6b2/3r5/5k3/5r3/9/9/9/3A4B/8R/4K4 w - - 0 1": (
        "i1i0 f6d6 i0i1 d6f6",
        (1.0, "Black chased a piece without end"),
    ),
}


@pytest.mark.parametrize("fen", LIKE_PYFFISH)
def test_what_is_new_about_a_threat(fen: str) -> None:
    cycle, verdict = LIKE_PYFFISH[fen]
    end = play(*cycle.split() * 2, fen=fen)
    assert (end.result(), end.reason()) == verdict
    uci = [XIANGQI.uci(XIANGQI.moves.number(name)) for name in cycle.split() * 2]
    mates = {0.5: 0, 1.0: 32000}  # Red, who is to move, wins
    assert pyffish.is_optional_game_end("xiangqi", fen, uci) == (True, mates[verdict[0]])


def test_positions_before_a_capture_do_not_count() -> None:
    back = ["h2e2", "b9c7", "e2h2", "c7b9"]
    taken = play(*back, *back[:2], "e2e6", fen=None)
    assert taken.repeats == 0
    assert taken.row(0)["halfmove"][0] == 0
