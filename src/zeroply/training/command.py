"""The arguments of `zeroply train`, and what they set in motion."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.workers import end_with
from zeroply.errors import RecipeError, StoppedError, ZeroplyError
from zeroply.recipes.checkpoints import LAST
from zeroply.recipes.registry import asked_for
from zeroply.training.checkpoint_io import STATE
from zeroply.training.loop import Run, train
from zeroply.training.mixture import Mixture, weighted
from zeroply.training.ranks import Ranks
from zeroply.training.resuming import check_resumable, holds_a_run


def parse(arguments: Sequence[str], program: str) -> argparse.Namespace:
    parser = _Parser(
        prog=program,
        description="Train a recipe on corpora. The run folder gets model.safetensors and metrics.jsonl.",
    )
    parser.add_argument(
        "recipe", help="a recipe's name (zeroply recipes lists them), or FILE.py, a file with one of your own"
    )
    parser.add_argument(
        "corpora",
        nargs="+",
        metavar="CORPUS[=WEIGHT]",
        help="folders that zeroply data build made; of several, batches take rows by weight (default 1)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="RUN", help="the run's folder, made anew")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run in --out, which was stopped; all else as in the command that began it",
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="change an option of the recipe"
    )
    parser.add_argument(
        "--start-from",
        type=Path,
        metavar="MODEL",
        help="begin with the weights of a run folder or checkpoint of the same recipe and size",
    )
    parser.add_argument(
        "--movers",
        type=_movers,
        default=(),
        metavar="both|winner",
        help="learn the moves of both sides or of the winner, both in a draw (default: the recipe's); "
        "for several corpora one for each: both,winner",
    )
    parser.add_argument(
        "--positions",
        choices=[positions.value for positions in Positions],
        help="once an epoch all positions, all different ones, of each game a stretch of moves from its "
        "start, one to its end and up to five random ones, or a few windows that hold all its moves, for "
        "nets that learn a whole window at once (default: the recipe's)",
    )
    parser.add_argument(
        "--workers",
        type=_whole,
        default=0,
        metavar="N",
        help="processes that replay games ahead (default 0, at most 8)",
    )
    parser.add_argument(
        "--devices",
        type=_some,
        metavar="N",
        help="GPUs of this machine that share each batch, or processes where there are none (default 1; "
        "under torchrun as many as it started)",
    )
    parser.add_argument(
        "--max-time", type=_duration, metavar="HH:MM:SS", help="stop after so long at the latest"
    )
    parser.add_argument(
        "--save-every",
        type=_whole,
        default=60,
        metavar="SECONDS",
        help="how often the state is saved that --resume goes on from (default 60; 0: after each step)",
    )
    parser.add_argument(
        "--overfit", type=_some, default=0, metavar="N", help="learn one batch of N positions by heart"
    )
    parser.add_argument(
        "--wandb", metavar="PROJECT", help="show the run to this project of Weights & Biases, too"
    )
    parser.add_argument("--seed", type=_seed, default=0, help="of weights and shuffling (default 0)")
    parser.add_argument(
        "--no-compile", action="store_true", help="do not compile the net, which is done on a GPU otherwise"
    )
    if not arguments:
        return parser.parse_args(arguments)  # names all that is missing; the other way only options
    return parser.parse_intermixed_args(arguments)


def _movers(text: str) -> tuple[Movers, ...]:
    try:
        return tuple(Movers(one) for one in text.split(","))
    except ValueError:
        known = ", ".join(movers.value for movers in Movers)
        raise argparse.ArgumentTypeError(f"'{text}' is not one of {known}, or several with commas") from None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ZeroplyError(f"{message}. See {self.prog} --help")


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to {2**32 - 1}")
    return int(text)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def _some(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 1 or more")
    return int(text)


def _duration(text: str) -> timedelta:
    found = re.fullmatch(r"(\d+):([0-5]?\d):([0-5]?\d)", text)
    hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 0)
    if not (hours or minutes or seconds):
        raise argparse.ArgumentTypeError(f"'{text}' is not HH:MM:SS, or no time at all")
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def main(arguments: Sequence[str], program: str = "python -m zeroply.training") -> None:
    given = parse(arguments, program)
    settings = dict(_setting(text) for text in given.set)
    if given.resume:
        check_resumable(given.out)
    elif holds_a_run(given.out):
        other = ", or go on with it: --resume" if (given.out / STATE).exists() else ""
        raise ZeroplyError(
            f"{given.out} already holds a trained model. Choose another --out or remove it first{other}"
        )
    ranks = Ranks.found(given.devices)
    if ranks.local and not ranks.by_torchrun:
        end_with(os.getppid())  # which started this process, and is the one to save what there is
    mixture = Mixture.open([weighted(text) for text in given.corpora])
    recipe = asked_for(given.recipe)
    run = Run(
        out=given.out,
        seed=given.seed,
        max_time=given.max_time,
        overfit=given.overfit,
        compiled=not given.no_compile,
        workers=given.workers,
        wandb=given.wandb,
        start=given.start_from,
        save_every=given.save_every,
        resume=given.resume,
        movers=given.movers,
        positions=None if given.positions is None else Positions(given.positions),
        ranks=ranks,
    )
    if given.out.exists() and not given.out.is_dir():
        raise ZeroplyError(f"--out {given.out} is a file. Choose a folder")
    if (given.out / "manifest.json").exists():
        raise ZeroplyError(f"--out {given.out} is a corpus. Choose another folder")
    made = ranks.first and not given.out.exists()
    try:
        model = train(lambda: recipe.make(mixture.game, settings), mixture, run)
    except KeyboardInterrupt:
        if not ranks.first:
            sys.exit(130)  # the first one tells
        kept = given.out / LAST
        so_far = f"{kept} is as far as it came; --resume goes on" if kept.exists() else "no model yet"
        raise StoppedError(so_far) from None
    finally:
        if made and given.out.is_dir() and not any(given.out.iterdir()):
            given.out.rmdir()  # it did not come to the first step
    if ranks.first:
        print(f"trained: {model}", file=sys.stderr)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise RecipeError(f"--set {text} has no '='. Write --set width=128")
    return name, value
