"""Engines label positions: what they say becomes a corpus, whatever breaks on the way."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.commands import bytes_of
from tests.sources import CHESS, ROOT, SAMPLE, XIANGQI, XIANGQI_SAMPLE, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.choice import Sampling
from zeroply.corpus.sample.shuffle import Draw, Shuffle
from zeroply.corpus.score import LINES, MATE, NO_EVALUATION, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, EngineError, ReadError, ZeroplyError
from zeroply.games import Game
from zeroply.games.notation import led_to
from zeroply.players.labelling import positions, run
from zeroply.players.labelling.asked import Asked
from zeroply.players.labelling.corpus import label_into
from zeroply.players.labelling.places import PAST, Rule
from zeroply.players.labelling.positions import differing, write_chosen
from zeroply.players.labelling.run import label_file
from zeroply.players.load import load_network

pytestmark = pytest.mark.usefixtures("unhurried_greetings")
ENGINE = Path(__file__).parent.parent / "telling_engine.py"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
EVERYTHING = Rule(split=None)


def teller(*arguments: str) -> str:
    return " ".join(f"'{word}'" for word in (sys.executable, str(ENGINE), *arguments))


def asked(*arguments: str, game: Game = CHESS, multipv: int = 3, patience: float = 20.0) -> Asked:
    return Asked(engine=teller(*arguments), game=game.name, nodes=10, multipv=multipv, patience=patience)


def fens_of(game: Game, count: int) -> list[str]:
    """Positions with either side to move."""
    random, found, position = np.random.default_rng(5), list[str](), game.start()
    while len(found) < count:
        found.append(position.fen())
        position = position.play(int(random.choice(position.legal())))
        if position.result() is not None:
            position = game.start()
    return list(dict.fromkeys(found))


@pytest.fixture
def fens(tmp_path: Path) -> Path:
    path = tmp_path / "fens.txt"
    path.write_text("\n".join(fens_of(CHESS, 30)) + "\n")
    return path


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "AT_ONCE", 4)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def positions_of(corpus: Corpus) -> list[str]:
    """Those that are judged: the last of each game."""
    state = replay_games(corpus, np.arange(len(corpus)), np.empty(0)).state
    last = corpus.offsets[1:] - 1
    return corpus.game.fens({name: state[name][last] for name in corpus.game.columns})


def reached(game: Game, line: str) -> str:
    """The FEN of a position that is told by the moves that led there."""
    fen, moves = led_to(line)
    position = game.start(fen)
    for move in moves:
        position = position.play(game.moves.number(move))
    return position.fen()


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


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    out = tmp_path_factory.mktemp("labelling") / "corpus"
    build(out, [SAMPLE], CHESS, shares={Split.validation: 0.2, Split.test: 0.2})
    return Corpus.open(out)


def key(fen: str) -> str:
    """What makes a position the same for the repetition rules."""
    return " ".join(fen.split()[:4])


def positions_played(corpus: Corpus, split: Split | None) -> set[str]:
    games = np.arange(len(corpus)) if split is None else corpus.games_in(split)
    return set(map(key, CHESS.fens(replay_games(corpus, games, np.empty(0)).state)))


@pytest.mark.slow
def test_labels_remember_of_which_games_they_are(tmp_path: Path, corpus: Corpus) -> None:
    rule = replace(EVERYTHING, split=Split.train, limit=5)
    made = label_into(tmp_path / "out", corpus.path, asked(), rule=rule).manifest["made"]
    assert made["of"] == {name: corpus.manifest[name] for name in ("shares", "sources")}


@pytest.mark.parametrize("split", [Split.train, Split.test])
def test_every_different_position_is_chosen_once(tmp_path: Path, corpus: Corpus, split: Split) -> None:
    counts = write_chosen(corpus, Rule(split=split), tmp_path / "list")
    chosen = [key(reached(CHESS, line)) for line in (tmp_path / "list").read_text().splitlines()]
    assert counts["positions"] == len(chosen) == len(set(chosen))
    assert set(chosen) == positions_played(corpus, split)


def test_some_of_them_are_as_likely_as_others(tmp_path: Path, corpus: Corpus) -> None:
    lists = []
    for seed in (1, 1, 2):
        write_chosen(corpus, Rule(limit=300, seed=seed), tmp_path / "list")
        lists.append((tmp_path / "list").read_text().splitlines())
    assert lists[0] == lists[1]
    assert len(set(lists[0])) == len(set(lists[2])) == 300
    # First positions are as rare among those chosen as among the different ones.
    assert len(set(lists[0]) & set(lists[2])) < 30
    late = [int(reached(CHESS, line).split()[5]) for line in lists[0]]
    lengths = [len(game.moves) for game in sample_games()]
    assert abs(np.mean(late) - np.mean([n for length in lengths for n in range(length)]) / 2) < 8


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_labels_are_learnt_with_the_moves_that_led_there(tmp_path: Path, game: Game) -> None:
    """As in a game: what was played last and how often the position was there; but those moves themselves
    are nobody's choice, and are not learnt."""
    from tests.players.telling_engine import value

    build(tmp_path / "games", [SAMPLE if game is CHESS else XIANGQI_SAMPLE], game)
    source, rule = Corpus.open(tmp_path / "games"), Rule(split=None, limit=40, seed=2, stray=0.5)
    write_chosen(source, rule, tmp_path / "list")
    told = (tmp_path / "list").read_text().splitlines()
    label_into(tmp_path / "out", source.path, asked(game=game), rule=rule)
    corpus = Corpus.open(tmp_path / "out")
    assert positions_of(corpus) == [reached(game, line) for line in told]
    assert corpus.past.tolist() == [len(led_to(line)[1]) for line in told]
    assert set(corpus.past) >= {PAST, PAST + 1}
    draw = Draw(path=corpus.path, split=Split.train, seed=0, sampling=Sampling())
    shuffle = Shuffle(draw, np.empty(0))
    assert shuffle.positions == len(corpus.games_in(Split.train))
    rows = shuffle.block(0).take(0, shuffle.positions, PAST)
    fens = game.fens({name: rows[name] for name in game.columns})
    assert sorted(fens) == sorted(np.array(positions_of(corpus))[corpus.games_in(Split.train)])
    for number, fen in enumerate(fens):
        moves = led_to(told[rows["game"][number]])[1]
        assert [game.moves.names[move] for move in rows["past"][number] if move >= 0] == moves[-PAST:]
        kind, worth = value(fen, 0).split()
        assert kind == "mate" or rows["evaluation"][number] == int(worth)
        best = rows["lines"][number, 0].tolist()
        several = len(game.start(fen).legal()) > 1
        assert best == (
            [rows["move"][number], rows["evaluation"][number]] if several else [NO_EVALUATION] * 2
        )


