"""Bad input through the command: one line or a skipped game, nothing lost, nothing left half-written."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pytest
import zstandard

from tests.corpus.readers.mangle import mangled
from tests.sources import CHESS, SAMPLE, sample_games
from zeroply.apps.cli import main
from zeroply.corpus.store import Corpus


def in_pieces(compress: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Packed piece by piece: these two unpack great blocks or nothing."""
    return lambda text: b"".join(compress(text[at : at + 20_000]) for at in range(0, len(text), 20_000))


PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": in_pieces(bz2.compress),
    ".xz": lzma.compress,
    ".zst": in_pieces(zstandard.compress),
}
XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
KINGS = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


class Done(NamedTuple):
    code: int
    out: str
    error: str


class Command(Protocol):
    def __call__(self, *arguments: object) -> Done: ...


@pytest.fixture
def zeroply(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command within this process: as `zeroply`, but without its start."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["zeroply", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        written = capsys.readouterr()
        return Done(int(caught.value.code or 0), written.out, written.err)

    return run


@pytest.fixture
def refused(zeroply: Command) -> Callable[..., str]:
    """The one line that a command prints when it refuses its input."""

    def run(*arguments: object) -> str:
        done = zeroply(*arguments)
        assert done.code == 2, done
        assert done.error.count("\n") == 1, done.error
        return done.error.strip()

    return run


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def games_of(corpus: Path) -> set[tuple[int, ...]]:
    found = Corpus.open(corpus)
    return {tuple(found.moves[a:b].tolist()) for a, b in zip(found.offsets, found.offsets[1:], strict=False)}


def skipped(corpus: Path) -> list[str]:
    return (corpus / "skipped.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("suffix", PACK)
def test_a_cut_archive_keeps_what_came_before(zeroply: Command, tmp_path: Path, suffix: str) -> None:
    whole, path = PACK[suffix](SAMPLE.read_bytes()), tmp_path / f"cut.pgn{suffix}"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    done = zeroply("data", "build", tmp_path / "out", path)
    assert done.code == 0, done
    assert "1 skipped" in done.out
    (flaw,) = skipped(tmp_path / "out")
    assert f"{path} cannot be read to its end" in flaw
    found = games_of(tmp_path / "out")
    wanted = [tuple(game.moves) for game in sample_games()]
    assert found == set(wanted[: len(found)])
    assert len(found) > 60


@pytest.mark.parametrize("suffix", PACK)
def test_an_archive_cut_at_once_is_refused(refused: Callable[..., str], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cut.pgn{suffix}"
    path.write_bytes(PACK[suffix](SAMPLE.read_bytes())[:30])
    assert f"{path} cannot be read to its end" in refused("data", "build", tmp_path / "out", path)
    assert names_in(tmp_path) == {path.name}


JUNK = np.random.default_rng(5).bytes(100_000)
NAMES = ("x.pgn", "x.csv", "x.jsonl", "x.pgn.gz", "x.pgn.zst", "x.csv.xz", "x.jsonl.bz2", "x.npy", "x")
CASTLE = ("castle_dataset_split_1.txt", "2_uci_moves_dataset.txt")


@pytest.mark.parametrize("name", [*NAMES, *CASTLE])
@pytest.mark.parametrize("content", [JUNK, b"", b"\0" * 1000, b"\n" * 1000], ids=["junk", "empty", "0", "n"])
def test_junk_is_refused_in_one_line(
    refused: Callable[..., str], tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    assert str(tmp_path / name) in refused("data", "build", tmp_path / "out", tmp_path / name)
    assert names_in(tmp_path) == {name}


def test_a_folder_of_junk_arrays_is_refused(refused: Callable[..., str], tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    line = refused("data", "build", tmp_path / "out", folder)
    assert "moves.npy cannot be read" in line
    for name in ("moves", "offsets", "games"):
        (folder / f"{name}.npy").write_bytes(JUNK)
    line = refused("data", "build", tmp_path / "out", folder)
    assert "moves.npy cannot be read" in line
    assert names_in(tmp_path) == {"x"}


def test_a_good_source_beside_a_bad_one(
    refused: Callable[..., str], zeroply: Command, tmp_path: Path
) -> None:
    """Nothing is built without the bad one."""
    (tmp_path / "bad.csv").write_bytes(b"a,b\n")
    assert "bad.csv has the columns" in refused(
        "data", "build", tmp_path / "out", SAMPLE, tmp_path / "bad.csv"
    )
    assert names_in(tmp_path) == {"bad.csv"}
    assert zeroply("data", "build", tmp_path / "out", SAMPLE).code == 0
    assert names_in(tmp_path) == {"bad.csv", "out"}


def test_latin_1_names_are_kept(zeroply: Command, tmp_path: Path) -> None:
    text = (
        '[White "Hübner"]\n[Black "Müller"]\n\n1. e4 *\n\n'.encode("latin-1")
        + '[White "Đurić"]\n\n1. d4 *\n'.encode()
    )
    (tmp_path / "old.pgn").write_bytes(text)
    zeroply("data", "build", tmp_path / "out", tmp_path / "old.pgn")
    rows = zeroply("data", "sql", tmp_path / "out", "SELECT White, Black FROM games", "--json").out
    assert json.loads(rows) == [{"White": "Hübner", "Black": "Müller"}, {"White": "Đurić", "Black": None}]


ILLEGAL = {
    "x.pgn": (
        f'[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN "{XIANGQI}"]\n\n1. h2e2 *\n\n[FEN "{KINGS}"]\n\n1. e4 *\n',
        ["x.pgn, game 1: ply 3: illegal san: 'Ke3'", "game 2: '" + XIANGQI + "' is not a chess position"],
    ),
    "puzzles.csv": (
        f"PuzzleId,FEN,Moves\na,{KINGS},e2e5 e8e7\nb,{XIANGQI},h2e2 h7e7\nc,{KINGS},e2e4 e8e7\n",
        ["puzzles.csv, game 1: ply 1: no matching legal move for e2e5", "is not a chess position"],
    ),
    "engine.csv": (
        f"game,ply,fen,move,score,result\na,0,{KINGS},e1e8,1,1\nb,0,{XIANGQI},h2e2,1,1\nc,0,{KINGS},e2e4,1,1\n",
        ["engine.csv, game 1: ply 1: illegal san: 'Ke1xe8'", "is not a chess position"],
    ),
    "evals.csv": (
        "fen,line,depth,knodes,cp,mate\n4k3/8/8/8/8/8/8/4K3 w - -,e1e8,1,1,1,\n"
        f"{XIANGQI},h2e2,1,1,1,\n{KINGS},e2e4,1,1,1,\n",
        ["evals.csv, game 1: ply 1: illegal san: 'Ke1xe8'", "is not a chess position"],
    ),
    "evals.jsonl": (
        "".join(
            json.dumps({"fen": fen, "evals": [{"depth": 1, "pvs": [{"cp": 1, "line": line}]}]}) + "\n"
            for fen, line in (("4k3/8/8/8/8/8/8/4K3 w - -", "e1e8"), (XIANGQI, "h2e2"), (KINGS, "e2e4"))
        ),
        ["evals.jsonl, game 1: ply 1: illegal san: 'Ke1xe8'", "is not a chess position"],
    ),
    "2_uci_moves_dataset.txt": (
        "e2e5 e7e5\nh2e2 h9g7\ne2e4 e7e5\n",
        ["game 1: ply 1: no matching legal move for e2e5", "game 2: 'h9g7' is no move"],
    ),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_moves_and_positions_of_another_game(zeroply: Command, tmp_path: Path, name: str) -> None:
    text, reasons = ILLEGAL[name]
    (tmp_path / name).write_text(text)
    done = zeroply("data", "build", tmp_path / "out", tmp_path / name)
    assert (done.code, done.error) == (0, "")
    assert "1 games" in done.out
    assert "; 2 skipped (reasons in " in done.out
    for line, reason in zip(skipped(tmp_path / "out"), reasons, strict=True):
        assert reason in line
    (found,) = games_of(tmp_path / "out")
    assert found[0] == CHESS.moves.number("e2e4")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from zeroply.corpus.build import build

    out = tmp_path_factory.mktemp("bad") / "sample"
    build(out, [SAMPLE], CHESS)
    return out


LOOKS = {
    "info": ["data", "info", "CORPUS"],
    "sql": ["data", "sql", "CORPUS", "SELECT 1 FROM games"],
    "show": ["data", "show", "CORPUS"],
    "export": ["data", "export", "CORPUS", "OUT", "--format", "pgn"],
    "train": ["train", "intuition", "CORPUS", "--out", "OUT"],
    "eval": ["eval", "accuracy", "chess", "CORPUS"],
}


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def changed(**other: object) -> Callable[[Path], None]:
    def change(corpus: Path) -> None:
        path = corpus / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | other))

    return change


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "schema": (changed(schema=99), "has corpus schema 99; this program reads 1. Build it again"),
    "table": (changed(digest="0" * 12), "was made for move table 000000000000"),
    "game": (changed(game="go"), "'go'"),
    "manifest": (lambda corpus: cut(corpus / "manifest.json"), "manifest.json cannot be read"),
    "no manifest": (lambda corpus: (corpus / "manifest.json").unlink(), "manifest.json is missing"),
    "moves": (lambda corpus: cut(corpus / "moves.npy"), "moves.npy cannot be read"),
    "offsets": (lambda corpus: np.save(corpus / "offsets.npy", np.arange(9)), "is damaged"),
}


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=pytest.mark.slow if look in ("train", "eval") else ()) for look in LOOKS],
)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_corpus_that_cannot_be_used_is_refused(
    refused: Callable[..., str], sample: Path, tmp_path: Path, look: str, damage: str
) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    shutil.copytree(sample, corpus)
    change, message = DAMAGE[damage]
    change(corpus)
    line = refused(*(str({"CORPUS": corpus, "OUT": out}.get(word, word)) for word in LOOKS[look]))
    if (look, damage) != ("show", "no manifest"):  # then it is a folder of plain arrays, and a bad one
        assert message in line
    assert str(corpus) in line or damage == "game"
    assert names_in(tmp_path) == {"corpus"}


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk looks like to a program, without root's help: writes fail beyond so many bytes."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def test_a_full_disk_is_one_line_and_the_same_command_goes_on(
    refused: Callable[..., str], zeroply: Command, sample: Path, tmp_path: Path
) -> None:
    sizes = [path.stat().st_size for path in sample.iterdir() if path.stat().st_size]
    for size in (10, 200, *sorted({size - 1 for size in sizes})):
        out = tmp_path / str(size)
        with files_of_at_most(size):
            line = refused("data", "build", out, SAMPLE)
        assert line.startswith(f"DiskFullError: no room for {tmp_path}/.{size}.building/")
        assert "Make room and run the same command again" in line
        assert not out.exists()
        assert zeroply("data", "build", out, SAMPLE).code == 0
        assert bytes_of(out) == bytes_of(sample)
    assert all(name.isdecimal() for name in names_in(tmp_path))


