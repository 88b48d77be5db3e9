"""One measure of one model as a flat object: for the command that prints it, and for a report of many."""

from pathlib import Path
from typing import Any

from zeroply.apps.cli.eval_options import Asked, net_and_about, player_and_about, positions
from zeroply.apps.cli.show import progress

SHORT = 12
"""Characters of a digest: enough to tell files apart."""


def _batches(steps: Any, total: int) -> Any:
    return progress("batches", steps, total)


def on_corpus(measure: str, corpus: Path, asked: Asked) -> dict[str, Any]:
    """`accuracy`, `legality` or `calibration` on the test part of a corpus."""
    from zeroply.corpus.score import Split
    from zeroply.corpus.store import Corpus
    from zeroply.evals.accuracy import accuracy
    from zeroply.evals.calibration import calibration
    from zeroply.evals.legality import legality
    from zeroply.evals.positions import Sample

    measures = {"accuracy": accuracy, "legality": legality, "calibration": calibration}
    sample = Sample(Corpus.open(corpus), Split.test, asked.limit, asked.seed)
    network, like, about = net_and_about(asked)
    found = measures[measure](network, sample, like=like, progress=positions)
    return told_of(measure, corpus, asked) | about | found


def on_puzzles(file: Path, asked: Asked) -> dict[str, Any]:
    from zeroply.evals.puzzles import read_puzzles, solve

    with player_and_about(asked, "puzzle") as (player, game, about):
        found = solve(player, game, read_puzzles(file, game, limit=asked.limit, seed=asked.seed), _batches)
    return told_of("puzzles", file, asked) | about | found


def on_suite(file: Path, asked: Asked) -> dict[str, Any]:
    from zeroply.evals.suite import play_suite, read_suite

    with player_and_about(asked, "engine") as (player, game, about):
        tasks = read_suite(file, game, limit=asked.limit, seed=asked.seed)
        found = play_suite(player, tasks, asked.seed, _batches)
    return told_of("suite", file, asked) | about | found


def told_of(measure: str, data: Path, asked: Asked) -> dict[str, Any]:
    """What was measured on what: a number without its test set means nothing."""
    from zeroply.artefacts import digest_of

    content = data / "manifest.json" if data.is_dir() else data  # a manifest has the digests of its files
    return {
        "measure": measure,
        "data": data.name,
        "data_digest": digest_of(content)[:SHORT],
        "limit": asked.limit,
        "seed": asked.seed,
    }
