"""Training on several corpora, as the command takes them."""

from __future__ import annotations

import json
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


def test_shares_in_training(chess: Path, puzzles: Path) -> None:
    mixture = Mixture.open([(chess, 3.0), (puzzles, 1.0)])
    training = lessons(mixture, Split.train, 128, lambda _: 400)
    assert (training.batches[7]["kind"] == Kind.puzzle).sum() == 32


def test_who_has_no_validation_part_has_no_say_in_it(chess: Path, puzzles: Path) -> None:
    mixture = Mixture.open([(chess, 3.0), (puzzles, 1.0), (chess, 1.0)])
    having = mixture.having(Split.validation)
    assert [(share, [corpus.path for corpus in one.corpora]) for share, one in having] == [
        (0.75, [chess]),
        (0.25, [chess]),
    ]


def test_each_corpus_is_judged_by_itself_and_counts_by_its_share(chess: Path, tmp_path: Path) -> None:
    """However few positions one has: all of them are looked at, and all of the other's."""
    few, run = tmp_path / "few", tmp_path / "run"
    build(few, [SAMPLE], CHESS, shares={Split.validation: 0.03})
    main(["intuition", f"{chess}=3", str(few), "--out", str(run), *TINY])
    found = load_network(str(run)).about["training"]["validation"]
    for term in ("loss", "policy", "wdl", "top1"):
        many_say, few_say = (found[f"validation_{term}/{corpus.name}"] for corpus in (chess, few))
        assert found[f"validation_{term}"] == pytest.approx(0.75 * many_say + 0.25 * few_say, rel=1e-5)
    alone = tmp_path / "alone"
    main(["intuition", str(few), "--start-from", str(run), "--out", str(alone), "--set=rate=1e-30", *TINY])
    again = load_network(str(alone)).about["training"]["validation"]
    assert again["validation_policy"] == pytest.approx(found["validation_policy/few"], abs=1e-5)
    assert not any("/" in name for name in again)


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
