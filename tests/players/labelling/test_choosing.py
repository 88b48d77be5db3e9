"""Which positions of a corpus or a list are labelled, and with which past."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.players.labelling.asking import EVERYTHING, asked, positions_of
from tests.players.telling_engine import value
from tests.sources import CHESS, SAMPLE, XIANGQI, XIANGQI_SAMPLE, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.replay import replay_games
from zeroply.corpus.sample.choice import Sampling
from zeroply.corpus.sample.shuffle import Draw, Shuffle
from zeroply.corpus.score import NO_EVALUATION, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.games.notation import led_to
from zeroply.players.labelling import positions
from zeroply.players.labelling.corpus import label_into
from zeroply.players.labelling.places import PAST, Rule
from zeroply.players.labelling.positions import differing, write_chosen
from zeroply.players.labelling.run import label_file
from zeroply.players.load import load_network

pytestmark = pytest.mark.usefixtures("unhurried_greetings")


def reached(game: Game, line: str) -> str:
    """The FEN of a position that is told by the moves that led there."""
    fen, moves = led_to(line)
    position = game.start(fen)
    for move in moves:
        position = position.play(game.moves.number(move))
    return position.fen()


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
