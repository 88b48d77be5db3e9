"""The most memory that a build takes: a gigabyte of PGN, which is the sample again and again."""

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.pgn import MASTERS, SAMPLE
from zeroply.corpus.readers.files import open_text

BYTES = 10**9


def main() -> None:
    source = MASTERS if MASTERS.exists() else SAMPLE
    with open_text(source) as lines:
        text = "".join(lines).encode()
    with TemporaryDirectory() as folder:
        path, out = Path(folder) / "games.pgn", Path(folder) / "corpus"
        with path.open("wb") as file:
            for _ in range(1 + BYTES // len(text)):
                file.write(text)
        command = ["data", "build", str(out), str(path), "--keep-duplicates"]
        told = subprocess.run(
            [sys.executable, "-m", "zeroply", *command], check=True, capture_output=True, text=True
        )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000  # kilobytes, of the largest child
    games = told.stdout.split(": ")[1].split(" games")[0]
    print(f"building a corpus of {games} games from 1 GB of PGN: {peak:,.0f} MB of memory at the most")
