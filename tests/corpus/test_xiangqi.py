"""Xiangqi on the path of all games: built, shown, asked, sampled, written and read back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from tests.corpus.commands import Command, bytes_of
from tests.corpus.sample import corpora
from tests.sources import CHESS, PUZZLES, SAMPLE, XIANGQI, XIANGQI_SAMPLE, shared
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.choice import Positions, Sampling
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.tags import read_tags
from zeroply.errors import PositionError
from zeroply.games import stack

HISTORY = 3
SHARES = {Split.validation: 0.2, Split.test: 0.2}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("xiangqi") / "corpus"
    build(out, [XIANGQI_SAMPLE], XIANGQI, shares=SHARES)
    return Corpus.open(out)


def arrays_of(corpus: Corpus) -> dict[str, bytes]:
    return {name: data for name, data in bytes_of(corpus.path).items() if name.endswith(".npy")}


def assert_records_come_back(corpus: Corpus, folder: Path) -> None:
    export(corpus, folder / "records.pgn", "pgn")
    manifest = build(folder / "again", [folder / "records.pgn"], XIANGQI, shares=SHARES, keep_duplicates=True)
    again = Corpus.open(folder / "again")
    assert manifest["skipped"] == 0
    assert arrays_of(again) == arrays_of(corpus)
    assert read_tags(again.path / "tags.parquet").equals(read_tags(corpus.path / "tags.parquet"))


def test_records_come_back(corpus: Corpus, tmp_path: Path) -> None:
    assert_records_come_back(corpus, tmp_path)
    text = (tmp_path / "records.pgn").read_text(encoding="utf-8")
    assert text.startswith('[Game "Chinese Chess"]\n[Format "ICCS"]\n[Event "Sample 1"]\n')
    plain = re.compile(r"\s+")
    assert sorted(plain.split(text)) == sorted(plain.split(XIANGQI_SAMPLE.read_text(encoding="utf-8")))


@pytest.mark.slow
def test_all_public_records_come_back(tmp_path: Path) -> None:
    source = shared("xiangqi-games.pgn.xz")
    manifest = build(tmp_path / "corpus", [source], XIANGQI, shares=SHARES, keep_duplicates=True)
    assert (manifest["games"], manifest["skipped"]) == (44_232, 22)
    assert_records_come_back(Corpus.open(tmp_path / "corpus"), tmp_path)


def test_ratings_clocks_and_evaluations_come_back(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_text(
        '[Red "甲"]\n[RedElo "2500"]\n[BlackElo "2400"]\n[RedType "program"]\n[Date "2009年"]\n\n'
        "1. C2.5 { [%eval 0.31] [%clk 0:01:00] } H8+7 { [%eval #-2] } 2. H2+3 1/2-1/2\n",
        encoding="utf-8",
    )
    build(tmp_path / "corpus", [tmp_path / "x.pgn"], XIANGQI)
    export(Corpus.open(tmp_path / "corpus"), tmp_path / "y.pgn", "pgn")
    build(tmp_path / "again", [tmp_path / "y.pgn"], XIANGQI)
    assert arrays_of(Corpus.open(tmp_path / "again")) == arrays_of(Corpus.open(tmp_path / "corpus"))
    assert "1. H2-E2 { [%eval 0.31] [%clk 0:01:00] } 1... H9-G7 { [%eval #-2] }" in " ".join(
        (tmp_path / "y.pgn").read_text(encoding="utf-8").split()
    )


def test_tables_come_back(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "games.csv", "csv")
    build(tmp_path / "again", [tmp_path / "games.csv"], XIANGQI)
    again = Corpus.open(tmp_path / "again")
    for name in ("moves", "offsets", "starts", "positions", "results"):
        np.testing.assert_array_equal(again.array(name), corpus.array(name), err_msg=name)
    export(corpus, tmp_path / "games.parquet", "parquet")
    table = pq.ParquetFile(tmp_path / "games.parquet").read()
    boards = table["board"].combine_chunks().flatten().to_numpy().reshape(-1, 90)
    rows = replay_games(corpus, np.arange(len(corpus)), np.empty(0))
    np.testing.assert_array_equal(boards, rows.state["board"])
    assert table["move"].to_pylist() == [XIANGQI.moves.names[move] for move in corpus.moves]


def test_split_records_are_all_the_records(corpus: Corpus, tmp_path: Path, zeroply: Command) -> None:
    texts = []
    for split in Split:
        out = tmp_path / f"{split.name}.pgn"
        done = zeroply("data", "export", corpus.path, out, "--format", "pgn", "--split", split.name)
        assert f"{out}: {len(corpus.games_in(split))} games, " in done.out
        texts.append(out.read_text(encoding="utf-8"))
    export(corpus, tmp_path / "all.pgn", "pgn")
    whole = (tmp_path / "all.pgn").read_text(encoding="utf-8")
    assert sorted("".join(texts).split("[Game ")) == sorted(whole.split("[Game "))


def test_short_games_are_filtered(corpus: Corpus, tmp_path: Path, zeroply: Command) -> None:
    command = ("data", "build", tmp_path / "long", XIANGQI_SAMPLE, "--game", "xiangqi")
    done = zeroply(*command, "--where", "plies >= 60", "--validation", "0.2", "--test", "0.3")
    lengths = np.diff(corpus.offsets)
    assert f": {(lengths >= 60).sum()} games, " in done.out
    assert f"; {(lengths < 60).sum()} filtered" in done.out
    assert 0 < (lengths < 60).sum() < len(corpus)


def test_show_sql_and_info(corpus: Corpus, zeroply: Command) -> None:
    from_file = zeroply("data", "show", XIANGQI_SAMPLE, "--game", "xiangqi", "--game-number", 10).out
    assert zeroply("data", "show", corpus.path, "--game-number", 10).out == from_file
    players, result, moves, *_ = from_file.splitlines()
    assert (players, result) == ("random – greedy", "result 0-1, 81 plies")
    assert moves == "C9-A7 E0-E1 H7-I7 G3-G4 I7-I3 G4-G5 I3-C3 E1-D1 G6-G5 C0-A2 …"
    asked = zeroply(
        "data", "sql", corpus.path, "SELECT Red, year, white_elo, plies FROM games LIMIT 1", "--json"
    )
    first = {"Red": "greedy", "year": 2026, "white_elo": None, "plies": int(corpus.offsets[1])}
    assert json.loads(asked.out) == [first]
    told = json.loads(zeroply("data", "info", corpus.path, "--json").out)
    assert (told["game"], told["moves"], told["games"]) == ("xiangqi", 2086, 60)


def test_what_only_chess_has_is_refused(
    corpus: Corpus, tmp_path: Path, zeroply: Command, sample: Path
) -> None:
    export(Corpus.open(sample), tmp_path / "castle", "castle")
    (tmp_path / "evals.jsonl").write_text("{}")
    (tmp_path / "arrays").mkdir()
    (tmp_path / "arrays" / "moves.npy").touch()
    sources = (
        tmp_path / "castle" / "dataset",
        tmp_path / "evals.jsonl",
        tmp_path / "arrays",
        PUZZLES,
    )
    for source in sources:
        done = zeroply("data", "build", tmp_path / "out", source, "--game", "xiangqi")
        assert done.code == 2
        assert done.error.endswith(
            f"{source} is of a format that has only games of chess, not of xiangqi. "
            "Read it with --game chess\n"
        ), done.error
    done = zeroply("data", "export", corpus.path, tmp_path / "out", "--format", "castle")
    assert done.error.endswith(
        "is a corpus of xiangqi; castle knows the moves of chess. Try pgn, csv or parquet\n"
    )
    for source, game, reason in (
        (SAMPLE, "xiangqi", "ply 1: 'd4' is not legal in rnbakabnr/"),
        (XIANGQI_SAMPLE, "chess", "it is a game of xiangqi: read it with --game xiangqi"),
    ):
        done = zeroply("data", "build", tmp_path / "out", source, "--game", game)
        assert (done.code, done.error.count("\n")) == (2, 1)
        assert reason in done.error


def test_rows_are_those_of_live_positions(corpus: Corpus) -> None:
    games = np.arange(len(corpus))
    replayed = replay_games(corpus, games, np.empty(0))
    stored, live = replayed.take(np.arange(len(replayed)), HISTORY), []
    starts = XIANGQI.fens({name: column[corpus.offsets[:-1]] for name, column in replayed.state.items()})
    for game, start in enumerate(starts):
        position = XIANGQI.start(start)
        for move in corpus.moves[corpus.offsets[game] : corpus.offsets[game + 1]]:
            live.append(position.row(HISTORY))
            position = position.play(int(move))
    for name, column in stack(live).items():
        assert stored[name].dtype == column.dtype, name
        np.testing.assert_array_equal(stored[name], column, err_msg=name)


@pytest.mark.parametrize("positions", Positions)
def test_batches_are_the_same_by_numpy_and_torch(corpus: Corpus, positions: Positions) -> None:
    sampling = Sampling(positions=positions)
    by_numpy, by_torch = (
        corpora.batches(corpora.draw(corpus, sampling), place=place)
        for place in (np.empty(0), torch.empty(0))
    )
    for k in (0, 3, 100):
        rows, tensors = by_numpy[k], by_torch[k]
        assert rows.keys() == tensors.keys()
        for name, column in rows.items():
            np.testing.assert_array_equal(tensors[name].numpy(), column, err_msg=name)
        assert XIANGQI.allows(rows, rows["move"]).all()


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_moves_are_recorded_alike_one_by_one_and_at_once(name: str, corpus: Corpus, sample: Path) -> None:
    other = corpus if name == "xiangqi" else Corpus.open(sample)
    replayed = replay_games(other, np.arange(3), np.empty(0))
    position, texts = other.game.start(), []
    for move in other.moves[: other.offsets[1]]:
        texts.append(position.recorded(int(move)))
        position = position.play(int(move))
    assert other.game.recorded(replayed.state, replayed.moves)[: len(texts)] == texts
    assert (CHESS.sides, XIANGQI.sides) == (("White", "Black"), ("Red", "Black"))


def test_sources_of_the_other_game_are_told_by_its_name(zeroply: Command, tmp_path: Path) -> None:
    first = XIANGQI.start().fen()
    (tmp_path / "x.csv").write_text(f"game,ply,fen,move,score,result\n1,0,{first},h2e2,,0.5\n")
    for command in (("data", "show"), ("data", "build", tmp_path / "out")):
        for source, asked, meant in (
            (SAMPLE, "xiangqi", "chess"),
            (XIANGQI_SAMPLE, "chess", "xiangqi"),
            (tmp_path / "x.csv", "chess", "xiangqi"),
        ):
            done = zeroply(*command, source, "--game", asked)
            assert (done.code, done.error.count("\n")) == (2, 1)
            assert done.error.count(f"--game {meant}") == 1, done.error
    (tmp_path / "none.csv").write_text(f"game,ply,fen,move,score,result\n1,0,{first},zzzz,,0.5\n")
    done = zeroply("data", "build", tmp_path / "out", tmp_path / "none.csv")
    assert done.code == 2


def test_a_position_of_the_other_game_is_told_by_its_name() -> None:
    with pytest.raises(
        PositionError, match=r"10 ranks are a board of xiangqi: choose that game \(--game xiangqi\)$"
    ):
        CHESS.start(XIANGQI.start().fen())
    with pytest.raises(
        PositionError, match=r"8 ranks are a board of chess: choose that game \(--game chess\)$"
    ):
        XIANGQI.start(CHESS.start().fen())
    with pytest.raises(PositionError, match=r"9 ranks, not 10\. Check the FEN$"):
        XIANGQI.start("9/9/9/9/9/9/9/9/9 w")
    with pytest.raises(PositionError, match=r"Give a FEN with six fields$"):
        CHESS.start("")
    with pytest.raises(PositionError, match=r"Its first field has eight ranks of eight squares, the eighth"):
        CHESS.start("4k3/8/8/8/8/8/9/4K3 w - - 0 1")
