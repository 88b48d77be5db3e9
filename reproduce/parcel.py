"""`python -m reproduce.parcel OUT.tar.xz CORPUS...`: corpora for a machine that only trains, without tags."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from pathlib import Path

from zeroply.arguments import Parser
from zeroply.artefacts import check_place, new_file
from zeroply.corpus.sample.occurrences import CACHED
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.exits import exit_codes

FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 4, "lc": 3, "lp": 1, "pb": 1}]
"""Most of a corpus are numbers of two bytes."""


def parcel(corpora: list[Corpus], out: Path) -> None:
    check_place(out)
    names = [corpus.path.name for corpus in corpora]
    for name in names:
        if names.count(name) > 1:
            raise ZeroplyError(f"two corpora are called {name}, and would lie in one folder. Rename one")
    with (
        new_file(out) as place,
        lzma.open(place, "wb", filters=FILTERS) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for corpus in corpora:
            for array in sorted(corpus.path.glob("*.npy")):
                if not array.name.startswith(CACHED):
                    tar.add(array, f"{corpus.path.name}/{array.name}")
            manifest = json.dumps({**corpus.manifest, "tags": 0}).encode()
            about = tarfile.TarInfo(f"{corpus.path.name}/manifest.json")
            about.size = len(manifest)
            tar.addfile(about, io.BytesIO(manifest))


def main() -> None:
    parser = Parser("python -m reproduce.parcel")
    parser.add_argument("out", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    given = parser.parse_args()
    parcel([Corpus.open(corpus) for corpus in given.corpora], given.out)
    print(f"{given.out}: {given.out.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was written"):
        main()
