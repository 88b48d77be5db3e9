"""`zeroply eval …`: how good is it?"""

from contextlib import ExitStack
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
from zeroply.apps.cli.games import GameName
from zeroply.apps.cli.show import counter, progress, results

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
    from zeroply.evals.reliability_svg import reliability_svg
    from zeroply.players.load import load_network

    opened, network = Corpus.open(corpus), load_network(model)
    like = told_like(network, mode, elo)
    found = measure(network, opened, limit=limit, like=like, seed=seed, progress=positions)
    if svg is not None:
        with new_file(svg) as building:
            building.write_text(reliability_svg(found, f"{model} on {corpus.name}"), encoding="utf-8")
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


@app.command()
def match(
    a: Annotated[
        str, typer.Argument(help="A MODEL, random, greedy, 'uci:stockfish depth=5 UCI_Elo=1500', 'ucci:…'.")
    ],
    b: Annotated[str, typer.Argument(help="The opponent, likewise.")],
    games: Annotated[int, typer.Option(min=1, help="Each opening is played with both colours.")] = 20,
    openings: Annotated[
        Path | None, typer.Option(help="EPD or FEN file; random first moves if left out.")
    ] = None,
    game: GameName = "chess",
    rules: Rules = False,
    seed: Seed = 0,
    pgn: Annotated[Path | None, typer.Option(help="Write the games to this file.")] = None,
    json_file: Json = None,
) -> None:
    """Games between two players: wins, draws, losses and the difference in Elo, seen from A.

    A pair is two games from one opening, each player once with each colour. Intervals are taken over pairs:
    the games of one resemble each other.
    """
    from zeroply.artefacts import new_file
    from zeroply.evals.match import play_match
    from zeroply.evals.openings import random_openings, read_openings
    from zeroply.games import game_named
    from zeroply.players.rules import HELPS
    from zeroply.players.spec import look_of, mode_of, parse_player

    played, pairs = game_named(game), (games + 1) // 2
    starts = (
        read_openings(openings, played, pairs, seed) if openings else random_openings(played, pairs, seed)
    )
    helps = HELPS if rules else ()
    with ExitStack() as closing:
        first = parse_player(a, played, helps=helps)
        closing.callback(first.close)
        second = parse_player(b, played, helps=helps)
        closing.callback(second.close)
        with counter("games", games) as done:
            found = play_match(
                first, second, played, games, starts, progress=lambda so_far: done(len(so_far.played))
            )
    if pgn is not None:
        with new_file(pgn) as building:
            building.write_text(found.pgn(), encoding="utf-8")
    results(
        f"{a} against {b}",
        {"mode": mode_of(first), "look": look_of(first), "rules": rules, **found.summary()},
        json_file,
        over="pairs",
    )
