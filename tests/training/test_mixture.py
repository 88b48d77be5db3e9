"""Training on several corpora, as the command takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.sources import CHESS, PUZZLES, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.ahead import Workers
from zeroply.corpus.sample.choice import Positions, Sampling
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.corpus.score import Kind, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, ZeroplyError
from zeroply.players.load import load_network
from zeroply.training.command import main
from zeroply.training.mixture import Lessons, Mixture, weighted

TINY = [
    f"--set={option}"
    for option in ("width=32", "depth=1", "heads=2", "inner=32", "warmup=5", "batch=128", "steps=4")
]


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without a validation part."""
    out = tmp_path_factory.mktemp("corpora") / "puzzles"
    build(out, [PUZZLES], CHESS, shares={})
    return out


def lessons(
    mixture: Mixture, split: Split, batch: int, steps: Callable[[int], int], chunk: int = BLOCK
) -> Lessons:
    return mixture.batches(
        split,
        batch=batch,
        history=2,
        seed=0,
        place=np.empty(0),
        workers=Workers(0),
        steps=steps,
        chunk=chunk,
    )


def test_weights(tmp_path: Path) -> None:
    assert weighted("corpus") == (Path("corpus"), 1.0)
    assert weighted("corpus=2.5") == (Path("corpus"), 2.5)
    (tmp_path / "a=3").mkdir()
    assert weighted(str(tmp_path / "a=3")) == (tmp_path / "a=3", 1.0)
    assert weighted(f"{tmp_path / 'a=3'}=2") == (tmp_path / "a=3", 2.0)
    for wrong in ("corpus=", "corpus=0", "corpus=-1", "corpus=nan", "corpus=two"):
        with pytest.raises(ZeroplyError, match=r"is not a weight\. Write CORPUS=2"):
            weighted(wrong)


def test_shares_in_training_and_validation(chess: Path, puzzles: Path) -> None:
    mixture = Mixture.open([(chess, 3.0), (puzzles, 1.0)])
    training = lessons(mixture, Split.train, 128, lambda _: 400)
    assert (training.batches[7]["kind"] == Kind.puzzle).sum() == 32
    validation = lessons(mixture, Split.validation, 10**6, lambda _: 400)
    assert validation.steps == validation.epoch == 1
    rows = validation.batches[0]  # the puzzles have no such part; each position comes once
    assert set(rows["kind"]) == {Kind.human}
    splits, lengths = mixture.corpora[0].splits, np.diff(mixture.corpora[0].offsets)
    assert len(rows["move"]) == lengths[splits == Split.validation].sum()


