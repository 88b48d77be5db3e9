"""How often a net's likeliest moves are the played one, and how surprised it was, in games it never saw."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Split
from zeroply.corpus.told import UNRATED
from zeroply.evals.bands import codes_of, measured_by_band
from zeroply.evals.coordinates import of_coordinates
from zeroply.evals.frequencies import Frequencies, Judged
from zeroply.evals.measures import joined, measured, named
from zeroply.evals.positions import Progress, Sample, answers, check_game, move_weights, silent
from zeroply.games import Rows
from zeroply.players import NetPlayer, player_of
from zeroply.players.base import Network

TOPS = (1, 3, 5)
BY_BAND = ("top1", "top3", "top5", "nll", "book_top1")
"""What is told of each phase, rating and ply too."""


def accuracy(
    network: Network, sample: Sample, *, like: NetPlayer | None = None, progress: Progress = silent
) -> dict[str, Any]:
    """Top-1, 3, 5, NLL and perplexity over the whole move table: no mask, no help of the rules; of all
    positions of the sample and of those of each phase, rating and ply; and beside them what one gets who only
    counts the moves of the training part. Of a net that answers the coordinates of a move one by one,
    those of each too, and how often all were right.

    A net without a policy ranks the legal moves by its look one ply ahead, from positions without the moves
    that led there; its shares are no policy's, so it has no NLL.

    The net is told what `like`, a player of it, is told, or who each mover really is where that is None.
    """
    corpus, seed = sample.corpus, sample.seed
    check_game(network, corpus)
    player = like or player_of(network, rating=UNRATED)
    counts = Frequencies.count(corpus, sample.batches(0), seed) if len(corpus.games_in(Split.train)) else None
    found: list[dict[str, NDArray[Any]]] = []
    counted: list[dict[str, NDArray[Any]]] = []
    codes: list[dict[str, NDArray[np.int64]]] = []
    games = []
    for rows in progress(sample.batches(network.history), sample.n):
        move = rows["move"].astype(np.int64)
        if "policy" in network.outputs:
            out = answers(network, rows, like)
            own = _of_moves(_judged(out["policy"], move)) | of_coordinates(out, move, corpus.game)
        else:
            own = _of_moves(_judged(move_weights(player, rows), move))
            del own["nll"]
        found.append(own)
        counted.append(_of_counts(counts, rows, move) if counts else {})
        codes.append(codes_of(corpus.game, rows))
        games.append(rows["game"])
    columns, baseline = joined(found), joined(counted)
    group = np.concatenate(games)
    result: dict[str, Any] = {
        "look": player.look,
        **sample.about(network, group),
        **measured(columns, group, seed),
    }
    for name in [name for name in columns if name.startswith("nll")]:
        bounds = [result[f"{name}{bound}"] for bound in ("", "_low", "_high")]
        perplexities = [None if nll is None else math.exp(nll) for nll in bounds]
        result |= named(name.replace("nll", "perplexity"), perplexities)
    if "nll" not in columns:
        result |= named("nll", (None,) * 3)
    result |= measured(baseline, group, seed) | ({"book_positions": counts.counted} if counts else {})
    some = {name: column for name, column in (columns | baseline).items() if name in BY_BAND}
    return result | measured_by_band(some, joined(codes), group, seed)


def _of_moves(judged: Judged) -> dict[str, NDArray[Any]]:
    """[B] what is measured of each position's move."""
    chosen, rank = judged
    return {**{f"top{top}": rank < top for top in TOPS}, "nll": -chosen}


def _of_counts(counts: Frequencies, rows: Rows, move: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """[B] the same of those who only count, and whether the book knew the position."""
    frequency, book, known = counts.judge(rows, move)
    found = {
        f"{who}_{name}": column
        for who, judged in (("frequency", frequency), ("book", book))
        for name, column in _of_moves(judged).items()
    }
    return {**found, "book_knows": known}


def _judged(policy: NDArray[np.floating[Any]], move: NDArray[np.int64]) -> Judged:
    """Among equals the table decides."""
    chosen = np.take_along_axis(policy, move[:, None], 1)
    before = np.arange(policy.shape[1]) < move[:, None]
    return chosen[:, 0], ((policy > chosen) | ((policy == chosen) & before)).sum(1)