@pytest.mark.parametrize("name", ["castle", "csv", "parquet", "pgn"])
def test_an_export_to_a_full_disk_leaves_nothing(
    refused: Callable[..., str], sample: Path, tmp_path: Path, name: str
) -> None:
    with files_of_at_most(50_000):
        line = refused("data", "export", sample, tmp_path / "out", "--format", name)
    assert line.startswith(f"DiskFullError: no room for {tmp_path}/out: file too large")
    assert not names_in(tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 100 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=100k", "none", str(disk)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no right to mount a small disk; files of limited size are tested anyway")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_small_disk(refused: Callable[..., str], zeroply: Command, sample: Path, small_disk: Path) -> None:
    out = small_disk / "out"
    for kilobytes in (8, 60, 100, 140, 170):
        subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(small_disk)], check=True)
        line = refused("data", "build", out, SAMPLE)
        assert str(small_disk) in line
        assert "no space left on device" in line.lower()
        assert not out.exists()
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert zeroply("data", "build", out, SAMPLE).code == 0
    assert bytes_of(out) == bytes_of(sample)
    assert names_in(small_disk) == {"out"}


def texts() -> list[str]:
    found = SAMPLE.read_text(encoding="utf-8").strip().split("\n\n[Event ")
    return [found[0], *(f"[Event {text}" for text in found[1:])]


