"""The committed build of the page: made from the sources as they are, small, and with its licences."""

from __future__ import annotations

import hashlib
from pathlib import Path

from zeroply.apps.web.server import STATIC

FRONTEND = Path(__file__).parents[2] / "frontend"
SINGLE = [
    "finish.mjs",
    "index.html",
    "licences.txt",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
]


def test_the_build_is_not_older_than_its_sources() -> None:
    inside = [
        path for folder in ("public", "src") for path in (FRONTEND / folder).rglob("*") if path.is_file()
    ]
    sources = [*SINGLE, *(path.relative_to(FRONTEND).as_posix() for path in inside)]
    built_from = (STATIC / "source.sha256").read_text().splitlines()
    assert built_from == digests(FRONTEND, sources), "frontend/ changed after the last build. Run: make page"


def test_the_build_is_as_it_was_built() -> None:
    built = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
    files = [name for name in built if not name.endswith(".sha256")]
    wanted = (STATIC / "built.sha256").read_text().splitlines()
    assert wanted == digests(STATIC, files), "static/ was changed by hand. Run: make page"


def digests(folder: Path, names: list[str]) -> list[str]:
    return [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in sorted(names)]


def test_the_build_has_the_pieces_for_pictures() -> None:
    sources = FRONTEND / "src" / "pieces"
    for folder in (sources, STATIC / "pieces"):
        assert {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.svg")} == {
            path.relative_to(sources): path.read_bytes() for path in sources.rglob("*.svg")
        }


def test_the_build_is_small_and_carries_its_licences() -> None:
    assert sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) < 1_000_000
    licences = (STATIC / "LICENSES.txt").read_text()
    for name in (
        "chessgroundx",
        "Colin M. L. Burnett",
        "LXGW WenKai",
        "GNU GENERAL PUBLIC LICENSE",
        "SIL OPEN FONT LICENSE",
    ):
        assert name in licences


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (FRONTEND / "package-lock.json").read_text()
