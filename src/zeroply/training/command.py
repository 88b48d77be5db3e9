"""What `zeroply train` sets in motion."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from zeroply.artefacts import LAST, load_checkpoint
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.workers import end_with
from zeroply.errors import RecipeError, StoppedError, ZeroplyError
from zeroply.training.arguments import parse
from zeroply.training.folder import check_free, check_resumable
from zeroply.training.mixture import Mixture, weighted
from zeroply.training.watchers import check_installed


def main(arguments: Sequence[str], program: str = "python -m zeroply.training") -> None:
    began = time.monotonic()
    given = parse(arguments, program)
    settings = dict(_setting(text) for text in given.set)
    (check_resumable if given.resume else check_free)(given.out)
    check_installed(given.wandb)
    mixture = _mixture(given.corpora)
    if sys.stderr.isatty() and "LOCAL_RANK" not in os.environ:  # a person waits, for the first process
        print("loading torch and Lightning …", file=sys.stderr)
    _train(given, settings, mixture, began)


def _train(given: argparse.Namespace, settings: dict[str, str], mixture: Mixture, began: float) -> None:
    # Imported here, because torch and Lightning take seconds: what is wrong with arguments is said before.
    from zeroply.recipes.registry import asked_for
    from zeroply.training.loop import Run, train
    from zeroply.training.ranks import Ranks
    from zeroply.training.start import Start

    out: Path = given.out
    ranks = Ranks.found(given.devices)
    if ranks.local and not ranks.by_torchrun:
        end_with(os.getppid())  # which started this process, and is the one to save what there is
    recipe = asked_for(given.recipe)
    start = None if given.start_from is None else Start.opened(given.start_from)
    if start is not None:
        settings = start.settings(recipe, mixture.game, settings)
    run = Run(
        out=out,
        seed=given.seed,
        within=given.within,
        max_time=given.max_time,
        began=began,
        overfit=given.overfit,
        compiled=not given.no_compile,
        workers=given.workers,
        wandb=given.wandb,
        start=start,
        save_every=given.save_every,
        resume=given.resume,
        movers=given.movers,
        positions=None if given.positions is None else Positions(given.positions),
        ranks=ranks,
    )
    made = ranks.first and not out.exists()
    try:
        with _ended_by_sigterm() if ranks.count == 1 else nullcontext():
            ended = train(lambda: recipe.make(mixture.game, settings), mixture, run)
    except KeyboardInterrupt:
        if not ranks.first:
            sys.exit(130)  # the first one tells
        raise StoppedError(_so_far(out / LAST)) from None
    finally:
        if made and out.is_dir() and not any(out.iterdir()):
            out.rmdir()  # it did not come to the first step
    if ranks.first:
        print(ended.in_words(), file=sys.stderr)


def _so_far(last: Path) -> str:
    """Of the checkpoint that is written with each state."""
    if not last.exists():
        return "no model yet"
    steps = load_checkpoint(last)[1]["training"]["steps"]
    return f"{last} has what it learned up to step {steps:,}, after which --resume goes on"


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise RecipeError(f"--set {text} has no '='. Write --set width=128")
    return name, value


def _mixture(corpora: Sequence[str]) -> Mixture:
    for text in corpora:
        name, equals, _ = text.partition("=")  # of depth=1, say, in `--set width=32 depth=1`
        if equals and not Path(name).exists() and not Path(text).exists():
            raise ZeroplyError(f"there is no corpus {name}. If {text} is an option, write --set {text}")
    return Mixture.open([weighted(text) for text in corpora])


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """SIGTERM is as Ctrl-C, where `Stop` does not hear it: Lightning alone would go on to the end of a step,
    however long the first one takes. A second one ends the process at once."""

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
