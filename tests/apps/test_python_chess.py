"""The UCI engine as real programs use it: in a process of its own, through python-chess's SimpleEngine."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, Limit, SimpleEngine

from tests.commands import PROGRAM

OPENINGS = {"e2e4", "d2d4", "g1f3", "c2c4"}
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"


@pytest.fixture(scope="module")
def started() -> Iterator[SimpleEngine]:
    with SimpleEngine.popen_uci([*PROGRAM, "uci"], timeout=60) as engine:
        yield engine


@pytest.fixture
def engine(started: SimpleEngine) -> SimpleEngine:
    """With the options as they are at first."""
    kept = ("Model", "UCI_Variant", "MultiPV", "Ponder")
    started.configure({name: option.default for name, option in started.options.items() if name not in kept})
    return started


def test_every_option_is_there_with_its_default(engine: SimpleEngine) -> None:
    assert engine.id["name"].startswith("zeroply")
    declared = {name: (option.type, option.default) for name, option in engine.options.items()}
    assert declared == {
        "Model": ("string", "chess"),
        "Mode": ("combo", "best"),
        "UCI_LimitStrength": ("check", False),
        "UCI_Elo": ("spin", 2500),
        "Temperature": ("spin", -1),
        "TopP": ("spin", 100),
        "Seed": ("spin", 0),
        "MateRule": ("check", True),
        "RepetitionRule": ("check", True),
        "LookAtSuccessors": ("check", False),
        "MultiPV": ("spin", 1),
        "UCI_ShowWDL": ("check", False),
        "Threads": ("spin", 1),
        "MoveOverhead": ("spin", 100),
        "HumanTime": ("check", False),
        "UCI_Variant": ("combo", "chess"),
    }
    assert engine.options["Mode"].var == ["best", "human"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"Mode": "human", "UCI_Elo": 2400},
        {"UCI_LimitStrength": True, "UCI_Elo": 2300},
        {"Temperature": 100, "Seed": 7},
        {"LookAtSuccessors": True},
        {"MateRule": False, "RepetitionRule": False, "Threads": 2, "MoveOverhead": 0},
    ],
    ids=lambda options: " ".join(options) or "none",
)
def test_moves_come_with_score_shares_and_line(engine: SimpleEngine, options: dict[str, object]) -> None:
    engine.configure({**options, "UCI_ShowWDL": True})  # type: ignore[dict-item]
    board = chess.Board()
    for _ in range(4):
        played = engine.play(board, Limit(white_clock=60, black_clock=60), info=INFO_ALL, game="one")
        assert played.move is not None
        assert played.move in board.legal_moves
        assert played.info["pv"] == [played.move]
        assert played.info["score"].turn == board.turn
        assert played.info["wdl"].relative.total() == 1000
        board.push(played.move)


def test_several_lines_are_analysed(engine: SimpleEngine) -> None:
    lines = engine.analyse(chess.Board(), Limit(depth=1), multipv=4)
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4]
    assert len({line["pv"][0] for line in lines}) == 4


def test_an_endless_analysis_is_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        assert len(analysis.get()) > 0
        analysis.stop()
        assert str(analysis.wait().move) in OPENINGS
    engine.ping()


def test_moves_may_be_restricted(engine: SimpleEngine) -> None:
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert engine.play(chess.Board(), Limit(time=1), root_moves=wanted).move in wanted


def test_a_mate_in_one_is_played_and_named(engine: SimpleEngine) -> None:
    board = chess.Board(BACK_RANK)
    played = engine.play(board, Limit(nodes=1), info=INFO_ALL)
    assert played.info["score"].relative == chess.engine.Mate(1)
    assert played.move is not None
    board.push(played.move)
    assert board.is_checkmate()


def test_a_game_that_is_over_has_no_move(engine: SimpleEngine) -> None:
    assert engine.play(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Limit(time=1)).move is None
    engine.ping()


def test_one_seed_is_one_game_and_two_are_two(engine: SimpleEngine) -> None:
    def game(seed: int) -> list[chess.Move]:
        engine.configure({"Temperature": 150, "Seed": seed})
        board, this = chess.Board(), object()
        for _ in range(8):
            move = engine.play(board, Limit(time=1), game=this).move
            assert move is not None
            board.push(move)
        return board.move_stack

    assert game(1) == game(1) != game(2)


def test_a_person_s_time_ends_by_itself(engine: SimpleEngine) -> None:
    engine.configure({"HumanTime": True, "MoveOverhead": 0})
    assert str(engine.play(chess.Board(), Limit(time=0.05)).move) in OPENINGS


@pytest.mark.parametrize(
    "options", [{"UCI_Elo": 100}, {"Mode": "worst"}, {"Hash": 16}], ids=lambda options: str(options)
)
def test_python_chess_refuses_what_is_not_offered(engine: SimpleEngine, options: dict[str, object]) -> None:
    with pytest.raises(chess.engine.EngineError):
        engine.configure(options)  # type: ignore[arg-type]
    engine.ping()