def assert_the_whole_ones_arrive(zeroply: Command, folder: Path, seed: int) -> None:
    """Eight games, every other one mangled beyond recognition: the others come through."""
    games, scores = texts()[:8], sample_games()[:8]
    mixed = [mangled(game, seed) if at % 2 else game for at, game in enumerate(games)]
    path, out = folder / f"{seed}.pgn", folder / f"out{seed}"
    path.write_text("\n\n".join(mixed) + "\n", encoding="utf-8", newline="")
    done = zeroply("data", "build", out, path)
    assert (done.code, done.error) == (0, ""), seed
    assert games_of(out) >= {tuple(score.moves) for score in scores[::2]}, seed
    whole = folder / f"whole{seed}.pgn"
    whole.write_text(mangled("\n\n".join(games), seed), encoding="utf-8", newline="")
    done = zeroply("data", "build", folder / f"any{seed}", whole)
    assert (done.code, done.error) == (0, ""), seed


def test_a_few_mangled_copies(zeroply: Command, tmp_path: Path) -> None:
    for seed in range(4):
        assert_the_whole_ones_arrive(zeroply, tmp_path, seed)


@pytest.mark.slow
def test_a_hundred_mangled_copies(zeroply: Command, tmp_path: Path) -> None:
    for seed in range(4, 104):
        assert_the_whole_ones_arrive(zeroply, tmp_path, seed)
