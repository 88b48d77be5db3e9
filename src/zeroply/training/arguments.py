"""The arguments of `zeroply train`; they are read before torch is loaded, which takes seconds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from zeroply.arguments import Parser, some, whole
from zeroply.artefacts import bundled
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.movers import Movers
from zeroply.durations import in_hours


def parse(arguments: Sequence[str], program: str) -> argparse.Namespace:
    parser = Parser(
        program, "Train a recipe on corpora. The run folder gets model.safetensors and metrics.jsonl."
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
        type=_model,
        metavar="MODEL",
        help="begin with the weights of a net of the same recipe, as large or smaller: a run folder, a "
        f"checkpoint, an .onnx file, or a bundled one ({', '.join(bundled()) or 'none here'})",
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
        type=whole,
        default=0,
        metavar="N",
        help="processes that replay games ahead (default 0, at most 8)",
    )
    parser.add_argument(
        "--devices",
        type=some,
        metavar="N",
        help="GPUs of this machine that share each batch, or processes where there are none (default 1; "
        "under torchrun as many as it started)",
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--within",
        type=in_hours,
        metavar="HH:MM:SS",
        help="be done in so long, with fewer steps if need be: the rate goes by the clock "
        "(00:25:00: 25 minutes)",
    )
    limit.add_argument(
        "--max-time",
        type=in_hours,
        metavar="HH:MM:SS",
        help="stop after so long, wherever the rate is then; --resume goes on",
    )
    parser.add_argument(
        "--save-every",
        type=whole,
        default=60,
        metavar="SECONDS",
        help="how often the state is saved that --resume goes on from (default 60; 0: after each step)",
    )
    parser.add_argument(
        "--overfit", type=some, default=0, metavar="N", help="learn one batch of N positions by heart"
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


def _model(text: str) -> Path:
    path = bundled().get(text, Path(text))  # a folder of that name is ./chess
    if not path.exists():
        raise argparse.ArgumentTypeError(
            f"there is no model '{text}'. Bundled: {', '.join(bundled()) or 'none'}; "
            "otherwise give a run folder, a .safetensors checkpoint or an .onnx file"
        )
    return path


def _movers(text: str) -> tuple[Movers, ...]:
    try:
        return tuple(Movers(one) for one in text.split(","))
    except ValueError:
        known = ", ".join(movers.value for movers in Movers)
        raise argparse.ArgumentTypeError(f"'{text}' is not one of {known}, or several with commas") from None


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to {2**32 - 1}")
    return int(text)
