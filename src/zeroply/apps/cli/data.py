"""`zeroply data …`: from games to corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zeroply.apps.cli.show import print_json, progress, table
from zeroply.errors import ZeroplyError, needs

app = typer.Typer(no_args_is_help=True, help="Build corpora and look at them.")


@app.command()
def build(
    out: Annotated[Path, typer.Argument(help="The corpus to make: a new folder.")],
    sources: Annotated[
        list[Path], typer.Argument(help="PGN files (.gz .bz2 .xz too) or folders of plain arrays.")
    ],
    game: Annotated[str, typer.Option(help="chess")] = "chess",
    validation: Annotated[
        float, typer.Option(min=0, max=1, help="Share of games to watch training by.")
    ] = 0.01,
    test: Annotated[float, typer.Option(min=0, max=1, help="Share of games kept for evaluation.")] = 0.01,
) -> None:
    """Turn games into a corpus: every game once, split into train, validation and test by its hash."""
    with needs("data", "zeroply data build"):  # before reading for an hour
        import pyarrow  # noqa: F401

    from zeroply.corpus.build import build as build_corpus
    from zeroply.corpus.score import Split
    from zeroply.games import game_named

    if validation + test >= 1:
        raise ZeroplyError(f"--validation {validation} and --test {test} leave no games to train on")
    manifest = build_corpus(
        out,
        sources,
        game_named(game),
        shares={Split.validation: validation, Split.test: test},
        progress=lambda scores, source: progress(source.name, scores, None),
    )
    print(
        f"{out}: {manifest['games']:,} games, {manifest['plies']:,} moves; "
        f"{manifest['duplicates']:,} duplicates left out, {manifest['skipped']:,} bad games skipped"
        + (f" (listed in {out / 'skipped.txt'})" if manifest["skipped"] else "")
    )


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
    shown = {name: value for name, value in manifest.items() if name not in ("splits", "sources")}
    shown |= {f"{name} games": count for name, count in manifest["splits"].items()}
    shown["sources"] = ", ".join(source["name"] for source in manifest["sources"])
    table(str(corpus), ("", ""), [(k, f"{v:,}" if isinstance(v, int) else v) for k, v in shown.items()])
