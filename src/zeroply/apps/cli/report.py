"""`zeroply eval report`: several models in one table and one page."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zeroply.apps.cli.eval_options import Limit, Mode, Seed
from zeroply.apps.cli.measuring import on_corpus, on_puzzles, on_suite
from zeroply.apps.cli.show import when_stopped
from zeroply.apps.cli.working import SAME
from zeroply.errors import ArtefactError, ZeroplyError

if TYPE_CHECKING:
    from zeroply.evals.report import Reported

app = typer.Typer()


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
    again; what is not is measured if its data is named. So results of a ladder are put there by zeroply eval
    ladder MODEL --json OUT/results/MODEL-ladder.json.
    """
    from zeroply.artefacts import new_file
    from zeroply.corpus.store import Corpus
    from zeroply.evals.report import markdown, page

    if corpus is not None:
        Corpus.open(corpus)  # what is no corpus, or no file, is refused before anything is measured
    for file in filter(None, (puzzles, suite)):
        file.open().close()
    with when_stopped(SAME):
        found = [
            _reported(model, out, _measures(model, corpus, puzzles, suite, limit, seed), fen)
            for model in models
        ]
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
    made: Callable[[Path], dict[str, Any]] | None = None


def _measures(
    model: str, corpus: Path | None, puzzles: Path | None, suite: Path | None, limit: int | None, seed: int
) -> dict[str, _Measure]:
    def of_policy(measure: str) -> _Measure:
        return _Measure(corpus, lambda data: on_corpus(measure, model, data, limit, Mode.human, None, seed))

    return {
        **{measure: of_policy(measure) for measure in ("accuracy", "legality", "calibration")},
        "puzzles": _Measure(
            puzzles, lambda data: on_puzzles(model, data, limit, Mode.best, None, False, seed)
        ),
        "suite": _Measure(suite, lambda data: on_suite(model, data, limit, Mode.best, None, False, seed)),
        "ladder": _Measure(None),
    }


def _reported(model: str, out: Path, measures: dict[str, _Measure], fen: str | None) -> "Reported":
    from zeroply.apps.attention import attention_picture, own_position
    from zeroply.evals.report import Reported
    from zeroply.players.load import load_network

    network = load_network(model)
    found = dict[str, dict[str, Any]]()
    for measure, how in measures.items():
        path = out / "results" / f"{re.sub(r'[^A-Za-z0-9.]+', '-', model).strip('-')}-{measure}.json"
        try:
            result = _result(path, model, measure, how)
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


def _result(path: Path, model: str, measure: str, how: _Measure) -> dict[str, Any] | None:
    """The one that is there, or a new one where there is data for it."""
    from zeroply.artefacts import read_json, write_json

    if path.exists():
        found = read_json(path, "a result of zeroply eval")
        wanted = {"measure": measure, "model": model} | ({"data": how.data.name} if how.data else {})
        for name, value in wanted.items():
            if found.get(name) != value:
                raise ArtefactError(
                    f"{path} is another result: its {name} is '{found.get(name)}', not '{value}'. Remove it, "
                    "or choose another --out"
                )
        return found
    if how.data is None or how.made is None:
        return None
    found = how.made(how.data)
    write_json(path, found)
    return found
