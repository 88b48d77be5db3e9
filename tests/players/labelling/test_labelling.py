"""Engines label positions: what they say becomes a corpus, whatever breaks on the way."""

from __future__ import annotations

import csv
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.corpus.commands import bytes_of
from tests.players.labelling.asking import EVERYTHING, asked, fens_of, positions_of, teller
from tests.sources import CHESS, ROOT, XIANGQI
from zeroply.corpus.build import build
from zeroply.corpus.score import LINES, MATE, NO_EVALUATION
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, EngineError, ReadError, ZeroplyError
from zeroply.games import Game
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.corpus import label_into
from zeroply.players.labelling.run import label_file

pytestmark = pytest.mark.usefixtures("unhurried_greetings")

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_what_the_engine_says_is_in_the_corpus_as_the_mover_sees_it(tmp_path: Path, game: Game) -> None:
    from tests.players.telling_engine import value

    source = tmp_path / "fens.txt"
    source.write_text("\n".join(fens_of(game, 30)))
    table = tmp_path / "labels.csv"
    found = label_into(tmp_path / "out", source, asked(game=game), rule=EVERYTHING, table=table)
    corpus = Corpus.open(tmp_path / "out")
    assert found.labels.labelled == len(corpus) == len(source.read_text().splitlines())
    assert found.labels.identity == corpus.manifest["made"]["by"] == "Teller 1.0"
    assert positions_of(corpus) == source.read_text().splitlines()
    assert {fen.split()[1] for fen in positions_of(corpus)} == {"w", "b"}
    mates = 0
    for at, fen in enumerate(positions_of(corpus)):
        legal = game.start(fen).legal().tolist()
        expected = []
        for place, move in enumerate(legal[:3]):
            kind, number = value(fen, place).split()
            worth = int(number)
            if kind == "mate":
                mates += 1
                worth = MATE - worth if worth > 0 else -MATE - worth
            expected.append([move, worth])
        assert corpus.moves[at] == legal[0]
        assert corpus.evaluations[at] == expected[0][1]
        blank = [[NO_EVALUATION] * 2] * (LINES - len(expected))
        assert corpus.lines[at].tolist() == (
            expected + blank if len(expected) > 1 else [[NO_EVALUATION] * 2] * 5
        )
    assert mates
    assert not (tmp_path / ".out.labelling").exists()
    build(tmp_path / "again", [table], game)
    again = bytes_of(tmp_path / "again")
    for name, content in bytes_of(tmp_path / "out").items():
        assert name == "manifest.json" or again[name] == content, name


def test_seed_003s_table_has_the_first_players_view(tmp_path: Path, fens: Path) -> None:
    from tests.players.telling_engine import value

    for row in rows_of(label_file(fens, tmp_path / "work", asked()).table):
        place = CHESS.start(row["fen"]).legal().tolist().index(CHESS.moves.number(row["line"]))
        kind, number = value(row["fen"], place).split()
        sign = 1 if " w " in row["fen"] else -1
        assert row["mate" if kind == "mate" else "cp"] == str(sign * int(number))
        assert row["cp" if kind == "mate" else "mate"] == ""
        assert (row["depth"], row["knodes"]) == ("2", "1.234")


def test_finished_games_are_left_out_and_counted(tmp_path: Path, fens: Path) -> None:
    source = tmp_path / "more.txt"
    source.write_text(f"{MATED}\n{fens.read_text()}\n# a remark\n{STALEMATE}\nno position\n")
    found = label_into(tmp_path / "out", source, asked(), rule=EVERYTHING)
    assert (found.labels.over, found.labels.failed, found.skipped) == (2, 0, 1)
    assert found.manifest["games"] == found.labels.labelled == len(fens.read_text().splitlines())