def test_the_corpus_that_limits_validation_is_named(
    chess: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two equal shares the smaller part is looked at once, and as much of the other."""
    few = tmp_path / "few"
    build(few, [SAMPLE], CHESS, shares={Split.validation: 0.03})
    main(["intuition", str(chess), str(few), "--out", str(tmp_path / "run"), *TINY])
    corpus = Corpus.open(few)
    count = corpus.lengths_of(corpus.games_in(Split.validation)).sum()
    told = rf"\nof {1405 + count:,} to validate by [\d,]+ are looked at: {few} has {count:,}, and the corpora"
    assert re.search(told, capsys.readouterr().err)


def test_windows_are_for_nets_that_learn_them(chess: Path) -> None:
    mixture = Mixture.open([(chess, 1.0)])
    with pytest.raises(ZeroplyError, match=r"--positions windows is for recipes .*\. Choose all"):
        mixture.sampled(Sampling(), (), Positions.windows)
    mixture.sampled(Sampling(positions=Positions.windows), (), Positions.windows)


def test_every_position_of_a_validation_part_is_looked_at_once(chess: Path) -> None:
    corpus = Corpus.open(chess)
    looks = lessons(Mixture.open([(chess, 1.0)]), Split.validation, 100, lambda epoch: epoch)
    seen = [looks.batches[step] for step in range(looks.steps)]
    found = {(game, ply) for rows in seen for game, ply in zip(rows["game"], rows["ply"], strict=True)}
    positions = corpus.lengths_of(corpus.games_in(Split.validation)).sum()
    assert len(found) == sum(len(rows["move"]) for rows in seen) == positions
    assert {len(rows["move"]) for rows in seen[:-1]} == {100} != {len(seen[-1]["move"])}


def test_a_mixture_of_two_games_is_refused(
    chess: Path, puzzles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mixture = Mixture.open([(chess, 1.0), (puzzles, 1.0)])
    object.__setattr__(mixture.corpora[1], "game", _Other())
    monkeypatch.setattr(
        "zeroply.training.mixture.Corpus.open", lambda path: mixture.corpora[int(path == puzzles)]
    )
    with pytest.raises(ZeroplyError, match=r"puzzles holds draughts, .*games chess\. Train on"):
        Mixture.open([(chess, 1.0), (puzzles, 1.0)])


class _Other:
    name = "draughts"


def test_a_corpus_without_training_games_is_explained(chess: Path, tmp_path: Path) -> None:
    build(tmp_path / "none", [SAMPLE], CHESS, shares={Split.validation: 1.0})
    with pytest.raises(ArtefactError, match="none has no positions to sample in its train part"):
        main(["intuition", str(chess), str(tmp_path / "none"), "--out", str(tmp_path / "run"), *TINY])


def test_the_checkpoint_records_corpora_and_sampling(chess: Path, puzzles: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    arguments = ["intuition", f"{chess}=3", "--movers=winner", "--positions=unique", "--out", str(run)]
    main([*arguments, str(puzzles), *TINY])
    training = load_network(str(run)).about["training"]
    recorded = [
        (one["weight"], one["shares"]["validation"], one["movers"], one["positions_sampled"])
        for one in training["corpora"]
    ]
    assert recorded == [(3.0, 0.1, "winner", "unique"), (1.0, 0.0, "winner", "unique")]
    assert json.loads((puzzles / "manifest.json").read_text())["games"] == training["corpora"][1]["games"]
    assert "validation_loss" in training["validation"]
    for corpus in (chess, puzzles):
        assert len(list(corpus.glob("occurrences-*.npy"))) == 1


def test_movers_of_each_corpus(chess: Path, puzzles: Path) -> None:
    mixture = Mixture.open([(chess, 1.0), (puzzles, 1.0)])

    def movers(*asked: Movers) -> list[Movers]:
        return [sampling.movers for sampling in mixture.sampled(Sampling(), asked).samplings]

    assert movers() == [Movers.both, Movers.both]
    assert movers(Movers.winner) == [Movers.winner, Movers.winner]
    assert movers(Movers.both, Movers.winner) == [Movers.both, Movers.winner]
    with pytest.raises(ZeroplyError, match=r"--movers names 3 choices for 2 corpora"):
        movers(Movers.both, Movers.both, Movers.both)


def test_unknown_choices_are_explained(chess: Path, tmp_path: Path) -> None:
    for option in ("--movers=loser", "--positions=some", "--workers=-1"):
        with pytest.raises(ZeroplyError, match=option.partition("=")[0]):
            main(["intuition", str(chess), "--out", str(tmp_path / "run"), option])


@pytest.mark.slow
def test_workers_do_not_change_a_run(chess: Path, puzzles: Path, tmp_path: Path) -> None:
    losses = []
    for workers in ("0", "2"):
        run = tmp_path / workers
        main(["intuition", str(chess), str(puzzles), "--out", str(run), "--workers", workers, *TINY])
        entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        losses.append([entry["policy"] for entry in entries if "policy" in entry])
    assert losses[0] == losses[1] != []


def test_sampling_reaches_the_batches(chess: Path) -> None:
    sampling = Sampling(movers=Movers.winner, positions=Positions.subsequences)
    mixture = Mixture.open([(chess, 1.0)]).sampled(sampling)
    found = lessons(mixture, Split.train, 64, lambda epoch: 2 * epoch)
    assert found.steps == 2 * found.epoch
    rows = [found.batches[k] for k in range(found.epoch)]
    assert all((batch["outcome"] != 2).all() for batch in rows)
    per_game = np.bincount(np.concatenate([batch["game"] for batch in rows]))
    assert per_game.max() == 7


def test_a_small_share_is_mixed_as_well(chess: Path, puzzles: Path) -> None:
    """Its blocks are small; they must not come from one place of the corpus."""
    mixture = Mixture.open([(chess, 0.01), (puzzles, 0.99)])
    rows = lessons(mixture, Split.train, 50_000, lambda _: 1, chunk=400_000).batches[0]
    seen = rows["game"][rows["kind"] == Kind.human]
    assert len(seen) == 500
    assert len(np.unique(seen * 5 // len(mixture.corpora[0]))) == 5  # from every fifth of the corpus