def test_only_positions_that_were_there_before(tmp_path: Path) -> None:
    """Each once, and only those of which the moves that are told show it."""
    twice = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5"
    later = "1. e3 e6 2. Nf3 Nf6 3. Nd4 Nd5 4. Nb5 Nb4 5. N5a3 N4a6 6. Nb5 Nb4 7. Nd4 Nd5 8. Nf3 Nf6 9. e4"
    (tmp_path / "games.pgn").write_text(f"{twice} *\n\n{later} *\n")
    build(tmp_path / "corpus", [tmp_path / "games.pgn"], CHESS)
    corpus = Corpus.open(tmp_path / "corpus")
    rule = Rule(split=None, repeated=True)
    write_chosen(corpus, rule, tmp_path / "list")
    found = (tmp_path / "list").read_text().splitlines()
    state = replay_games(corpus, np.arange(len(corpus)), np.empty(0)).state
    repeated = {key(fen) for fen, repeats in zip(CHESS.fens(state), state["repeats"], strict=True) if repeats}
    assert {key(reached(CHESS, line)) for line in found} < repeated  # one is back after twelve moves
    assert len(found) == len({key(reached(CHESS, line)) for line in found}) > 3
    label_into(tmp_path / "out", corpus.path, asked(), rule=rule)
    labels = Corpus.open(tmp_path / "out")
    replayed = replay_games(labels, np.arange(len(labels)), np.empty(0))
    assert (replayed.state["repeats"][labels.offsets[1:] - 1] > 0).all()


