"""`zeroply eval report`: several models in one table and one page."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zeroply.apps.cli.eval_options import Asked, Limit, Mode, Seed
from zeroply.apps.cli.measuring import on_corpus, on_puzzles, on_suite, told_of
from zeroply.apps.cli.show import when_stopped
from zeroply.apps.cli.working import SAME
from zeroply.errors import ArtefactError, ZeroplyError

if TYPE_CHECKING:
    from zeroply.evals.report import Reported
    from zeroply.players.base import Network

app = typer.Typer()
OF_POLICY = ("accuracy", "legality", "calibration")


@app.command()
def report(
    models: Annotated[
        list[str], typer.Argument(help="Bundled names, run folders, checkpoints, .onnx files.")
    ],
    out: Annotated[Path, typer.Option(help="The folder for report.html, report.md and results/.")],
    corpus: Annotated[Path | None, typer.Option(help="For accuracy, legality and calibration.")] = None,
    puzzles: Annotated[Path | None, typer.Option(help="Lichess puzzles as CSV.")] = None,
    suite: Annotated[Path | None, typer.Option(help="Test positions in EPD.")] = None,
    fen: Annotated[
        str | None, typer.Option(help="Where attention is shown; after 16 plies of its own.")
    ] = None,
    limit: Limit = None,
    seed: Seed = 0,
) -> None:
    """Several models side by side: a table, and a page with charts and boards that needs no other file.

    Results lie in OUT/results, MODEL-MEASURE.json each, as --json writes them. What is there is not measured
    again, and refused if it is of another net, other data or another --limit; what is not is measured if its
    data is named. So results of a ladder are put there by zeroply eval ladder MODEL --json
    OUT/results/MODEL-ladder.json.
    """
    from zeroply.artefacts import check_place, new_file
    from zeroply.corpus.store import Corpus
    from zeroply.evals.report import markdown, page
    from zeroply.players.load import load_network

    # What will not do is refused before anything is measured.
    check_place(out / "report.html")
    if corpus is not None:
        Corpus.open(corpus)
    for file in filter(None, (puzzles, suite)):
        file.open().close()
    networks = {model: load_network(model) for model in models}
    for network in networks.values():
        network.game.start(fen)
    with when_stopped(SAME):
        found = [
            _reported(model, network, out, _measures(model, corpus, puzzles, suite, limit, seed), fen)
            for model, network in networks.items()
        ]
    if not any(one.found for one in found):
        raise ZeroplyError(
            f"nothing is known of {', '.join(models)}, so there is nothing to report. Give --corpus, "
            f"--puzzles or --suite to measure on, or put results in {out / 'results'}"
        )
    for name, text in (
        ("report.md", markdown(found)),
        ("report.html", page("zeroply: models compared", found)),
    ):
        with new_file(out / name) as building:
            building.write_text(text, encoding="utf-8")
    print(f"{out / 'report.html'} and {out / 'report.md'}: {', '.join(models)}")


@dataclass(frozen=True)
class _Measure:
    """On which data, and how."""

    data: Path | None
    asked: Asked
    made: Callable[[Path, Asked], dict[str, Any]] | None = None


def _measures(
    model: str, corpus: Path | None, puzzles: Path | None, suite: Path | None, limit: int | None, seed: int
) -> dict[str, _Measure]:
    by_movers = Asked(model=model, mode=Mode.human, limit=limit, seed=seed)
    at_its_best = Asked(model=model, mode=Mode.best, limit=limit, seed=seed)
    return {
        **{name: _Measure(corpus, by_movers, partial(on_corpus, name)) for name in OF_POLICY},
        "puzzles": _Measure(puzzles, at_its_best, on_puzzles),
        "suite": _Measure(suite, at_its_best, on_suite),
        "ladder": _Measure(None, at_its_best),
    }


def _reported(
    model: str, network: "Network", out: Path, measures: dict[str, _Measure], fen: str | None
) -> "Reported":
    from zeroply.apps.attention import attention_picture, own_position
    from zeroply.evals.report import Reported
    from zeroply.players.spec import net_identity

    program = net_identity(model, network)
    found = dict[str, dict[str, Any]]()
    for measure, how in measures.items():
        path = out / "results" / f"{re.sub(r'[^A-Za-z0-9.]+', '-', model).strip('-')}-{measure}.json"
        try:
            result = _result(path, measure, how, program)
        except ZeroplyError as error:
            if path.exists():
                raise
            # Not every model has all: a policy, puzzles of its game.
            print(f"{model}: no {measure}: {error}", file=sys.stderr)
            continue
        if result is not None:
            found[measure] = result
    about = network.about
    size = f", {about['parameters'] / 1e6:.1f} M parameters" if "parameters" in about else ""
    position = own_position(network) if fen is None else network.game.start(fen)
    drawn = attention_picture(network, position)
    return Reported(
        name=model,
        facts=f"{network.game.name}, {about.get('recipe', 'unknown recipe')}{size}",
        found=found,
        pictures={} if drawn is None else {WHERE: drawn},
    )


WHERE = "the redder a square, the more the piece that it would move looks at it; mean over layers and heads"


def _result(path: Path, measure: str, how: _Measure, program: str) -> dict[str, Any] | None:
    """The one that is there, or a new one where there is data for it."""
    from zeroply.artefacts import read_json, write_json
    from zeroply.evals.report import unwritable

    if path.exists():
        found = read_json(path, "a result of zeroply eval")
        wanted: dict[str, Any] = {"measure": measure, "model": how.asked.model, "program": program}
        if how.data is not None:
            wanted |= told_of(measure, how.data, how.asked)
            wanted |= {"mode": how.asked.mode.value, "rules": how.asked.rules}
        if how.asked.mode is Mode.human:
            wanted |= {"rating": None}  # each mover's own
        for name, value in wanted.items():
            if name not in found or found[name] != value:
                raise ArtefactError(
                    f"{path} is another result: its {name} is '{found.get(name)}', not '{value}'. Remove it, "
                    "or choose another --out"
                )
        if (wrong := unwritable(found)) is not None:
            raise ArtefactError(
                f"{path} is damaged: its {wrong} is {found.get(wrong)!r}. Remove it, and it is measured anew"
            )
        return found
    if how.data is None or how.made is None:
        return None
    found = how.made(how.data, how.asked)
    write_json(path, found)
    return found
