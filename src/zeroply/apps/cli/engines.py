"""`zeroply data label` and `zeroply data generate`: what engines supply."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zeroply.apps.cli.games import PlayersGame, SourcesGame
from zeroply.apps.cli.show import gauge, when_stopped
from zeroply.apps.cli.working import SAME, MaxTime, Patience, Workers
from zeroply.durations import deadline
from zeroply.errors import needs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zeroply.corpus.score import Split
    from zeroply.players.labelling.places import Rule

app = typer.Typer()


class Part(StrEnum):
    """Of a corpus."""

    train = "train"
    validation = "validation"
    test = "test"
    all = "all"


Csv = Annotated[Path | None, typer.Option("--csv", help="Write the positions to this file too.")]
Validation = Annotated[float, typer.Option(min=0, max=0.5, help="Share to watch training by.")]
Test = Annotated[float, typer.Option(min=0, max=0.49, help="Share kept for evaluation.")]


Differs = Annotated[str | None, typer.Option(help="A MODEL: only where it would not play what was played.")]
InPart = Annotated[Part, typer.Option(help="Of a corpus: which part.")]
Limit = Annotated[int | None, typer.Option(min=1, help="So many positions.")]
Seed = Annotated[int, typer.Option(min=0, help="Of the choice.")]
Stray = Annotated[float, typer.Option(min=0, max=1, help="Share taken one random legal move later.")]
Repeated = Annotated[
    bool, typer.Option("--repeated", help="Only those that were there before in their game.")
]


@app.command()
def positions(
    corpus: Annotated[Path, typer.Argument(help="A corpus.")],
    out: Annotated[Path, typer.Argument(help="The file to write, one FEN a line.")],
    differs: Differs = None,
    split: InPart = Part.train,
    limit: Limit = None,
    seed: Seed = 0,
    stray: Stray = 0.0,
    repeated: Repeated = False,
) -> None:
    """List positions of a corpus as `zeroply data label` chooses them: for another machine, or program."""
    from zeroply.corpus.store import Corpus
    from zeroply.players.labelling.corpus import choose

    with when_stopped(f"nothing was written to {out}"):
        found = choose(Corpus.open(corpus), _rule(split, limit, seed, stray, repeated), out, differs)
    print(f"{out}: {found['positions']:,} positions of {found['looked_at']:,} looked at")


def _rule(split: Part, limit: int | None, seed: int, stray: float, repeated: bool) -> "Rule":
    from zeroply.corpus.score import Split
    from zeroply.players.labelling.places import Rule

    part = None if split is Part.all else Split[split.value]
    return Rule(split=part, limit=limit, seed=seed, stray=stray, repeated=repeated)


def _ready(command: str) -> None:
    """Before hours of work: all is there that is needed at their end."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrices here: its threads would wait, busily
    with needs("data", command):
        import pyarrow  # noqa: F401


def _shares(validation: float, test: float) -> "Mapping[Split, float]":
    from zeroply.corpus.score import Split

    return {Split.validation: validation, Split.test: test}


