"""`zeroply eval …`: how good is it?"""

from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.eval_options import (
    AtItsBest,
    Elo,
    Games,
    Json,
    Limit,
    Mode,
    Model,
    Movers,
    Rules,
    Seed,
    asked,
    player_and_about,
    positions,
    told_like,
)
from zeroply.apps.cli.show import progress, results

app = typer.Typer(
    no_args_is_help=True,
    help="Measure a model: policy alone, or one ply ahead where it has none; with 95 % intervals. "
    "docs/evaluation.md explains every number.",
)


@app.command()
def accuracy(
    model: Model,
    corpus: Games,
    limit: Limit = None,
    mode: Movers = Mode.human,
    elo: Elo = None,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Top-1, 3, 5, NLL and perplexity against the moves played in the test part of a corpus; nothing is
    masked. Of all, by phase, rating and ply, beside what one gets who only counts moves.

    A net without a policy ranks the legal moves by its look one ply ahead, and has no NLL.
    """
    from zeroply.corpus.store import Corpus
    from zeroply.evals.accuracy import accuracy as measure
    from zeroply.players.load import load_network

    opened, network = Corpus.open(corpus), load_network(model)
    like = told_like(network, mode, elo)
    found = measure(network, opened, limit=limit, like=like, seed=seed, progress=positions)
    results(f"{model} on {corpus}", asked(model, mode, like) | found, json_file, over="games")


@app.command()
def legality(
    model: Model,
    corpus: Games,
    limit: Limit = None,
    mode: Movers = Mode.human,
    elo: Elo = None,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """What the policy gives to legal moves before any mask, and how often its likeliest move is none."""
    from zeroply.corpus.store import Corpus
    from zeroply.evals.legality import legality as measure
    from zeroply.players.load import load_network

    opened, network = Corpus.open(corpus), load_network(model)
    like = told_like(network, mode, elo)
    found = measure(network, opened, limit=limit, like=like, seed=seed, progress=positions)
    results(f"{model} on {corpus}", asked(model, mode, like) | found, json_file, over="games")


@app.command()
def calibration(
    model: Model,
    corpus: Games,
    limit: Limit = None,
    mode: Movers = Mode.human,
    elo: Elo = None,
    seed: Seed = 0,
    svg: Annotated[Path | None, typer.Option(help="Draw what came over what was said.")] = None,
    json_file: Json = None,
) -> None:
    """Whether the net is as sure as it may be: of win, draw and loss, of an engine's evaluations where the
    corpus has them, and of the order of its best moves."""
    from zeroply.artefacts import new_file
    from zeroply.corpus.store import Corpus
    from zeroply.evals.calibration import calibration as measure
    from zeroply.evals.charts import calibration_svg
    from zeroply.players.load import load_network

    opened, network = Corpus.open(corpus), load_network(model)
    like = told_like(network, mode, elo)
    found = measure(network, opened, limit=limit, like=like, seed=seed, progress=positions)
    if svg is not None:
        with new_file(svg) as building:
            building.write_text(calibration_svg(found, f"{model} on {corpus.name}"), encoding="utf-8")
    results(f"{model} on {corpus}", asked(model, mode, like) | found, json_file, over="games")


@app.command()
def suite(
    model: Model,
    file: Annotated[Path, typer.Argument(help="EPD with bm, am or points as STS (.gz .bz2 .xz too).")],
    limit: Limit = None,
    mode: AtItsBest = Mode.best,
    elo: Elo = None,
    rules: Rules = False,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Test positions: the best move found, a bad one avoided, and points where moves have some."""
    from zeroply.evals.suite import play_suite, read_suite

    player, about = player_and_about(model, mode, elo, rules, "engine")
    tasks = read_suite(file, player.network.game, limit=limit, seed=seed)
    found = play_suite(player, tasks, seed, lambda steps, total: progress("batches", steps, total))
    results(f"{model} on {file.name}", about | found, json_file, over="positions")


@app.command()
def puzzles(
    model: Model,
    file: Annotated[Path, typer.Argument(help="Lichess puzzles as CSV (.gz .bz2 .xz too).")],
    limit: Limit = None,
    mode: AtItsBest = Mode.best,
    elo: Elo = None,
    rules: Rules = False,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Puzzles solved: the whole line must be right; any mate counts on the last move. By rating and theme."""
    from zeroply.evals.puzzles import read_puzzles, solve

    player, about = player_and_about(model, mode, elo, rules, "puzzle")
    game = player.network.game
    wanted = read_puzzles(file, game, limit=limit, seed=seed)
    found = solve(player, game, wanted, lambda steps, total: progress("batches", steps, total))
    results(f"{model} on {file.name}", about | found, json_file, over="puzzles")
