"""PGN to corpus and back to rows: nothing lost, nothing twice, nothing half-written."""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import CHESS, SAMPLE, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.hashes import game_hashes, split_of
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus, pack_positions, unpack_positions
from zeroply.corpus.workers import only_one
from zeroply.errors import ArtefactError, ReadError, ZeroplyError

PGN = """[White "A"]
[Black "B"]
[WhiteElo "2500"]
[BlackElo "?"]
[Date "2020.01.02"]
[Result "1-0"]

1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[White "bad"]
[Result "*"]

1. e4 e5 2. Ke3 *

[White "no such position"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1"]
[SetUp "1"]
[Result "*"]

1. e4 Ke7 *

[White "C"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]
[Result "1/2-1/2"]

1. e4 Ke7 1/2-1/2

[White "A again"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""


KINGS = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "games.pgn").write_text(PGN)
    build(tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS)
    return Corpus.open(tmp_path / "corpus")


def test_games_tags_and_flaws(corpus: Corpus) -> None:
    counts = {key: corpus.manifest[key] for key in ("games", "plies", "duplicates", "skipped")}
    assert counts == {"games": 2, "plies": 9, "duplicates": 1, "skipped": 2}
    assert [CHESS.moves.names[move] for move in corpus.moves[:3]] == ["e2e4", "e7e5", "d1h5"]
    assert corpus.results.tolist() == [2, 1]
    assert corpus.ratings.tolist() == [[2500, 0], [0, 0]]
    assert corpus.array("years").tolist() == [2020, 0]
    flaw = (corpus.path / "skipped.txt").read_text()
    assert flaw.startswith("games.pgn, game 2: ply 3: illegal san: 'Ke3'")
    assert "game 3: '4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1' cannot arise in chess" in flaw


def test_a_game_from_its_own_position_replays_from_there(corpus: Corpus) -> None:
    rows = replay_games(corpus, np.array([0, 1]), np.empty(0))
    position = CHESS.start("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    np.testing.assert_array_equal(rows.state["board"][7], position.row(0)["board"][0])
    assert rows.state["rights"][7].tolist() == [0, 0, 0, 0]


def test_the_sample_comes_back_move_by_move(tmp_path: Path) -> None:
    manifest = build(tmp_path / "corpus", [SAMPLE], CHESS)
    corpus = Corpus.open(tmp_path / "corpus")
    assert manifest["skipped"] == 0
    found = {
        tuple(corpus.moves[a:b].tolist()) for a, b in zip(corpus.offsets, corpus.offsets[1:], strict=False)
    }
    assert found == {tuple(game.moves) for game in sample_games()}


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "junk.pgn").write_bytes(bytes(range(256)) * 20)
    with pytest.raises(ReadError, match=r"no game could be read from .*junk\.pgn"):
        build(tmp_path / "corpus", [tmp_path / "junk.pgn"], CHESS)
    assert [path.name for path in tmp_path.iterdir()] == ["junk.pgn"]


KILLABLE = """
import sys
from pathlib import Path
from zeroply.corpus.build import build
from zeroply.corpus.readers import files, pieces
from zeroply.games import game_named
if __name__ == "__main__":
    files.SIZE, pieces.SIZE = 1000, 4000
    out, workers, *sources = sys.argv[1:]
    build(Path(out), [Path(source) for source in sources], game_named("chess"), workers=int(workers))