@app.command()
def label(
    source: Annotated[Path, typer.Argument(help="A corpus, or a file with one FEN a line.")],
    out: Annotated[Path, typer.Argument(help="The corpus to make: a new folder.")],
    engine: Annotated[
        str, typer.Option(help="A program that speaks UCI, with options: 'stockfish Hash=16'; or 'ucci:…'.")
    ],
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for each position.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth for each position.")] = None,
    multipv: Annotated[int, typer.Option(min=1, max=500, help="Lines of each; five are kept.")] = 1,
    workers: Workers = 1,
    differs: Differs = None,
    split: InPart = Part.train,
    limit: Limit = None,
    seed: Seed = 0,
    stray: Stray = 0.0,
    repeated: Repeated = False,
    patience: Patience = 60.0,
    max_time: MaxTime = None,
    csv: Csv = None,
    validation: Validation = 0.01,
    test: Test = 0.01,
    game: SourcesGame = None,
) -> None:
    """Let an engine tell what positions are worth, by which line, and with --multipv what several moves are.

    The engine forgets all before each position. Killed, the same command goes on where it stopped.
    """
    until = deadline(max_time)
    _ready("zeroply data label")
    from zeroply.corpus.store import game_of
    from zeroply.players.labelling.asked import Asked
    from zeroply.players.labelling.corpus import label_into

    asked = Asked(
        engine=engine,
        game=game_of(source, game).name,
        nodes=nodes,
        depth=depth,
        multipv=multipv,
        patience=patience,
    )
    with when_stopped(SAME), gauge("positions") as done:
        found = label_into(
            out,
            source,
            asked,
            rule=_rule(split, limit, seed, stray, repeated),
            differs=differs,
            table=csv,
            shares=_shares(validation, test),
            workers=workers,
            until=until,
            progress=done,
        )
    labels, manifest = found.labels, found.manifest
    left_out = {
        "over": labels.over,
        "failed": labels.failed,
        "left when the time was up": labels.left,
        "no positions": found.skipped,
        "duplicates": manifest["duplicates"],
        "skipped": manifest["skipped"],
    }
    print(
        f"{out}: {manifest['games']:,} positions by {labels.identity}, {manifest['lines']:,} of them with "
        f"several moves; engines busy {labels.busy:.0%}"
        + "".join(f"; {number:,} {name}" for name, number in left_out.items() if number)
        + (f" (reasons in {out / 'failed.txt'})" if labels.failed else "")
    )


Engine = Annotated[str, typer.Option(help="As in eval match: 'uci:stockfish nodes=1000 UCI_Elo=1500', …")]


@app.command()
def generate(
    out: Annotated[Path, typer.Argument(help="The corpus to make: a new folder.")],
    white: Engine,
    black: Engine,
    games: Annotated[int, typer.Option(min=1, help="How many.")],
    openings: Annotated[
        Path | None, typer.Option(help="EPD or FEN file; each game takes another position of it.")
    ] = None,
    random_plies: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="Random moves before each game: 6, or none after an opening."),
    ] = None,
    max_plies: Annotated[int, typer.Option(min=1, help="After so many a game is drawn.")] = 400,
    workers: Workers = 1,
    patience: Patience = 60.0,
    max_time: MaxTime = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the openings and the random moves.")] = 0,
    csv: Csv = None,
    validation: Validation = 0.01,
    test: Test = 0.01,
    game: PlayersGame = None,
) -> None:
    """Games between engines: a corpus of their moves, results and scores.

    The rules alone end a game. An engine that breaks down loses that game, which then has no result in the
    corpus. Killed, the same command goes on where it stopped.
    """
    until = deadline(max_time)
    _ready("zeroply data generate")
    from zeroply.evals.generate import Wanted, generate
    from zeroply.evals.openings import RANDOM_PLIES
    from zeroply.players.spec import players_game

    usual = 0 if openings else RANDOM_PLIES
    wanted = Wanted(
        white=white,
        black=black,
        game=players_game([white, black], game).name,
        random_plies=usual if random_plies is None else random_plies,
        ply_limit=max_plies,
        seed=seed,
        patience=patience,
    )
    with when_stopped(SAME), gauge("positions") as done:
        found = generate(
            out,
            wanted,
            games,
            openings=openings,
            table=csv,
            shares=_shares(validation, test),
            workers=workers,
            until=until,
            progress=done,
        )
    manifest = found.manifest
    print(
        f"{out}: {manifest['games']:,} games, {manifest['plies']:,} plies; engines busy {found.busy:.0%}"
        + (f"; {manifest['duplicates']:,} duplicates" if manifest["duplicates"] else "")
        + (f"; {found.left:,} left when the time was up" if found.left else "")
    )
    for text, failures in zip((white, black), found.failures, strict=True):
        if failures:
            print(f"'{text}' broke down in {failures:,} games. The first: {found.first_failure}")
