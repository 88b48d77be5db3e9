"""`zeroply data …`: from games to corpora."""

import gc
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.games import GameName, SourcesGame
from zeroply.apps.cli.show import counter, gauge, print_json, table, when_stopped
from zeroply.errors import ZeroplyError, needs

app = typer.Typer(no_args_is_help=True, help="Build corpora and look at them.")
MOST_ROWS = 1000
"""Rows of an answer that are printed for people."""


@app.command()
def build(
    out: Annotated[Path, typer.Argument(help="The corpus to make: a new folder.")],
    sources: Annotated[
        list[Path], typer.Argument(help="Files and folders of games; docs/corpus.md lists formats.")
    ],
    game: GameName = "chess",
    where: Annotated[
        str | None,
        typer.Option(help='Keep only games that fit: "average_elo > 2000 AND base_seconds >= 600".'),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that parse games.")] = 1,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep games that come again.")
    ] = False,
    validation: Annotated[
        float, typer.Option(min=0, max=0.99, help="Share of games to watch training by; with --test below 1.")
    ] = 0.01,
    test: Annotated[float, typer.Option(min=0, max=0.99, help="Share of games kept for evaluation.")] = 0.01,
) -> None:
    """Turn games into a corpus: every game once, split into train, validation and test by its hash.

    Killed, the same command goes on where it stopped.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrices here: its threads would wait, busily
    gc.set_threshold(100_000)  # many objects and hardly a cycle: searching them for cycles takes long
    with needs("data", "zeroply data build"):  # before reading for an hour
        import pyarrow  # noqa: F401

    from zeroply.corpus.build import build as build_corpus
    from zeroply.corpus.score import Split
    from zeroply.games import game_named

    gc.freeze()  # what is loaded by now stays to the end: nor is it searched when the program ends
    if validation + test >= 1:
        raise ZeroplyError(
            f"--validation {validation} and --test {test} leave no games to train on. Choose smaller shares"
        )
    with when_stopped("the same command goes on where it was"), gauge("games") as done:
        manifest = build_corpus(
            out,
            sources,
            game_named(game),
            where=where,
            shares={Split.validation: validation, Split.test: test},
            keep_duplicates=keep_duplicates,
            workers=workers,
            progress=done,
        )
    for reason in manifest["incomplete"]:
        print(f"{reason} What came before the break is in {out}", file=sys.stderr)
    for line in manifest["gave_none"]:
        print(line, file=sys.stderr)
    left_out = {name: manifest[name] for name in ("duplicates", "filtered", "skipped") if manifest[name]}
    print(
        f"{out}: {manifest['games']:,} games, {manifest['plies']:,} plies"
        + "".join(f"; {number:,} {name}" for name, number in left_out.items())
        + (f" (reasons in {out / 'skipped.txt'})" if "skipped" in left_out else "")
    )


@app.command()
def sql(
    corpus: Annotated[Path, typer.Argument(help="A corpus.")],
    query: Annotated[
        str, typer.Argument(help='"SELECT … FROM games": one row a game, tags and derived columns.')
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Ask a corpus a question in SQL. docs/corpus.md lists the columns of `games`."""
    from zeroply.corpus.sql import corpus_table
    from zeroply.corpus.sql import query as ask
    from zeroply.corpus.store import Corpus

    answer = ask(corpus_table(Corpus.open(corpus)), query)
    if as_json:
        print_json(answer.records())
        return
    shown = [["" if value is None else value for value in row] for row in answer.rows[:MOST_ROWS]]
    table(f"{len(answer.rows):,} rows", answer.names, shown)
    if len(answer.rows) > MOST_ROWS:
        print(f"and {len(answer.rows) - MOST_ROWS:,} more rows: --json prints all")


@app.command()
def show(
    source: Annotated[Path, typer.Argument(help="A file of games or a corpus.")],
    game_number: Annotated[int, typer.Option(min=1, help="Which game.")] = 1,
    game: SourcesGame = None,
) -> None:
    """One game: players, result, number of plies, the first ten, the last board."""
    from zeroply.corpus.show import describe, find_game
    from zeroply.corpus.store import game_of

    print(describe(*find_game(source, game_number, game_of(source, game))))


@app.command()
def export(
    corpus: Annotated[Path, typer.Argument(help="A corpus.")],
    out: Annotated[Path, typer.Argument(help="The file or, for castle, the folder to write.")],
    format_name: Annotated[str, typer.Option("--format", help="castle, parquet, csv or pgn.")],
    split: Annotated[str, typer.Option(help="train, validation, test or all.")] = "all",
) -> None:
    """Write a corpus or one of its splits in another format, for other programs."""
    with needs("data", "zeroply data export"):
        import pyarrow  # noqa: F401

    from zeroply.corpus.exports import export as write
    from zeroply.corpus.store import Corpus

    with when_stopped(f"nothing was written to {out}"):
        print(write(Corpus.open(corpus), out, format_name, split))


@app.command()
def download(
    name: Annotated[str, typer.Argument(help="lichess-games, lichess-evals or lichess-puzzles.")],
    folder: Annotated[Path, typer.Option(help="Where to put the file.")] = Path(),
    month: Annotated[
        str | None, typer.Option(help="Of lichess-games: YYYY-MM; the latest if left out.")
    ] = None,
) -> None:
    """Fetch public games, evaluations or puzzles; stopped, the same command goes on where it was."""
    from zeroply.corpus.download import download as fetch

    with when_stopped("the same command goes on where it was"), counter("bytes") as done:
        path = fetch(name, folder, month=month, progress=done)
    print(path)


@app.command()
def info(
    corpus: Annotated[Path, typer.Argument(help="A corpus.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest as JSON.")] = False,
) -> None:
    """What a corpus holds and where it comes from."""
    from zeroply.corpus.store import Corpus

    manifest = Corpus.open(corpus).manifest
    if as_json:
        print_json(manifest)
        return
    told = ("schema", "game", "games", "plies", "evaluations", "lines", "clocks", "past")
    left_out = ("duplicates", "filtered", "skipped")
    shown = {name: manifest[name] for name in (*told, *left_out) if name in manifest}
    shown["other starts"] = manifest["positions"]
    shown["move table"] = f"{manifest['moves']:,} moves, {manifest['digest']}"
    for name, count in manifest["splits"].items():
        share = manifest["shares"].get(name)
        shown[f"{name} games"] = f"{count:,}" + ("" if share is None else f" (share {share:g})")
    if manifest.get("where"):
        shown["where"] = manifest["where"]
    shown["sources"] = "\n".join(
        f"{source['name']} ({source['sha256'][:8]})" for source in manifest["sources"]
    )
    table(str(corpus), ("", ""), [(k, f"{v:,}" if isinstance(v, int) else v) for k, v in shown.items()])