"""


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_build_killed_twenty_times_ends_with_the_same_bytes(tmp_path: Path, workers: str) -> None:
    chance = random.Random(3)  # noqa: S311 (a test)
    (tmp_path / "killable.py").write_text(KILLABLE)
    run = [sys.executable, str(tmp_path / "killable.py")]
    (tmp_path / "own.pgn").write_text(PGN)
    sources = [workers, str(SAMPLE), str(tmp_path / "own.pgn")]
    begin = time.monotonic()
    subprocess.run([*run, str(tmp_path / "whole"), *sources], check=True)
    took = time.monotonic() - begin
    killed = tmp_path / "killed"
    for _ in range(20):
        attempt = subprocess.Popen([*run, str(killed), *sources])
        time.sleep(chance.uniform(0.3, 1.0) * took)
        attempt.kill()
        attempt.wait()
        if killed.exists():  # it was quicker this time: only a whole corpus may stand there
            assert bytes_of(killed) == bytes_of(tmp_path / "whole")
            shutil.rmtree(killed)
    subprocess.run([*run, str(killed), *sources], check=True)
    assert bytes_of(killed) == bytes_of(tmp_path / "whole")
    assert {path.name for path in tmp_path.iterdir()} == {"killable.py", "own.pgn", "whole", "killed"}


@pytest.mark.slow
def test_workers_and_shards_do_not_change_the_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.pgn").write_text(PGN)
    sources = [SAMPLE, tmp_path / "own.pgn"]
    build(tmp_path / "one", sources, CHESS)
    monkeypatch.setattr("zeroply.corpus.readers.files.SIZE", 1000)
    monkeypatch.setattr("zeroply.corpus.readers.pieces.SIZE", 4000)
    build(tmp_path / "small", sources, CHESS)
    build(tmp_path / "two", sources, CHESS, workers=2)
    tables = {"tags.parquet"}  # groups of rows follow the shards
    for name, content in bytes_of(tmp_path / "one").items():
        assert (
            name in tables
            or content == (tmp_path / "small" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        ), name


def test_only_games_that_fit_are_kept(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(PGN)
    manifest = build(
        tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS, where="white_elo >= 2500 AND plies = 7"
    )
    assert (manifest["games"], manifest["filtered"]) == (1, 2)
    with pytest.raises(ZeroplyError, match=r"--where elo = 2::TEXT: .*elo.*Columns: white_elo"):
        build(tmp_path / "other", [tmp_path / "games.pgn"], CHESS, where="elo = 2::TEXT")


def test_an_archive_cut_short_keeps_the_games_before_the_cut(tmp_path: Path) -> None:
    whole = lzma.compress(SAMPLE.read_bytes())
    (tmp_path / "cut.pgn.xz").write_bytes(whole[: len(whole) // 2])
    manifest = build(tmp_path / "corpus", [tmp_path / "cut.pgn.xz"], CHESS)
    assert 20 < manifest["games"] < 150
    (reason,) = manifest["incomplete"]
    assert "cut.pgn.xz cannot be read to its end" in reason


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        ("1. e4 e5 2. Nf3", True),
        ("1. e4 e5 { and now", True),
        ('[Event "a', True),
        ("1. e4 e5 *", False),
        ("1. e4 e5 1-0\n\n", False),
        ("1. e4 e5 1-0 {White won}\n", False),
    ],
)
def test_a_file_that_ends_in_the_midst_of_a_game_is_told(tmp_path: Path, end: str, cut: bool) -> None:
    """What is there of the game is kept."""
    (tmp_path / "some.pgn").write_text(f'[Event "x"]\n\n1. d4 d5 1-0\n\n[Event "y"]\n\n{end}')
    manifest = build(tmp_path / "corpus", [tmp_path / "some.pgn"], CHESS)
    assert manifest["games"] == (2 if "1." in end and "{ and" not in end else 1)
    reasons = [
        f"{tmp_path / 'some.pgn'} ends in the midst of a game: no result follows its last move. Is the "
    ]
    assert [reason[: len(reasons[0])] for reason in manifest["incomplete"]] == (reasons if cut else [])


def test_a_file_without_games_is_told_what_could_be_read(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").touch()
    with pytest.raises(ReadError, match=r"empty\.pgn\. Give sources with games in them\. Readable: \.pgn"):
        build(tmp_path / "corpus", [tmp_path / "empty.pgn"], CHESS)


@pytest.mark.parametrize(
    ("name", "content"), [("games.txt", b"1. e4"), ("games.pgn.xz", b"no archive"), ("none.pgn", None)]
)
def test_an_unreadable_source_is_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ReadError, match=name.split(".")[0]):
        build(tmp_path / "corpus", [tmp_path / name], CHESS)


def test_another_schema_or_move_table_is_refused(corpus: Corpus) -> None:
    manifest = corpus.path / "manifest.json"
    for change, message in (
        ({"schema": 99}, "schema 99"),
        ({"digest": "000000000000"}, "move table 000000000000"),
    ):
        manifest.write_text(json.dumps({**corpus.manifest, **change}))
        with pytest.raises(ArtefactError, match=message):
            Corpus.open(corpus.path)


def test_plain_arrays_are_a_way_in(tmp_path: Path) -> None:
    folder = tmp_path / "arrays"
    folder.mkdir()
    table, games = CHESS.moves, sample_games()
    numbers = np.concatenate([np.asarray(game.moves) for game in games])
    packed = table.start[numbers] | table.end[numbers] << 6 | table.promotion[numbers] << 12
    np.save(folder / "moves.npy", packed.astype(np.uint16))
    np.save(folder / "offsets.npy", np.cumsum([0, *(len(game.moves) for game in games)]))
    facts = [(2400, 2500, 3 if game.result is None else round(2 * game.result), 2026) for game in games]
    np.save(folder / "games.npy", np.array(facts, np.uint16))
    np.save(folder / "cp.npy", np.resize(np.array([30, 32767, -32000 + 3], np.int16), len(numbers)))
    build(tmp_path / "corpus", [folder], CHESS)
    corpus = Corpus.open(tmp_path / "corpus")
    assert corpus.evaluations[:4].tolist() == [30, -32768, -31998, -30]
    assert corpus.ratings[0].tolist() == [2400, 2500]


def test_splits_follow_the_game_not_the_corpus() -> None:
    rng = np.random.default_rng(0)
    moves, offsets = rng.integers(0, 1968, 20_000), np.arange(0, 20_001, 10)
    hashes = game_hashes(moves, offsets, np.zeros(2000, np.uint64))
    again = game_hashes(moves[5000:], offsets[:-500], np.zeros(1500, np.uint64))
    np.testing.assert_array_equal(split_of(hashes)[500:], split_of(again))
    counts = np.bincount(split_of(hashes), minlength=3)
    assert counts[Split.train] > 1900
    assert counts[Split.validation] > 5
    assert counts[Split.test] > 5


def test_a_start_position_is_not_made_up_for_by_moves(tmp_path: Path) -> None:
    """The codes of rook and queen, 4 and 5, differ as the moves a1a6 and a1a7 do."""
    text = "".join(
        f'[FEN "6k1/8/8/8/8/8/8/{piece}5K1 w - - 0 1"]\n\n1. {piece}{end} Kf8 *\n\n'
        for piece, end in (("R", "a7"), ("Q", "a6"))
    )
    (tmp_path / "x.pgn").write_text(text)
    assert build(tmp_path / "corpus", [tmp_path / "x.pgn"], CHESS)["games"] == 2


def test_the_usual_first_position_is_no_other_start(tmp_path: Path) -> None:
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    starts = (f"{board} w KQkq - 0 1", f"{board} w KQkq -", f"{board} w KQkq - 3 7", f"{board} w HAha - 0 1")
    same = "".join(f'[FEN "{fen}"]\n\n1. e4 e5 *\n\n' for fen in starts)
    other = f'[FEN "{board} w KQk - 0 1"]\n\n1. e4 e5 *\n\n[FEN "{KINGS}"]\n\n1. e4 Kd7 *\n\n'
    (tmp_path / "x.pgn").write_text(f"1. e4 e5 *\n\n{same}{other}")
    manifest = build(tmp_path / "corpus", [tmp_path / "x.pgn"], CHESS)
    assert (manifest["games"], manifest["duplicates"]) == (3, 4)
    corpus = Corpus.open(tmp_path / "corpus")
    assert corpus.starts.tolist() == [-1, 0, 1]
    assert corpus.game.fens(unpack_positions(CHESS, corpus.positions)) == [f"{board} w KQk - 0 1", KINGS]


def test_the_first_position_evaluated_twice_is_a_duplicate(tmp_path: Path) -> None:
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    found = [
        {"fen": f"{board} w KQkq -", "evals": [{"depth": 1, "pvs": [{"cp": 20, "line": line}]}]}
        for line in ("e2e4", "d2d4")
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, found)))
    manifest = build(tmp_path / "corpus", [tmp_path / "x.jsonl"], CHESS)
    assert (manifest["games"], manifest["duplicates"]) == (1, 1)


@given(st.lists(st.integers(0, 10**6), max_size=60))
def test_packed_positions_come_back(picks: list[int]) -> None:
    position = CHESS.start()
    for pick in picks:
        legal = position.legal()
        if len(legal):
            position = position.play(int(legal[pick % len(legal)]))
    row = position.row(0)
    back = unpack_positions(CHESS, pack_positions(CHESS, row))
    for name in CHESS.columns:
        np.testing.assert_array_equal(back[name], row[name])


def junk(folder: Path) -> Path:
    (folder / "junk").mkdir()
    (folder / "junk" / "moves.npy").write_bytes(b"junk")
    return folder / "junk"


def test_shards_of_good_sources_survive_a_bad_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReadError, match=r"junk.moves\.npy"):
        build(tmp_path / "corpus", [SAMPLE, junk(tmp_path)], CHESS)

    def parsed_again(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("zeroply.corpus.build.write_shard", parsed_again)
    assert build(tmp_path / "corpus", [SAMPLE], CHESS)["games"] == len(sample_games())


def test_files_of_one_name_are_numbered_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.pgn").write_text(
            f'[Event "{folder}"]\n\n1. e4 *\n\n[Event "bad"]\n\n1. e5 *\n'
        )
    build(tmp_path / "corpus", [tmp_path / "a" / "x.pgn", tmp_path / "b" / "x.pgn"], CHESS)
    lines = (tmp_path / "corpus" / "skipped.txt").read_text().splitlines()
    assert [line.split(":")[0] for line in lines] == ["x.pgn, game 2"] * 2


def test_shards_made_in_another_way_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of another size are other games."""
    monkeypatch.setattr("zeroply.corpus.readers.files.SIZE", 1000)
    monkeypatch.setattr("zeroply.corpus.readers.pieces.SIZE", 4000)
    with pytest.raises(ReadError):
        build(tmp_path / "corpus", [SAMPLE, junk(tmp_path)], CHESS)
    monkeypatch.setattr("zeroply.corpus.readers.pieces.SIZE", 9000)
    assert build(tmp_path / "corpus", [SAMPLE], CHESS)["games"] == len(sample_games())


