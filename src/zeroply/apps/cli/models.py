"""Commands about models: recipes, train, export, models."""

from pathlib import Path
from typing import Annotated, Any

import typer

from zeroply.apps.cli.show import print_json, table
from zeroply.errors import needs

app = typer.Typer()


@app.command()
def recipes(
    name: Annotated[str | None, typer.Argument(help="One recipe, or FILE.py, with its options.")] = None,
) -> None:
    """The recipes, or the options of one."""
    with needs("train", "zeroply recipes"):
        from zeroply.recipes import recipes as all_recipes
        from zeroply.recipes.registry import asked_for

    if name is None:
        known = all_recipes().values()
        table("Recipes", ("name", "games", ""), [(r.name, ", ".join(r.games), r.summary) for r in known])
        return
    recipe = asked_for(name)
    table(f"{recipe.name}: {recipe.summary}", ("option", "default", ""), recipe.explained())
    for option, values in recipe.presets.items():
        chosen = [
            (f"{option}={value}", "  ".join(f"{name}={number}" for name, number in numbers.items()))
            for value, numbers in values.items()
        ]
        table(f"What {option} chooses, where it is not set by name", ("", ""), chosen)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
def train(context: typer.Context) -> None:
    """Train a recipe on a corpus. `zeroply train --help` tells its arguments."""
    with needs("train", "zeroply train"):
        from zeroply.training.command import main

    main(context.args, program="zeroply train")


@app.command()
def export(
    model: Annotated[Path, typer.Argument(help="A run folder or a checkpoint.")],
    out: Annotated[Path, typer.Argument(help="The .onnx file to write.")],
    int8: Annotated[bool, typer.Option(help="Store and multiply matrices as 8-bit integers.")] = False,
    licence: Annotated[str, typer.Option(help="Of the weights, as the file shall tell it.")] = "not stated",
) -> None:
    """Write a model as one .onnx file that takes a position's row and contains the encoding."""
    with needs("train", "zeroply export"):
        from zeroply.training.export import export as write

    write(model, out, int8=int8, licence=licence)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


def _positions(training: Any) -> int:
    """Learnt from in this run and in those that it went on from."""
    count: int = training["positions"]
    return count + (_positions(training["before"]) if "before" in training else 0)


@app.command()
def models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """The models that come with the package."""
    from zeroply.artefacts import bundled
    from zeroply.players.load import load_network

    about = {name: dict(load_network(name).about) for name in bundled()}
    if as_json:
        print_json(about)
        return
    rows = [
        (
            name,
            a["game"],
            a["recipe"],
            f"{a['parameters']:,}",
            a["weights"],
            f"{_positions(a['training']):,}",
            a["training"]["date"],
            a.get("licence", ""),
        )
        for name, a in about.items()
    ]
    table(
        "Bundled models",
        ("name", "game", "recipe", "parameters", "weights", "positions seen", "trained", "licence"),
        rows,
    )
