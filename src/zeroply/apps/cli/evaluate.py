"""`zeroply eval …`: how good is it? Measures on positions; contests.py has those over the board."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from zeroply.apps.cli.eval_options import (
    AnyPlayer,
    Asked,
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
)
from zeroply.apps.cli.games import PlayersGame
from zeroply.apps.cli.measuring import on_corpus, on_puzzles, on_suite
from zeroply.apps.cli.show import results, write_svg
from zeroply.apps.cli.targets import target
from zeroply.apps.cli.working import Patience

app = typer.Typer(
    no_args_is_help=True,
    help="Measure a model: policy alone, or one ply ahead where it has none; with 95 % intervals. "
    "docs/evaluation.md explains every number.",
)


def _of_policy(measure: str, told: str) -> None:
    """A command that measures a model on the test part of a corpus."""

    @app.command(measure, help=told)
    def command(
        model: Model,
        corpus: Games,
        limit: Limit = None,
        mode: Movers = Mode.human,
        elo: Elo = None,
        seed: Seed = 0,
        json_file: Json = None,
    ) -> None:
        found = on_corpus(measure, corpus, Asked(model=model, mode=mode, elo=elo, limit=limit, seed=seed))
        results(f"{model} on {corpus}", found, json_file, over="games")


_of_policy(
    "accuracy",
    "Top-1, 3, 5, NLL and perplexity against the moves played in the test part of a corpus; nothing is "
    "masked. Of all, by phase, rating and ply, beside what one gets who only counts moves. A net without a "
    "policy ranks the legal moves by its look one ply ahead, and has no NLL.",
)
_of_policy(
    "legality",
    "What the policy gives to legal moves before any mask, and how often its likeliest move is none.",
)


@app.command()
def calibration(
    model: Model,
    corpus: Games,
    limit: Limit = None,
    mode: Movers = Mode.human,
    elo: Elo = None,
    seed: Seed = 0,
    svg: Annotated[Path | None, target("--svg", "Draw what came over what was said.", ".svg")] = None,
    json_file: Json = None,
) -> None:
    """Whether the net is as sure as it may be: of win, draw and loss, of an engine's evaluations where the
    corpus has them, and of the order of its best moves."""
    from zeroply.evals.charts import calibration_svg

    found = on_corpus("calibration", corpus, Asked(model=model, mode=mode, elo=elo, limit=limit, seed=seed))
    write_svg(svg, lambda: calibration_svg(found, f"{model} on {corpus.name}"))
    results(f"{model} on {corpus}", found, json_file, over="games")


def _of_player(
    measure: str, told: str, which: str, over: str, found_by: Callable[[Path, Asked], dict[str, Any]]
) -> None:
    """A command that lets a player answer the questions of a file."""

    @app.command(measure, help=told)
    def command(
        model: AnyPlayer,
        file: Annotated[Path, typer.Argument(help=f"{which} (.gz .bz2 .xz .zst too).")],
        limit: Limit = None,
        mode: AtItsBest = Mode.best,
        elo: Elo = None,
        rules: Rules = False,
        game: PlayersGame = None,
        patience: Patience = 60.0,
        seed: Seed = 0,
        json_file: Json = None,
    ) -> None:
        asked = Asked(
            model=model,
            mode=mode,
            elo=elo,
            rules=rules,
            limit=limit,
            seed=seed,
            game=game,
            patience=patience,
        )
        found = found_by(file, asked)
        results(f"{model} on {file.name}", found, json_file, over=over)


_of_player(
    "suite",
    "Test positions: the best move found, a bad one avoided, and points where moves have some.",
    "EPD with bm, am or points as STS",
    "positions",
    on_suite,
)
_of_player(
    "puzzles",
    "Puzzles solved: the whole line must be right; any mate counts on the last move. By rating and theme.",
    "Lichess puzzles as CSV",
    "puzzles",
    on_puzzles,
)
