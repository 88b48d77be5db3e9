"""One measure of one model as a flat object: for the command that prints it, and for a report of many."""

from pathlib import Path
from typing import Any

from zeroply.apps.cli.eval_options import Mode, asked, player_and_about, positions, told_like
from zeroply.apps.cli.show import progress


def _batches(steps: Any, total: int) -> Any:
    return progress("batches", steps, total)


def on_corpus(
    measure: str, model: str, corpus: Path, limit: int | None, mode: Mode, elo: int | None, seed: int
) -> dict[str, Any]:
    """`accuracy`, `legality` or `calibration` on the test part of a corpus."""
    from zeroply.corpus.store import Corpus
    from zeroply.evals.accuracy import accuracy
    from zeroply.evals.calibration import calibration
    from zeroply.evals.legality import legality
    from zeroply.players.load import load_network

    measures = {"accuracy": accuracy, "legality": legality, "calibration": calibration}
    opened, network = Corpus.open(corpus), load_network(model)
    like = told_like(network, mode, elo)
    found = measures[measure](network, opened, limit=limit, like=like, seed=seed, progress=positions)
    return _about(measure, corpus, seed) | asked(model, mode, like) | found


def on_puzzles(
    model: str, file: Path, limit: int | None, mode: Mode, elo: int | None, rules: bool, seed: int
) -> dict[str, Any]:
    from zeroply.evals.puzzles import read_puzzles, solve

    player, about = player_and_about(model, mode, elo, rules, "puzzle")
    game = player.network.game
    found = solve(player, game, read_puzzles(file, game, limit=limit, seed=seed), _batches)
    return _about("puzzles", file, seed) | about | found


def on_suite(
    model: str, file: Path, limit: int | None, mode: Mode, elo: int | None, rules: bool, seed: int
) -> dict[str, Any]:
    from zeroply.evals.suite import play_suite, read_suite

    player, about = player_and_about(model, mode, elo, rules, "engine")
    found = play_suite(player, read_suite(file, player.network.game, limit=limit, seed=seed), seed, _batches)
    return _about("suite", file, seed) | about | found


def _about(measure: str, data: Path, seed: int) -> dict[str, Any]:
    """What was measured on what: a number without its test set means nothing."""
    return {"measure": measure, "data": data.name, "seed": seed}