def test_the_corpus_appears_when_the_table_is_written(
    tmp_path: Path, fens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, table = tmp_path / "out", tmp_path / "labels.csv"
    with pytest.raises(ArtefactError, match="is a folder"):
        label_into(out, fens, Asked(engine="no-such-engine", nodes=1), rule=EVERYTHING, table=tmp_path)

    def killed(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("zeroply.players.labelling.corpus.new_file", killed)
        with pytest.raises(KeyboardInterrupt):
            label_into(out, fens, asked(), rule=EVERYTHING, table=table)
    assert not out.exists()
    label_into(out, fens, asked(), rule=EVERYTHING, table=table)
    assert len(Corpus.open(out)) == len(fens.read_text().splitlines())
    assert table.exists()


@pytest.mark.slow
def test_several_engines_make_the_same_table(tmp_path: Path, fens: Path) -> None:
    one = label_file(fens, tmp_path / "one", asked())
    two = label_file(fens, tmp_path / "two", asked(), workers=2)
    assert one.table.read_bytes() == two.table.read_bytes()
    assert 0 < two.busy <= 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["crash", "garbage", "silence"])
def test_a_position_over_which_the_engine_breaks_costs_only_itself(
    tmp_path: Path, fens: Path, how: str
) -> None:
    bad = fens.read_text().splitlines()[5]
    patience = 1.5 if how == "silence" else 20.0
    found = label_into(tmp_path / "out", fens, asked(how, bad, patience=patience), rule=EVERYTHING)
    assert (found.labels.labelled, found.labels.failed) == (len(fens.read_text().splitlines()) - 1, 1)
    assert (tmp_path / "out" / "failed.txt").read_text().startswith(f"{bad}: ")
    assert bad not in positions_of(Corpus.open(tmp_path / "out"))


def test_an_illegal_move_is_left_out_with_its_position(tmp_path: Path, fens: Path) -> None:
    bad = fens.read_text().splitlines()[5]
    found = label_into(tmp_path / "out", fens, asked("illegal", bad), rule=EVERYTHING)
    assert found.manifest["skipped"] == 1
    assert "a1a2 is not legal in" in (tmp_path / "out" / "skipped.txt").read_text()
    assert bad not in positions_of(Corpus.open(tmp_path / "out"))


def test_an_engine_that_always_fails_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroply.players.labelling.asked.HOPELESS", 3)
    source = tmp_path / "fens.txt"
    source.write_text("\n".join(fens_of(CHESS, 12)))
    with pytest.raises(EngineError, match="failed in 3 positions in succession") as caught:
        label_file(source, tmp_path / "work", asked("crash", "any"))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_work_that_was_stopped_goes_on_and_asks_nothing_twice(
    tmp_path: Path, fens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    whole = label_into(tmp_path / "whole", fens, asked("", "", str(tmp_path / "other")), rule=EVERYTHING)

    def stop(positions: int, share: float) -> None:
        if positions >= 12:
            raise KeyboardInterrupt

    question = asked("", "", str(log))
    with pytest.raises(KeyboardInterrupt):
        label_into(tmp_path / "out", fens, question, rule=EVERYTHING, progress=stop)
    before = len(log.read_text().splitlines())
    assert not (tmp_path / "out").exists()
    with pytest.raises(ReadError, match="was begun with multipv 3, not multipv 2"):
        label_into(tmp_path / "out", fens, asked("", "", str(log), multipv=2), rule=EVERYTHING)
    heard: list[tuple[int, float]] = []
    patient = replace(question, patience=9)  # more or less of it changes no label
    label_into(tmp_path / "out", fens, patient, rule=EVERYTHING, progress=lambda *told: heard.append(told))
    assert 12 <= before < whole.labels.labelled
    assert len(log.read_text().splitlines()) == whole.labels.labelled
    assert heard[-1] == (whole.labels.labelled - before, 1.0)
    made = bytes_of(tmp_path / "out")
    for name, content in bytes_of(tmp_path / "whole").items():
        assert name == "manifest.json" or made[name] == content, name


@pytest.mark.slow
def test_killed_and_called_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    source = tmp_path / "fens.txt"
    source.write_text("\n".join(fens_of(CHESS, 400)))

    def command(out: str) -> list[str]:
        words = [
            "-m",
            "zeroply",
            "data",
            "label",
            str(source),
            str(tmp_path / out),
            "--engine",
            teller("slow"),
        ]
        return [sys.executable, *words, "--nodes", "5", "--multipv", "3", "--workers", "2"]

    subprocess.run(command("whole"), check=True, capture_output=True)
    parts = tmp_path / ".out.labelling" / "parts"
    for wanted in (1, 3):
        running = subprocess.Popen(command("out"), start_new_session=True)
        while len(list(parts.glob("*.json"))) < wanted and running.poll() is None:
            time.sleep(0.02)
        running.send_signal(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        time.sleep(1)  # its workers notice within a second, and their engines with them
    begun = list(parts.glob("*.json"))
    assert 3 <= len(begun) < 7
    done = subprocess.run(command("out"), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


@pytest.mark.slow
def test_what_is_labelled_when_the_time_is_up_is_the_corpus(
    tmp_path: Path, fens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = fens.read_text().splitlines()
    with pytest.raises(ZeroplyError, match="the time was up before anything was labelled"):
        label_into(tmp_path / "out", fens, asked(), rule=EVERYTHING, until=-1.0)
    monkeypatch.setattr("zeroply.corpus.ledger.time", SimpleNamespace(monotonic=itertools.count().__next__))
    found = label_into(tmp_path / "out", fens, asked(), rule=EVERYTHING, until=6)  # it goes on
    assert (
        positions_of(Corpus.open(tmp_path / "out")) == wanted[:12]
    )  # three parts of four: the clock is looked at twice for each
    assert (found.labels.labelled, found.labels.left) == (12, len(wanted) - 12)
    assert found.manifest["made"]["left"] == len(wanted) - 12


@pytest.mark.slow
@pytest.mark.parametrize("module", ["zeroply", "zeroply.players.labelling"])
def test_commands_stop_asking_when_the_time_is_up(tmp_path: Path, module: str) -> None:
    """The engine thinks for 0.02 s over each of 1,600 positions: all would take half a minute at least."""
    source = tmp_path / "fens.txt"
    source.write_text("\n".join(fens_of(CHESS, 1600)))
    words = [*(("data", "label") if module == "zeroply" else ()), str(source), str(tmp_path / "out")]
    asking = [f"--engine={teller('slow')}", "--nodes=5", "--max-time=00:00:08"]
    done = subprocess.run(
        [sys.executable, "-m", module, *words, *asking], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = {what: int(count.replace(",", "")) for count, what in re.findall(r"(\d[\d,]*) (\w+)", done.stdout)}
    assert told["positions"]
    assert told["left"]
    counted = sum(told.get(what, 0) for what in ("positions", "left", "duplicates"))
    assert counted == len(source.read_text().splitlines())


@pytest.mark.parametrize(
    ("engine", "more", "wanted"),
    [
        ("no-such-engine", {"nodes": 5}, "there is no engine 'no-such-engine'"),
        ("stockfish", {}, "say --nodes or --depth"),
        ("", {"nodes": 5}, "no engine is named"),
        (teller() + " Hush=1", {"nodes": 5}, "it has no option 'Hush'"),
        (teller(), {"nodes": 5, "multipv": 90}, "MultiPV.*at most 9"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    tmp_path: Path, fens: Path, engine: str, more: dict[str, int], wanted: str
) -> None:
    with pytest.raises(ZeroplyError, match=wanted) as caught:
        label_into(tmp_path / "out", fens, Asked(engine=engine, **more), rule=EVERYTHING)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_labels_are_made_where_numpy_alone_is_installed(tmp_path: Path, fens: Path) -> None:
    words = [
        str(fens),
        str(tmp_path / "work"),
        f"--engine={teller()}",
        "--nodes=5",
        "--multipv=3",
        "--max-time=1:0:0",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.bare", "zeroply.players.labelling", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    wanted = label_file(fens, tmp_path / "here", asked()).table
    assert "0 failed, 0 left; engines busy" in done.stdout
    assert (tmp_path / "work" / "labels.csv").read_bytes().count(b"\n") > 30
    assert (tmp_path / "work" / "labels.csv").read_bytes() == wanted.read_bytes()


@pytest.mark.slow
@pytest.mark.engine
def test_stockfish_labels_as_it_would_alone(tmp_path: Path) -> None:
    """A mate by and against Black, and a lost queen; the same again, with other positions before them."""
    mates = "6k1/5ppp/8/8/8/8/5PPP/3r2K1 w - - 0 1", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"
    down = "4k3/8/8/8/8/8/8/4K2Q b - - 0 1"
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    some = [*fens_of(CHESS, 20), MATED]
    first.write_text("\n".join([mates[1], down, *some]))
    second.write_text("\n".join([*reversed(some), down, mates[1]]))
    question = Asked(engine="stockfish", nodes=2000, multipv=4)
    found = [label_file(path, tmp_path / path.stem, question, workers=2) for path in (first, second)]
    assert [one.over for one in found] == [1, 1]
    one, other = (sorted(path.table.read_text().splitlines()) for path in found)
    assert one == other
    build(tmp_path / "out", [found[0].table], CHESS)
    corpus = Corpus.open(tmp_path / "out")
    at = dict(zip(positions_of(corpus), range(len(corpus)), strict=True))
    assert corpus.evaluations[at[mates[1]]] == MATE - 1
    assert CHESS.moves.names[corpus.moves[at[mates[1]]]] == "d8d1"
    assert corpus.evaluations[at[down]] < -300
    assert (corpus.lines[at[mates[1]], :4, 0] >= 0).all()


@pytest.mark.engine("fairy-stockfish")
def test_fairy_stockfish_labels_xiangqi(tmp_path: Path) -> None:
    source = tmp_path / "fens.txt"
    source.write_text("\n".join(fens_of(XIANGQI, 15)))
    question = Asked(engine="fairy-stockfish", game="xiangqi", nodes=300, multipv=3)
    found = label_into(tmp_path / "out", source, question, rule=EVERYTHING)
    corpus = Corpus.open(tmp_path / "out")
    assert found.manifest["skipped"] == 0
    for at, fen in enumerate(positions_of(corpus)):
        legal = set(XIANGQI.start(fen).legal().tolist())
        assert {move for move in corpus.lines[at, :, 0].tolist() if move >= 0} <= legal
