"""`zeroply eval match` and `zeroply eval ladder`: how strong is it, over the board?"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zeroply.apps.cli.eval_options import AnyPlayer, Json, Rules, Seed
from zeroply.apps.cli.games import PlayersGame
from zeroply.apps.cli.show import counter, results, when_stopped, write_svg
from zeroply.apps.cli.targets import target
from zeroply.apps.cli.working import SAME, Patience, Workers

if TYPE_CHECKING:
    from zeroply.evals.match_file import MatchFile
    from zeroply.games import Game
    from zeroply.players.base import Player

app = typer.Typer()

Openings = Annotated[Path | None, typer.Option(help="EPD or FEN file; random first moves if left out.")]
Pgn = Annotated[
    Path | None,
    typer.Option(help="Keep the games in this file; one that holds some of them is gone on with."),
]


@app.command()
def match(
    a: AnyPlayer,
    b: Annotated[str, typer.Argument(help="The opponent, likewise.")],
    games: Annotated[int, typer.Option(min=1, help="Each opening is played with both colours.")] = 20,
    openings: Openings = None,
    game: PlayersGame = None,
    rules: Rules = False,
    workers: Workers = 1,
    patience: Patience = 60.0,
    seed: Seed = 0,
    pgn: Pgn = None,
    json_file: Json = None,
) -> None:
    """Games between two players: wins, draws, losses and the difference in Elo, seen from A.

    A pair is two games from one opening, each player once with each colour. Intervals are taken over pairs:
    the games of one resemble each other. An engine that breaks down loses its game, and the match goes on.
    """
    from zeroply.evals.match import MatchResult, play_match
    from zeroply.players.spec import about, look_of, players_game, rules_of, temperature_of

    played = players_game([a, b], game)
    starts = _starts(openings, played, games, seed)
    with (
        _players([a, b], played, rules, patience) as (first, second),
        _kept(pgn, played, [first, second]) as file,
        counter("games", games) as done,
    ):

        def progress(so_far: MatchResult) -> None:
            done(len(so_far.played), note=_score(so_far.points()))

        found = play_match(
            first, second, played, games, starts, workers=workers, file=file, progress=progress
        )
    results(
        f"{a} against {b}",
        {
            "measure": "match",
            **about(first),
            "opponent_look": look_of(second),
            "opponent_temperature": temperature_of(second),
            "opponent_rules": rules_of(second),
            **found.summary(),
            "seed": seed,
        },
        json_file,
        over="pairs",
    )


@app.command()
def ladder(
    a: AnyPlayer,
    engine: Annotated[
        str | None,
        typer.Option(help="With UCI_Elo: stockfish, in xiangqi fairy-stockfish, if left out; 'ucci:…' too."),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Of the engine for each move.")] = 10_000,
    lowest: Annotated[
        int | None, typer.Option(help="UCI_Elo of the first rung; the engine's lowest.")
    ] = None,
    highest: Annotated[int | None, typer.Option(help="No rung is above this; the engine's highest.")] = None,
    step: Annotated[int, typer.Option(min=1, help="Elo between rungs.")] = 200,
    games: Annotated[int, typer.Option(min=2, help="In all; most of them at rungs near A's rating.")] = 100,
    openings: Openings = None,
    game: PlayersGame = None,
    rules: Rules = False,
    workers: Workers = 1,
    patience: Patience = 60.0,
    seed: Seed = 0,
    pgn: Pgn = None,
    svg: Annotated[Path | None, target("--svg", "Draw the score at each rung.", ".svg")] = None,
    json_file: Json = None,
) -> None:
    """The rating of A among strengths of an engine that limits itself: games at rising UCI_Elo with fixed
    nodes, and the rating that explains them best.

    The scale is the engine's own at these nodes. It is neither that of people nor of other engines.
    """
    from zeroply.evals.charts import ladder_svg
    from zeroply.evals.ladder import LadderResult, play_ladder
    from zeroply.evals.played import OURS
    from zeroply.evals.rungs import Climb
    from zeroply.players.spec import about, players_game

    played = players_game([a], game)
    climb = Climb.of(
        engine, played, nodes=nodes, lowest=lowest, highest=highest, step=step, patience=patience
    )
    with (
        _players([a], played, rules, patience) as (first,),
        _kept(pgn, played, [first], Event=f"{OURS}ladder", Scale=climb.scale) as file,
        counter("games", games) as done,
    ):

        def progress(so_far: LadderResult) -> None:
            done(sum(map(len, so_far.rungs.values())), note=f"at {list(so_far.rungs)[-1]}")

        result = play_ladder(
            first,
            climb,
            played,
            games,
            _starts(openings, played, games, seed),
            workers=workers,
            file=file,
            progress=progress,
        )
    found = {
        "measure": "ladder",
        **about(first),
        **result.summary(),
        "seed": seed,
    }
    write_svg(svg, lambda: ladder_svg(found, f"{a} on the ladder"))
    results(f"{a} on the scale {climb.scale}", found, json_file, over="pairs")


@contextmanager
def _players(texts: list[str], game: "Game", rules: bool, patience: float) -> "Iterator[list[Player]]":
    from zeroply.players.rules import HELPS
    from zeroply.players.spec import parse_player

    with ExitStack() as closing:
        found = []
        for text in texts:
            found.append(parse_player(text, game, helps=HELPS if rules else (), patience=patience))
            closing.callback(found[-1].close)
        yield found


@contextmanager
def _kept(
    pgn: Path | None, game: "Game", players: "list[Player]", **tags: str
) -> "Iterator[MatchFile | None]":
    """The file where games are kept, if there is one. What plays is told there, so that a match does not go
    on with another version of it."""
    from zeroply.evals.match_file import MatchFile
    from zeroply.players.spec import identity_of, rules_of

    if pgn is None:
        with when_stopped("nothing was kept; with --pgn FILE games are, and the same command goes on"):
            yield None
        return
    programs = " | ".join(dict.fromkeys(identity_of(player) for player in players))
    helped = {"RulesHelp": "yes"} if any(map(rules_of, players)) else {}
    with when_stopped(SAME), MatchFile(pgn, game, {**tags, "Programs": programs, **helped}).opened() as file:
        yield file


def _starts(openings: Path | None, game: "Game", games: int, seed: int) -> list[str]:
    from zeroply.evals.openings import random_openings, read_openings

    pairs = (games + 1) // 2
    return read_openings(openings, game, pairs, seed) if openings else random_openings(game, pairs, seed)


def _score(points: list[float]) -> str:
    return f"+{points.count(1.0)} ={points.count(0.5)} −{points.count(0.0)}"