def test_two_builds_of_one_corpus_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / ".corpus.building").mkdir()
    with only_one(tmp_path / ".corpus.building" / "lock", "never"):
        run = [sys.executable, "-m", "zeroply", "data", "build", str(tmp_path / "corpus"), str(SAMPLE)]
        # Its plan is another, but the lock is asked for before anything is removed.
        said = subprocess.run(run, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (
        2,
        f"another build of {tmp_path / 'corpus'} is running\n",
    )


def test_a_filter_that_leaves_nothing_is_an_error_and_what_was_read_is_of_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / ".corpus.building"
    with pytest.raises(
        ReadError, match=r"--where plies < 0 leaves none of 150 games. What .* kept in"
    ) as caught:
        build(tmp_path / "corpus", [SAMPLE], CHESS, where="plies < 0")
    assert f"{kept}: " in str(caught.value)

    def read_again(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("zeroply.corpus.build.write_shard", read_again)
    assert build(tmp_path / "corpus", [SAMPLE], CHESS, where="plies > 0")["games"] > 100
    assert not kept.exists()


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_workers(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    (tmp_path / "many.pgn").write_text("\n\n".join([text] * 200), encoding="utf-8")
    run = [
        sys.executable,
        "-m",
        "zeroply",
        "data",
        "build",
        str(tmp_path / "corpus"),
        str(tmp_path / "many.pgn"),
    ]
    attempt = subprocess.Popen([*run, "--workers", "2"], start_new_session=True, stderr=subprocess.PIPE)
    time.sleep(2.5)
    os.killpg(attempt.pid, signal.SIGINT)
    attempt.communicate(timeout=20)
    assert attempt.returncode in (0, 130)
