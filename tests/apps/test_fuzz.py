"""Seeded nonsense said to the UCI and the UCCI engine: it answers to the end."""

from __future__ import annotations

import io
import random
import subprocess
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from tests.commands import PROGRAM
from zeroply.apps import ucci, uci
from zeroply.games import game_named

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")

OPTIONS = """Mode UCI_LimitStrength UCI_Elo Temperature Seed MateRule RepetitionRule LookAtSuccessors MultiPV
UCI_ShowWDL Threads MoveOverhead HumanTime UCI_Variant Model usemillisec newgame Hash"""
VALUES = "true false best human 0 1 2 5 100 2400 -1 99999999999999 chess xiangqi"
WORDS = f"""
uci ucci isready position startpos fen moves go depth movetime time wtime btime winc searchmoves infinite
ponder stop ponderhit ucinewgame uccinewgame banmoves probe draw setoption name value debug register quit
0 1 60000 w b r - KQkq 8/8
e2e4 e7e5 a7a8q e2e9 e1g1 h2e2 h9g7 h3e3 h10g8 a9a10 \x00 ½ 將 ' % 1e9 -5 k7/8/8/8/8/8/8/7K
{OPTIONS} {VALUES} {CHESS.start().fen()} {XIANGQI.start().fen()}
""".split()
BEGINNINGS = {
    uci: ["setoption name", "position fen", "position startpos moves", "position", "go", "", ""],
    ucci: ["setoption", "position fen", "position startpos moves", "banmoves", "go", "", ""],
}
SENSE = {
    uci: [
        "position startpos moves e2e4",
        "position startpos moves e2e4 e7e5 g1f3",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen 6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1",
        "go wtime 60000 btime 60000",
        "go infinite",
    ],
    ucci: [
        "position startpos moves h2e2",
        "position startpos moves h2e2 h9g7 h0g2",
        "position fen 3k5/R8/9/9/9/9/9/9/9/4K4 b",
        "position fen 3k5/9/9/9/9/9/9/4R4/9/4K4 w moves e2d2",
        "go time 60 increment 5",
        "go infinite",
    ],
}
END = ["stop", "position startpos", "go depth 1", "isready"]
EITHER = pytest.mark.parametrize("front_end", [uci, ucci], ids=["uci", "ucci"])


def nonsense(front_end: ModuleType, model: str, count: int, seed: int) -> Iterator[str]:
    """More than half of the lines mean something, so that the others meet the engine in many states."""
    chance = random.Random(seed)  # noqa: S311 (a test)
    named, valued = ("name ", " value") if front_end is uci else ("", "")
    settings = [f"setoption {named}{name}{valued}" for name in OPTIONS.split() if name != "Model"]
    for number in range(count):
        if number % 50 == 0:
            yield _model(front_end, model)
        elif chance.random() < 0.25:
            yield f"{chance.choice(settings)} {chance.choice(VALUES.split())}"
        elif chance.random() < 0.5:
            yield chance.choice([*SENSE[front_end], "go"])
        else:
            tail = chance.choices(WORDS, k=chance.choice([0, 0, 1, 2, 4, 8, 60]))
            line = " ".join([chance.choice(BEGINNINGS[front_end]), *tail])
            yield f"what {line}" if line.split()[:1] == ["quit"] else line


def check(front_end: ModuleType, lines: list[str], said: list[str]) -> None:
    """Each `go` got one answer, many of them moves; and the last ones are as they should be."""
    bests = [line for line in said if line.startswith(("bestmove", "nobestmove"))]
    assert len(bests) == sum(line.split()[:1] == ["go"] for line in lines)
    moves = [best for best in bests if best.split()[-1] not in ("nobestmove", "(none)")]
    assert len(moves) > len(bests) // 4
    assert len(set(moves)) > 1
    assert said[-2:] == [moves[-1], "readyok"]
    assert max(map(len, said)) < 1000


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Callable[[ModuleType], str]:
    """A MODEL that has learnt nothing and answers soon."""
    import torch

    from zeroply.recipes import find_recipe, save

    def make(front_end: ModuleType) -> str:
        torch.manual_seed(0)
        options = {"width": "16", "depth": "1", "heads": "2", "inner": "16"}
        system = find_recipe("intuition").make(CHESS if front_end is uci else XIANGQI, options)
        path = tmp_path_factory.mktemp("models") / "small.safetensors"
        save(system, path, {"steps": 0})
        return str(path)

    return make


@EITHER
def test_some_nonsense_leaves_it_answering(front_end: ModuleType, small: Callable[[ModuleType], str]) -> None:
    model, out = small(front_end), io.StringIO()
    lines = [*nonsense(front_end, model, 400, seed=11), _model(front_end, model), *END]
    front_end.run(model, lines, out)
    check(front_end, lines, out.getvalue().splitlines())


@pytest.mark.slow
@EITHER
def test_ten_thousand_lines_of_nonsense_leave_one_process_answering(
    front_end: ModuleType, small: Callable[[ModuleType], str]
) -> None:
    model = small(front_end)
    lines = [*nonsense(front_end, model, 10_000, seed=12), _model(front_end, model), *END]
    text = "\n".join(lines).encode() + b"\n"
    noise = random.Random(13).randbytes(2000).replace(b"\r", b"").replace(b"\n", b"")  # noqa: S311 (a test)
    name = front_end.__name__.rpartition(".")[2]
    done = subprocess.run(
        [*PROGRAM, name, "--model", model],
        input=b"hello " + noise + b"\n" + b"x" * 1_000_000 + b"\n" + text,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    check(front_end, lines, done.stdout.decode().splitlines())


def _model(front_end: ModuleType, model: str) -> str:
    return f"setoption name Model value {model}" if front_end is uci else f"setoption Model {model}"
