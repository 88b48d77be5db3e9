"""How fast engines label positions and play games, and how much of the processor they get for it: what their
programs take of all processor time, beside ours."""

import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from zeroply.errors import EngineError
from zeroply.evals.generate import Wanted, generate
from zeroply.evals.openings import random_openings
from zeroply.games import game_named
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.run import label_file
from zeroply.players.program import find_engine

POSITIONS = 1500
GAMES = 24


def main() -> None:
    try:
        find_engine("stockfish")
    except EngineError as error:
        print(f"engines: {error}")
        return
    with tempfile.TemporaryDirectory() as folder:
        fens = [f"{fen}\n" for fen in random_openings(game_named("chess"), POSITIONS)]
        for nodes, share in ((1000, 1), (10_000, 5)):
            some = Path(folder) / f"{nodes}.txt"
            some.write_text("".join(fens[: POSITIONS // share]))
            _measure(
                f"labels by Stockfish, {nodes:,} nodes, 5 lines", partial(_label, some, nodes), Path(folder)
            )
            _measure(
                f"games of Stockfish, {nodes:,} nodes", partial(_play, nodes, GAMES // share), Path(folder)
            )


def _label(fens: Path, nodes: int, work: Path) -> tuple[int, float]:
    found = label_file(fens, work, Asked(engine="stockfish", nodes=nodes, multipv=5))
    return found.labelled, found.busy


def _play(nodes: int, games: int, work: Path) -> tuple[int, float]:
    engine = f"uci:stockfish nodes={nodes} Hash=1"
    found = generate(work, Wanted(white=engine, black=engine, random_plies=6), games)
    return found.plies, found.busy


def _measure(what: str, work: Callable[[Path], tuple[int, float]], folder: Path) -> None:
    work(folder / f"{what} first")  # imports, and pages of the engine's file
    own, engines, begin = _used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN), time.perf_counter()
    count, busy = work(folder / what)
    spent = time.perf_counter() - begin
    own, engines = _used(resource.RUSAGE_SELF) - own, _used(resource.RUSAGE_CHILDREN) - engines
    print(
        f"{what}: {count / spent:,.0f} positions/s with one worker, {count / (own + engines):,.0f} a second "
        f"of processor time; busy {busy:.0%}, with {engines / (own + engines):.0%} of that time"
    )


def _used(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
