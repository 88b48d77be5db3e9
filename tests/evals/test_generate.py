"""Games between engines, made for training."""

from __future__ import annotations

import csv
import itertools
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.corpus.commands import bytes_of
from tests.sources import CHESS, XIANGQI
from zeroply.corpus.build import build
from zeroply.corpus.readers import read
from zeroply.corpus.replay import replay_games
from zeroply.corpus.score import MATE, NO_EVALUATION, Kind, Score
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, EngineError, ReadError, ZeroplyError
from zeroply.evals.generate import Wanted, generate
from zeroply.games import Game

pytestmark = pytest.mark.usefixtures("unhurried_greetings")
ENGINE = Path(__file__).parent.parent / "players" / "telling_engine.py"
QUEEN = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"


def teller(*arguments: str) -> str:
    return " ".join([f"uci:{sys.executable}", str(ENGINE), *(f"'{word}'" for word in arguments), "nodes=5"])


def wanted(white: str = "", black: str = "", game: Game = CHESS, plies: int = 24) -> Wanted:
    return Wanted(
        white=white or teller(), black=black or teller(), game=game.name, random_plies=4, ply_limit=plies
    )


def names(corpus: Corpus) -> list[str]:
    return [corpus.game.moves.names[move] for move in corpus.moves.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_moves_scores_and_results_of_both_engines(tmp_path: Path, game: Game) -> None:
    from tests.players.telling_engine import value

    found = generate(tmp_path / "out", wanted(game=game), 5, table=tmp_path / "games.csv")
    corpus = Corpus.open(tmp_path / "out")
    assert (len(corpus), found.plies, found.failures) == (5, len(corpus.moves), (0, 0))
    assert (corpus.kinds == Kind.engine).all()
    rows = replay_games(corpus, np.arange(5), np.empty(0))
    for at, fen in enumerate(game.fens(rows.state)):
        kind, number = value(fen, 0).split()
        worth = int(number)
        assert corpus.moves[at] == game.start(fen).legal()[0]
        assert corpus.evaluations[at] == (
            worth if kind == "cp" else MATE - worth if worth > 0 else -MATE - worth
        )
    with (tmp_path / "games.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["fen"] for row in table] == game.fens(rows.state)
    assert [row["move"] for row in table] == names(corpus)
    assert {row["result"] for row in table} <= {"0", "0.5", "1"}
    build(tmp_path / "again", [tmp_path / "games.csv"], game)
    again = Corpus.open(tmp_path / "again")
    np.testing.assert_array_equal(again.moves, corpus.moves)
    np.testing.assert_array_equal(again.evaluations, corpus.evaluations)


def test_games_begin_after_random_moves_that_are_no_part_of_them(tmp_path: Path) -> None:
    generate(tmp_path / "out", wanted(plies=3), 8)
    corpus = Corpus.open(tmp_path / "out")
    rows = replay_games(corpus, np.arange(8), np.empty(0))
    assert (rows.state["ply"][corpus.offsets[:-1]] == 4).all()
    assert len(set(CHESS.fens(rows.state))) == 24
    assert (corpus.results == 1).all()  # three plies decide nothing


def test_openings_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "some.epd").write_text(f"{QUEEN}\n4k3/8/8/8/8/8/4P3/4K3 w - - id 7;\n")
    question = Wanted(white=teller(), black="random", ply_limit=4)
    generate(tmp_path / "out", question, 2, openings=tmp_path / "some.epd")
    corpus = Corpus.open(tmp_path / "out")
    rows = replay_games(corpus, np.arange(2), np.empty(0))
    starts = rows.take(corpus.offsets[:-1], 0)
    assert sorted(CHESS.fens(starts)) == sorted([QUEEN, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"])
    told = corpus.evaluations != NO_EVALUATION
    assert told.tolist() == (rows.state["turn"] == 0).tolist()  # one who plays at random has no opinion


@pytest.mark.slow
@pytest.mark.parametrize("how", ["crash", "garbage", "illegal"])
def test_an_engine_that_breaks_down_loses_its_game_and_the_others_are_played(
    tmp_path: Path, how: str
) -> None:
    bad = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    (tmp_path / "some.fen").write_text(f"{bad}\n4k3/4p3/8/8/8/8/8/4K3 b - - 0 1\n{QUEEN}\n")
    question = Wanted(white=teller(how, bad), black=teller(), ply_limit=6)
    found = generate(tmp_path / "out", question, 3, openings=tmp_path / "some.fen")
    assert found.failures == (1, 0)
    assert bad in str(found.first_failure)
    assert len(Corpus.open(tmp_path / "out")) == 2


def test_a_broken_game_has_no_result(tmp_path: Path) -> None:
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    (tmp_path / "some.fen").write_text(start)
    after = CHESS.start(start)
    after = after.play(int(after.legal()[0]))
    question = Wanted(white=teller(), black=teller("crash", after.fen()), ply_limit=6)
    found = generate(tmp_path / "out", question, 1, openings=tmp_path / "some.fen")
    assert found.failures == (0, 1)
    corpus = Corpus.open(tmp_path / "out")
    assert (corpus.results.tolist(), len(corpus.moves)) == ([3], 1)


def test_players_that_cannot_play_are_refused_before_any_game(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no engine 'no-such-engine'"):
        generate(tmp_path / "out", wanted(black="uci:no-such-engine nodes=3"), 2)
    with pytest.raises(EngineError, match="did not play a single move"):
        generate(tmp_path / "out", wanted(white=teller("crash", "any")), 2)
    with pytest.raises(ZeroplyError, match="there is no player 'nobody'"):
        generate(tmp_path / "out", wanted(white="nobody"), 2)


def test_the_corpus_appears_when_the_table_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, table = tmp_path / "out", tmp_path / "games.csv"
    (tmp_path / "file").touch()
    for bad in (tmp_path, tmp_path / "file" / "games.csv"):
        with pytest.raises(ArtefactError, match=r"is a folder|cannot be written"):
            generate(out, wanted(white="nobody"), 2, table=bad)  # before anybody is asked

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("zeroply.evals.generate.export", killed)
        with pytest.raises(KeyboardInterrupt):
            generate(out, wanted(plies=4), 2, table=table)
    assert not out.exists()
    generate(out, wanted(plies=4), 2, table=table)
    assert len(Corpus.open(out)) == 2
    assert len(table.read_text().splitlines()) == 9
    assert not (tmp_path / ".out.generating").exists()


@pytest.mark.slow
def test_patience_is_passed_on(tmp_path: Path) -> None:
    asked = Wanted(white=teller("silence", "any"), black=teller(), ply_limit=4, patience=1.5)
    with pytest.raises(EngineError, match=r"no answer within 1\.5 s"):
        generate(tmp_path / "out", asked, 1)


@pytest.mark.slow
def test_stopped_it_goes_on(tmp_path: Path) -> None:
    generate(tmp_path / "whole", wanted(), 10)
    log = tmp_path / "log"

    def stop(positions: int, share: float) -> None:
        raise KeyboardInterrupt

    same = wanted(teller("", "", str(log)), teller("", "", str(log)), plies=24)
    with pytest.raises(KeyboardInterrupt):
        generate(tmp_path / "out", same, 10, progress=stop)
    with pytest.raises(ReadError, match="was begun with games 10, not games 11"):
        generate(tmp_path / "out", same, 11)
    found = generate(tmp_path / "out", replace(same, patience=9), 10)  # more or less of it changes no game
    assert len(log.read_text().splitlines()) == found.plies
    one, other = (list(read_moves(tmp_path / name)) for name in ("whole", "out"))
    assert one == other


@pytest.mark.slow
def test_what_is_over_when_the_time_is_up_is_the_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ZeroplyError, match="the time was up before a game was over"):
        generate(tmp_path / "out", wanted(), 20, until=-1.0)
    monkeypatch.setattr("zeroply.corpus.ledger.time", SimpleNamespace(monotonic=itertools.count().__next__))
    found = generate(tmp_path / "out", wanted(), 20, until=2)  # it goes on, with one round of eight
    assert (found.left, found.manifest["games"], found.manifest["made"]["left"]) == (12, 8, 12)


def read_moves(corpus: Path) -> list[int]:
    moves: list[int] = Corpus.open(corpus).moves.tolist()
    return moves


@pytest.mark.slow
def test_killed_and_called_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    def command(out: str) -> list[str]:
        players = ["--white", teller("slow"), "--black", teller("slow")]
        words = ["-m", "zeroply", "data", "generate", str(tmp_path / out), *players, "--games", "24"]
        return [sys.executable, *words, "--max-plies", "30", "--workers", "2"]

    subprocess.run(command("whole"), check=True, capture_output=True)
    parts = tmp_path / ".out.generating" / "parts"
    running = subprocess.Popen(command("out"), start_new_session=True)
    while len(list(parts.glob("*.json"))) < 2 and running.poll() is None:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    time.sleep(1)  # its workers notice within a second, and their engines with them
    assert 2 <= len(list(parts.glob("*.json"))) < 6
    done = subprocess.run(command("out"), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.engine("fairy-stockfish")
def test_fairy_stockfish_plays_xiangqi_against_itself(tmp_path: Path) -> None:
    question = Wanted(
        white="uci:fairy-stockfish nodes=300",
        black="ucci:fairy-stockfish depth=1",
        game="xiangqi",
        random_plies=4,
        ply_limit=60,
    )
    found = generate(tmp_path / "out", question, 6, workers=2, table=tmp_path / "games.csv")
    corpus = Corpus.open(tmp_path / "out")
    assert (found.failures, found.manifest["skipped"]) == ((0, 0), 0)
    assert (corpus.evaluations != NO_EVALUATION).all()
    scores = [score for score in read(tmp_path / "games.csv", XIANGQI) if isinstance(score, Score)]
    assert len(scores) == len(corpus) == 6


def test_a_table_in_the_folder_of_the_games_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match=r"games.csv would lie in .*out, which is made as a whole"):
        generate(tmp_path / "out", wanted(), 5, table=tmp_path / "out" / "games.csv")
    assert not list(tmp_path.iterdir())
