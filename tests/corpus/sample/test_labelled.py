"""Labels beside the rows, and whose moves are sampled."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.corpus.sample.corpora import build_mixed
from tests.sources import CHESS, SAMPLE, XIANGQI
from zeroply.corpus.build import build
from zeroply.corpus.sample.labelled import Labelled, Part
from zeroply.corpus.sample.movers import Movers, sampled_plies
from zeroply.corpus.score import LINES, MATE, NO_EVALUATION, UNKNOWN_RESULT, Kind, Split
from zeroply.corpus.store import Corpus, packed_bytes
from zeroply.games.arrays import like


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return build_mixed(tmp_path_factory.mktemp("corpus"))


def labelled(corpus: Corpus) -> Labelled:
    return Labelled.replay(corpus, np.arange(len(corpus)), np.empty(0))


def test_outcome_and_ratings_are_the_movers(corpus: Corpus) -> None:
    rows = labelled(corpus).take(np.arange(len(corpus.moves)), 0)
    results, ratings = corpus.results[rows["game"]], corpus.ratings[rows["game"]]
    white, known = rows["turn"] == 0, results != UNKNOWN_RESULT
    np.testing.assert_array_equal(rows["outcome"][white & known], 2 - results[white & known])
    np.testing.assert_array_equal(rows["outcome"][~white & known], results[~white & known])
    assert set(rows["outcome"][~known]) == {-1}
    np.testing.assert_array_equal(rows["rating"], np.where(white, ratings[:, 0], ratings[:, 1]))
    np.testing.assert_array_equal(rows["opponent_rating"], np.where(white, ratings[:, 1], ratings[:, 0]))


def test_evaluations_are_those_of_the_position_for_its_mover(corpus: Corpus) -> None:
    rows = labelled(corpus).take(np.arange(len(corpus.moves)), 0)
    known = rows["evaluation"] != NO_EVALUATION
    assert sorted(rows["evaluation"][known]) == [-30, 20, 20, 25, 30, 500, 990, 31997]
    assert known.sum() == corpus.manifest["evaluations"]
    (castles,) = np.flatnonzero(rows["evaluation"] == 500)
    assert corpus.game.moves.names[rows["move"][castles]] == "e1g1"


def test_a_corpus_without_evaluations_says_none(corpus: Corpus) -> None:
    bare = Corpus(corpus.path, {**corpus.manifest, "evaluations": 0}, corpus.game)
    assert set(labelled(bare).take(np.arange(100), 0)["evaluation"]) == {NO_EVALUATION}


def test_kinds_tell_who_played(corpus: Corpus) -> None:
    rows = labelled(corpus).take(np.arange(len(corpus.moves)), 0)
    assert set(rows["kind"]) == {Kind.human, Kind.puzzle, Kind.label}
    np.testing.assert_array_equal(rows["kind"], corpus.kinds[rows["game"]])


def test_plies_left_count_to_the_end_of_games_that_have_one(corpus: Corpus) -> None:
    rows = labelled(corpus).take(np.arange(len(corpus.moves)), 0)
    known = corpus.results[rows["game"]] != UNKNOWN_RESULT
    assert known.any()
    assert set(rows["plies_left"][~known]) == {-1}
    for game in np.unique(rows["game"][known]):
        left = rows["plies_left"][rows["game"] == game]
        np.testing.assert_array_equal(left, np.arange(len(left), 0, -1))


def test_several_lines_come_with_their_position(tmp_path: Path) -> None:
    entry = {"depth": 9, "pvs": [{"line": "e7e5", "cp": 20}, {"line": "c7c5", "mate": -3}]}
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    (tmp_path / "evals.jsonl").write_text(json.dumps({"fen": fen, "evals": [entry]}))
    build(tmp_path / "corpus", [tmp_path / "evals.jsonl", SAMPLE], CHESS)
    corpus = Corpus.open(tmp_path / "corpus")
    for place in (np.empty(0), torch.empty(0)):
        found = Labelled.replay(corpus, np.arange(len(corpus)), place)
        rows = found.take(like(np.array([5, 0]), place), 0)
        lines = np.asarray(rows["lines"])
        assert (lines[0] == NO_EVALUATION).all()
        names = [(CHESS.moves.names[move], value) for move, value in lines[1, :2].tolist()]
        assert names == [("e7e5", -20), ("c7c5", MATE - 3)]
        assert (lines[1, 2:] == NO_EVALUATION).all()


def test_without_lines_there_are_none(corpus: Corpus) -> None:
    assert (labelled(corpus).take(np.arange(7), 0)["lines"] == np.full((7, LINES, 2), NO_EVALUATION)).all()


def test_numpy_and_torch_agree(corpus: Corpus) -> None:
    index = np.random.default_rng(0).permutation(len(corpus.moves))
    ours = labelled(corpus).take(index, 3)
    theirs = Labelled.replay(corpus, np.arange(len(corpus)), torch.empty(0)).take(torch.as_tensor(index), 3)
    assert ours.keys() == theirs.keys()
    for name, column in ours.items():
        np.testing.assert_array_equal(column, theirs[name].numpy(), err_msg=name)
        assert str(column.dtype) == str(theirs[name].dtype).removeprefix("torch.")


def test_a_part_holds_the_games_of_its_split(corpus: Corpus) -> None:
    part = Part(corpus, Split.validation, np.empty(0))
    assert len(part.games) == corpus.manifest["splits"]["validation"]
    rows = part.replay(np.arange(len(part.games))).take(np.arange(part.positions), 0)
    assert set(rows["game"]) == set(part.games[part.lengths > 0])


@pytest.mark.parametrize("movers", Movers)
def test_movers(corpus: Corpus, movers: Movers) -> None:
    """Against the words of the rule, position by position."""
    games = np.arange(len(corpus))
    rows = labelled(corpus).take(np.arange(len(corpus.moves)), 0)
    plies = sampled_plies(corpus, games, movers)
    sampled = np.zeros(len(corpus.moves), np.bool_)
    for game, (first, step, count) in enumerate(zip(plies.first, plies.step, plies.count, strict=True)):
        sampled[corpus.offsets[game] + first + step * np.arange(count)] = True
    place = np.arange(len(corpus.moves)) - corpus.offsets[rows["game"]]
    wanted = (rows["kind"] != Kind.puzzle) | (place % 2 == 1)
    wanted &= place >= corpus.past[rows["game"]]
    if movers is Movers.winner:
        wanted &= rows["outcome"] != 2
    np.testing.assert_array_equal(sampled, wanted)
    assert 0 < wanted.sum() < len(wanted)


def test_plies_of_games_in_any_order(corpus: Corpus) -> None:
    games = np.random.default_rng(0).permutation(len(corpus))[:20]
    assert corpus.plies_of(games).tolist() == [
        ply for game in games for ply in range(corpus.offsets[game], corpus.offsets[game + 1])
    ]
    assert corpus.lengths_of(games).sum() == len(corpus.plies_of(games))


def test_packed_positions_lie_as_documented() -> None:
    """Other people's programs count on it: docs/corpus.md, Rows."""
    chess = {"board": 64, "turn": 1, "rights": 4, "en_passant": 1, "halfmove": 2, "repeats": 1, "ply": 2}
    xiangqi = {"board": 90, "turn": 1, "halfmove": 2, "repeats": 1, "ply": 2}
    for game, widths in ((CHESS, chess), (XIANGQI, xiangqi)):
        spans = packed_bytes(game)
        assert [(name, span.stop - span.start) for name, span in spans.items()] == list(widths.items())
        assert [span.start for span in spans.values()] == [0, *np.cumsum(list(widths.values()))[:-1]]
