"""`zeroply eval …`: how good is it?"""

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.games import GameName
from zeroply.apps.cli.show import counter, progress, results
from zeroply.errors import ZeroplyError

app = typer.Typer(
    no_args_is_help=True,
    help="Measure a model: policy alone, or one ply ahead where it has none; with 95 % intervals.",
)


class Mode(StrEnum):
    """Two ways to ask one net."""

    best = "best"
    human = "human"


Model = Annotated[str, typer.Argument(help="A bundled name, a run folder, a checkpoint or an .onnx file.")]
Limit = Annotated[
    int | None, typer.Option(min=1, help="So many positions of whole games, or puzzles, at random.")
]
Json = Annotated[Path | None, typer.Option("--json", help="Write the numbers to this file.")]
Elo = Annotated[
    int | None, typer.Option(min=0, max=4000, help="In human mode: whom the net should play like.")
]
Rules = Annotated[
    bool, typer.Option("--rules", help="With the rules' help: a mate in one is played, a won game not drawn.")
]
Seed = Annotated[int, typer.Option(min=0, help="Of the draw.")]


def _rating(mode: Mode, elo: int | None) -> int | None:
    """Whom the net should play like, None for as well as it can: in human mode --elo, or someone unrated."""
    from zeroply.corpus.told import UNRATED

    if mode is Mode.best and elo is not None:
        raise ZeroplyError(f"--elo {elo} is for --mode human; in best mode the net plays as well as it can")
    return None if mode is Mode.best else UNRATED if elo is None else elo


@app.command()
def accuracy(
    model: Model,
    corpus: Annotated[Path, typer.Argument(help="A corpus; its test part is used.")],
    limit: Limit = None,
    mode: Annotated[Mode, typer.Option(help="human: each mover's own rating, or --elo.")] = Mode.human,
    elo: Elo = None,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Top-1, 3, 5, NLL and perplexity against the moves played in the test part of a corpus; nothing is
    masked.

    A net without a policy ranks the legal moves by its look one ply ahead, and has no NLL.
    """
    from zeroply.corpus.store import Corpus
    from zeroply.evals.accuracy import accuracy as measure
    from zeroply.players.kinds import player_of
    from zeroply.players.load import load_network

    opened, network, rating = Corpus.open(corpus), load_network(model), _rating(mode, elo)
    like = None if mode is Mode.human and elo is None else player_of(network, rating=rating)
    found = measure(
        network,
        opened,
        limit=limit,
        like=like,
        seed=seed,
        progress=lambda batches, total: progress("positions", batches, total, sizes=True),
    )
    results(
        f"{model} on {corpus}",
        {"model": model, "mode": mode.value, "rating": like and like.told["rating"], "rules": False, **found},
        json_file,
        over="games",
    )


@app.command()
def puzzles(
    model: Model,
    file: Annotated[Path, typer.Argument(help="Lichess puzzles as CSV (.gz .bz2 .xz too).")],
    limit: Limit = None,
    mode: Annotated[Mode, typer.Option(help="best: as strong as it can.")] = Mode.best,
    elo: Elo = None,
    rules: Rules = False,
    seed: Seed = 0,
    json_file: Json = None,
) -> None:
    """Puzzles solved: the whole line must be right; any mate counts on the last move."""
    from zeroply.corpus.score import Kind
    from zeroply.evals.puzzles import read_puzzles, solve
    from zeroply.players.kinds import player_of
    from zeroply.players.load import load_network
    from zeroply.players.rules import HELPS

    network = load_network(model)
    player = player_of(
        network,
        name=model,
        rating=_rating(mode, elo),
        best=Kind.puzzle,
        helps=HELPS if rules else (),
    )
    found = solve(
        player,
        network.game,
        read_puzzles(file, network.game, limit=limit, seed=seed),
        lambda steps, total: progress("batches", steps, total),
    )
    results(
        f"{model} on {file.name}",
        {
            "model": model,
            "mode": mode.value,
            "look": player.look,
            "rating": player.told["rating"],
            "kind": Kind(player.told["kind"]).name if "kind" in network.reads else None,
            "rules": rules,
            **found,
        },
        json_file,
        over="puzzles",
    )


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
