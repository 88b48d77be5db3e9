"""Bad input through the command: one line or a skipped game, nothing lost, nothing left half-written."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard

from tests.corpus.commands import Command, Done, games_of, names_in
from tests.corpus.readers.mangle import mangled
from tests.sources import CHESS, SAMPLE, sample_games
from zeroply.corpus.readers.castle import FIRST_BOARD, FIRST_RIGHTS


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


def skipped(corpus: Path) -> list[str]:
    return (corpus / "skipped.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("suffix", PACK)
def test_a_cut_archive_keeps_what_came_before(zeroply: Command, tmp_path: Path, suffix: str) -> None:
    whole, path = PACK[suffix](SAMPLE.read_bytes()), tmp_path / f"cut.pgn{suffix}"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    done = zeroply("data", "build", tmp_path / "out", path)
    assert done.code == 0, done
    assert f"{path} cannot be read to its end" in done.error
    assert f"before the break is in {tmp_path / 'out'}" in done.error
    assert not skipped(tmp_path / "out")
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


@pytest.mark.slow
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
    for name in ("moves", "offsets", "games"):
        (folder / f"{name}.npy").write_bytes(JUNK)
    line = refused("data", "build", tmp_path / "out", folder)
    assert "moves.npy cannot be read" in line
    assert names_in(tmp_path) == {"x"}


def test_folders_that_are_no_source_are_told(
    refused: Callable[..., str], sample: Path, tmp_path: Path
) -> None:
    (tmp_path / "x").mkdir()
    line = refused("data", "build", tmp_path / "out", tmp_path / "x")
    assert f"{tmp_path / 'x'} holds neither moves.npy nor castle's split files" in line
    assert line.endswith(f"Give files: {tmp_path / 'x'}/*.pgn")
    line = refused("data", "build", tmp_path / "out", sample)
    assert f"{sample} is a corpus, no source" in line
    assert f"zeroply data export {sample} games.pgn --format pgn" in line


@pytest.mark.parametrize(
    ("name", "content", "advice"),
    [
        ("p.fen", KINGS, "nor can it become one: {path} has no known format. Readable: .pgn, "),
        ("p.csv", "a,b", "nor can it become one: {path} has the columns a, b. A readable table has"),
        ("p.pgn", "", "p.pgn is a file, not a corpus: zeroply data build OUT {path}"),
    ],
)
def test_advice_for_a_file_in_place_of_a_corpus_works(
    refused: Callable[..., str], tmp_path: Path, name: str, content: str, advice: str
) -> None:
    path = tmp_path / name
    path.write_text(content + "\n")
    assert advice.format(path=path) in refused("data", "info", path)


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


def test_sources_that_gave_no_game_are_named(zeroply: Command, tmp_path: Path) -> None:
    empty, bad, out = tmp_path / "empty.pgn", tmp_path / "bad.pgn", tmp_path / "out"
    empty.touch()
    bad.write_text("1. e5 *\n\n1. Nf6 *\n")
    done = zeroply("data", "build", out, empty, SAMPLE, bad)
    assert done.code == 0, done
    assert done.error.splitlines()[-2:] == [
        f"{empty} gave no game: there is none in it. Is it what you meant?",
        f"{bad} gave no game: 2 skipped (reasons in {out / 'skipped.txt'}). Is it what you meant?",
    ]
    assert "gave no game" not in zeroply("data", "build", tmp_path / "other", SAMPLE).error


def test_latin_1_names_are_kept(zeroply: Command, tmp_path: Path) -> None:
    text = (
        '[White "Hübner"]\n[Black "Müller"]\n\n1. e4 *\n\n'.encode("latin-1")
        + '[White "Đurić"]\n\n1. d4 *\n'.encode()
    )
    (tmp_path / "old.pgn").write_bytes(text)
    zeroply("data", "build", tmp_path / "out", tmp_path / "old.pgn")
    rows = zeroply("data", "sql", tmp_path / "out", "SELECT White, Black FROM games", "--json").out
    assert json.loads(rows) == [{"White": "Hübner", "Black": "Müller"}, {"White": "Đurić", "Black": None}]


LONG = 5000 * "9"
ODD_GAMES = {
    "x.pgn": [
        '[FEN "4k3/8/8/8/8/8/4P3/4K3"]\n\n1. e3 *\n\n',
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w"]\n\n1. e3 *\n\n',
        '[FEN "4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1"]\n\n1. Qa2 *\n\n',
        '[FEN "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"]\n\n1. O-O O-O-O *\n\n',
        f'[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 {LONG}"]\n\n1. Kd1 *\n\n',
        f"1. e4 {{[%eval {400 * '9'}.0]}} e5 *\n\n",
        f"1. e4 {{[%eval #{LONG}]}} e5 *\n\n",
        f"1. e4 {{wv=-M{LONG}}} e5 *\n\n",
        f"1. e4 {{-M{LONG}/20 1s}} e5 *\n\n",
        f"1. e4 ${LONG} e5 *\n\n",
    ],
    "x.jsonl": [
        json.dumps({"fen": fen, "evals": [{"depth": 1, "pvs": [{"cp": 1, "line": "e2e4"}]}]}) + "\n"
        for fen in ("\ud800 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - \ud800", "4k3/8/8/8/8/8/4P3/4K3")
    ]
    + [
        f'{{"fen": "{KINGS}", "evals": [{{"depth": 1, "pvs": [{{"{name}": {value}, "line": "{line}"}}]}}]}}\n'
        for name, value, line in (
            ("cp", 4000 * "9", "e2e4"),
            ("cp", LONG, "e2e4"),
            ("cp", "1e999", "e2e4"),
            ("mate", "NaN", "e2e4"),
            ("cp", 1, "\\ud800"),
        )
    ],
    "castle_dataset_split_1.txt": [f"{LONG}|{FIRST_BOARD}|{FIRST_RIGHTS}\n"],
    "engine.csv": [
        f"a,{LONG},{KINGS},e2e4,1,1\n",
        f"a,0,{KINGS},e2e4,#{LONG},1\n",
        f"a,0,{KINGS},e2e4,nan,1\n",
    ],
}
LAST_GAMES = {
    "x.pgn": ("", '[White "last"]\n\n1. d4 d5 *\n'),
    "x.jsonl": (
        "",
        json.dumps(
            {
                "fen": "4k3/8/8/8/8/8/3P4/4K3 w - -",
                "evals": [{"depth": 1, "pvs": [{"cp": 1, "line": "d2d4"}]}],
            }
        ),
    ),
    "castle_dataset_split_1.txt": ("", f"{CHESS.moves.number('d2d4')}|{FIRST_BOARD}|{FIRST_RIGHTS}\n"),
    "engine.csv": ("game,ply,fen,move,score,result\n", f"z,0,{KINGS.replace('4P3', '3P4')},d2d4,1,1\n"),
}


@pytest.mark.parametrize(
    ("name", "odd"),
    [(name, odd) for name, games in ODD_GAMES.items() for odd in games],
    ids=lambda text: str(text)[:60],
)
def test_an_odd_game_costs_at_most_itself(zeroply: Command, tmp_path: Path, name: str, odd: str) -> None:
    first, last = LAST_GAMES[name]
    (tmp_path / name).write_text(first + odd + last)
    done = zeroply("data", "build", tmp_path / "out", tmp_path / name)
    assert (done.code, done.error) == (0, "")
    assert CHESS.moves.number("d2d4") in {moves[0] for moves in games_of(tmp_path / "out")}
    for line in skipped(tmp_path / "out") if (tmp_path / "out" / "skipped.txt").exists() else []:
        assert "Error" not in line
        assert "set_int_max_str_digits" not in line


ILLEGAL = {
    "x.pgn": (
        f'[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN "{XIANGQI}"]\n\n1. h2e2 *\n\n[FEN "{KINGS}"]\n\n1. e4 *\n',
        ["x.pgn, game 1: ply 3: illegal san: 'Ke3'", "game 2: '" + XIANGQI + "' is not a chess position"],
    ),
    "puzzles.csv": (
        f"PuzzleId,FEN,Moves\na,{KINGS},e2e5 e8e7\nb,{XIANGQI},h2e2 h7e7\nc,{KINGS},e2e4 e8e7\n",
        [
            "puzzles.csv, game 1: ply 1: e2e5 is not legal in 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "is not a chess position",
        ],
    ),
    "engine.csv": (
        f"game,ply,fen,move,score,result\na,0,{KINGS},e1e8,1,1\nb,0,{XIANGQI},h2e2,1,1\nc,0,{KINGS},e2e4,1,1\n",
        ["engine.csv, game 1: ply 1: e1e8 is not legal in 4k3/", "is not a chess position"],
    ),
    "evals.csv": (
        "fen,line,depth,knodes,cp,mate\n4k3/8/8/8/8/8/8/4K3 w - -,e1e8,1,1,1,\n"
        f"{XIANGQI},h2e2,1,1,1,\n{KINGS},e2e4,1,1,1,\n",
        ["evals.csv, game 1: ply 1: e1e8 is not legal in 4k3/", "is not a chess position"],
    ),
    "evals.jsonl": (
        "".join(
            json.dumps({"fen": fen, "evals": [{"depth": 1, "pvs": [{"cp": 1, "line": line}]}]}) + "\n"
            for fen, line in (("4k3/8/8/8/8/8/8/4K3 w - -", "e1e8"), (XIANGQI, "h2e2"), (KINGS, "e2e4"))
        ),
        ["evals.jsonl, game 1: ply 1: e1e8 is not legal in 4k3/", "is not a chess position"],
    ),
    "2_uci_moves_dataset.txt": (
        "e2e5 e7e5\nh2e2 h9g7\ne2e4 e7e5\n",
        ["game 1: ply 1: e2e5 is not legal in rnbqkbnr/", "game 2: 'h9g7' is no move"],
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


def texts() -> list[str]:
    found = SAMPLE.read_text(encoding="utf-8").strip().split("\n\n[Event ")
    return [found[0], *(f"[Event {text}" for text in found[1:])]


def assert_the_whole_ones_arrive(zeroply: Command, folder: Path, seed: int) -> bool:
    """Eight games, every other one mangled beyond recognition: the others come through. Whether a game was
    left when all are mangled."""
    games, scores = texts()[:8], sample_games()[:8]
    mixed = [mangled(game, seed) if at % 2 else game for at, game in enumerate(games)]
    path, out = folder / f"{seed}.pgn", folder / f"out{seed}"
    path.write_text("\n\n".join(mixed) + "\n", encoding="utf-8", newline="")
    done = zeroply("data", "build", out, path)
    assert_fine(done, seed)
    assert games_of(out) >= {tuple(score.moves) for score in scores[::2]}, seed
    whole = folder / f"whole{seed}.pgn"
    whole.write_text(mangled("\n\n".join(games), seed), encoding="utf-8", newline="")
    done = zeroply("data", "build", folder / f"any{seed}", whole)
    if done.code == 2:  # nothing was left that is a game
        assert done.error.startswith("no game could be read"), seed
        assert done.error.count("\n") == 1, seed
    else:
        assert_fine(done, seed)
    return done.code == 0


def assert_fine(done: Done, seed: int) -> None:
    """Of what is mangled the end may be missing."""
    assert done.code == 0, seed
    assert not done.error or "ends in the midst of a game" in done.error, seed
    assert done.error.count("\n") <= 1, seed


def test_a_few_mangled_copies(zeroply: Command, tmp_path: Path) -> None:
    assert all(assert_the_whole_ones_arrive(zeroply, tmp_path, seed) for seed in range(4))


@pytest.mark.slow
def test_a_hundred_mangled_copies(zeroply: Command, tmp_path: Path) -> None:
    left = [seed for seed in range(4, 104) if assert_the_whole_ones_arrive(zeroply, tmp_path, seed)]
    assert set(range(4, 104)) - set(left) == {66}  # where the chance hits all eight games
