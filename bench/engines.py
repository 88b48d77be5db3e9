"""How fast engines label positions and play games, and how much of the processor they get for it: what their
programs take of all processor time, beside ours."""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from zeroply.errors import EngineError
from zeroply.evals.generate import Wanted, generate
from zeroply.evals.openings import random_openings
from zeroply.games import game_named
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.run import label_file
from zeroply.players.program import find_engine

POSITIONS = 1500
GAMES = 12


def main() -> None:
    try:
        find_engine("stockfish")
    except EngineError as error:
        print(f"engines: {error}")
        return
    with tempfile.TemporaryDirectory() as folder:
        fens = Path(folder) / "fens.txt"
        fens.write_text("\n".join(random_openings(game_named("chess"), POSITIONS)))

        def label(work: Path) -> tuple[int, float]:
            found = label_file(fens, work, Asked(engine="stockfish", nodes=1000, multipv=5))
            return found.labelled, found.busy

        def play(work: Path) -> tuple[int, float]:
            engine = "uci:stockfish nodes=1000 Hash=1"
            found = generate(work, Wanted(white=engine, black=engine, random_plies=6), GAMES)
            return found.plies, found.busy

        _measure("labels by Stockfish, 1,000 nodes, 5 lines", label, Path(folder))
        _measure("games of Stockfish, 1,000 nodes", play, Path(folder))


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