def test_a_list_may_tell_what_led_to_a_position(tmp_path: Path) -> None:
    source, first = tmp_path / "list.txt", CHESS.start().fen()
    epd = f'{" ".join(first.split()[:4])} bm e4; c0 "all other moves lose";'
    bad = [f"{first} moves e2e4 e2e4", f"{first} moves nonsense", f"{first} moves e2e9"]
    source.write_text("\n".join([f"{first}\tmoves\te2e4 e7e5", *bad, epd]))
    found = label_into(tmp_path / "out", source, asked(), rule=EVERYTHING)
    corpus = Corpus.open(tmp_path / "out")
    assert (found.skipped, corpus.past.tolist()) == (3, [2, 0])
    assert positions_of(corpus) == [reached(CHESS, f"{first} moves e2e4 e7e5"), first]


def test_a_move_before_a_position_that_is_none_costs_only_that_position(tmp_path: Path) -> None:
    """Of a list that nobody has checked: where numpy alone is installed."""
    source, first = tmp_path / "list.txt", CHESS.start().fen()
    source.write_text(f"{first} moves e2e9\n{first}\n")
    found = label_file(source, tmp_path / "work", asked())
    assert (found.labelled, found.failed) == (1, 1)
    assert "e2e9" in (tmp_path / "work" / "failed.txt").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
def test_some_are_taken_one_random_move_later(tmp_path: Path, game: Game) -> None:
    build(tmp_path / "corpus", [SAMPLE if game is CHESS else XIANGQI_SAMPLE], game)
    corpus, lists = Corpus.open(tmp_path / "corpus"), dict[float, list[str]]()
    for stray in (0.0, 0.5, 1.0):
        write_chosen(corpus, Rule(limit=300, seed=3, stray=stray), tmp_path / "list")
        lists[stray] = (tmp_path / "list").read_text().splitlines()
    write_chosen(corpus, Rule(limit=300, seed=3, stray=1.0), tmp_path / "list")
    assert lists[1.0] == (tmp_path / "list").read_text().splitlines()
    # The random move is told with those before it.
    assert [line.rsplit(" ", 1)[0] for line in lists[1.0]] == [
        line if " moves " in line else f"{line} moves" for line in lists[0.0]
    ]
    lists = {stray: [reached(game, line) for line in lines] for stray, lines in lists.items()}
    moved = [before != after for before, after in zip(lists[0.0], lists[0.5], strict=True)]
    assert 0.4 < np.mean(moved) < 0.6
    first = set()
    for before, after in zip(lists[0.0], lists[1.0], strict=True):
        position = corpus.game.start(before)
        successors = [position.play(int(move)).fen() for move in position.legal()]
        first.add(successors.index(after) / len(successors) < 0.5)
    assert first == {True, False}


@pytest.mark.slow
def test_positions_in_which_a_model_would_play_otherwise(
    tmp_path: Path, corpus: Corpus, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "AT_ONCE", 32)
    network = load_network(model)
    differ = differing(network, corpus)
    counts = write_chosen(corpus, Rule(limit=20), tmp_path / "list", keep=differ, history=network.history)
    assert counts["positions"] == 20 < counts["looked_at"]
    games = np.arange(len(corpus))
    labelled = replay_games(corpus, games, np.empty(0))
    rows = labelled.take(np.arange(100), network.history)
    liked = ~differ(rows)
    assert 0.1 < liked.mean() < 0.95
    where = dict(zip(CHESS.fens({name: rows[name] for name in CHESS.columns}), liked, strict=True))
    for line in (tmp_path / "list").read_text().splitlines():
        assert not where.get(reached(CHESS, line), False)


def test_a_list_is_taken_as_it_is(tmp_path: Path, fens: Path, model: str) -> None:
    with pytest.raises(ZeroplyError, match="--differs is for a corpus"):
        label_into(tmp_path / "out", fens, asked(), rule=EVERYTHING, differs=model)
    with pytest.raises(ZeroplyError, match="--stray is for a corpus"):
        label_into(tmp_path / "out", fens, asked(), rule=replace(EVERYTHING, stray=0.5))
    with pytest.raises(ZeroplyError, match="--repeated is for a corpus"):
        label_into(tmp_path / "out", fens, asked(), rule=replace(EVERYTHING, repeated=True))


@pytest.mark.slow
def test_labels_are_made_where_numpy_alone_is_installed(tmp_path: Path, fens: Path) -> None:
    words = [str(fens), str(tmp_path / "work"), f"--engine={teller()}", "--nodes=5", "--multipv=3"]
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
