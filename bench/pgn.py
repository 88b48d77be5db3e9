"""PGN to a corpus, the whole command with one worker, against python-chess reading the same games."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import chess.pgn
import numpy as np

from zeroply.corpus.readers.files import open_text

ROOT = Path(__file__).parent.parent
MASTERS = ROOT.parent / "shared" / "data" / "twic-sample.pgn.xz"
SAMPLE = ROOT / "examples" / "games.pgn"
GAMES = 1000
"""So many are enough to time python-chess; they are taken from the whole file."""
ROUNDS = 5


def processor_seconds(work: Callable[[], object]) -> float:
    """By this process and by those that it waited for."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


def main() -> None:
    source = MASTERS if MASTERS.exists() else SAMPLE
    with open_text(source) as lines:
        text = "".join(lines)
    texts = ["[Event " + game for game in text.removeprefix("[Event ").split("\n\n[Event ")]
    some = texts[:: max(1, len(texts) // GAMES)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text(text, encoding="utf-8")

        # With compiled modules, as installed packages have them, even where Python is told not to keep any.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")

        def command() -> None:
            out = mkdtemp(dir=folder) + "/corpus"
            arguments = [sys.executable, "-m", "zeroply", "data", "build", out, str(path)]
            subprocess.run(arguments, check=True, capture_output=True, env=environment)

        def by_python_chess() -> None:
            for game in some:
                chess.pgn.read_game(io.StringIO(game))

        command()  # compiles
        # In turns, and the median: others who use the machine meanwhile disturb a single comparison.
        times = np.array(
            [[processor_seconds(work) for work in (command, by_python_chess)] for _ in range(ROUNDS)]
        )
    ours, theirs = len(texts) / times[:, 0], len(some) / times[:, 1]
    print(
        f"{source.name} to a corpus, whole command, one worker: {np.median(ours):,.0f} games "
        "a processor second, "
        f"{np.median(ours / theirs):.1f}× python-chess reading"
    )
