"""What a policy gives to moves that the rules forbid, before any mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.errors import ZeroplyError
from zeroply.evals.bands import codes_of, measured_by_band
from zeroply.evals.measures import joined, measured
from zeroply.evals.positions import Progress, Sample, answers, check_game, silent
from zeroply.players import NetPlayer
from zeroply.players.base import Network

BY_BAND = ("legal_mass", "illegal_argmax")


def legality(
    network: Network, sample: Sample, *, like: NetPlayer | None = None, progress: Progress = silent
) -> dict[str, Any]:
    """Shares of the probability on legal moves, on other moves of the table and off the table, and how often
    the likeliest move is not legal; of all positions of the sample and of those of each phase, rating and
    ply. `like` as in `accuracy`."""
    corpus, seed = sample.corpus, sample.seed
    check_game(network, corpus)
    if "policy" not in network.outputs:
        raise ZeroplyError(
            f"a net that returns {', '.join(network.outputs)} has no policy, and looks at legal moves alone. "
            "Measure it by zeroply eval accuracy or calibration"
        )
    found: list[dict[str, NDArray[Any]]] = []
    codes: list[dict[str, NDArray[np.int64]]] = []
    games = []
    for rows in progress(sample.batches(network.history), sample.n):
        found.append(_of_policy(answers(network, rows, like)["policy"], corpus.game.legal(rows)))
        codes.append(codes_of(corpus.game, rows))
        games.append(rows["game"])
    columns, group = joined(found), np.concatenate(games)
    some = {name: columns[name] for name in BY_BAND}
    return {
        **sample.about(network, group),
        **measured(columns, group, seed),
        **measured_by_band(some, joined(codes), group, seed),
    }


def _of_policy(policy: NDArray[np.float32], legal: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """[B] of log-probabilities and legal moves [B, M]."""
    mass: NDArray[np.float64] = np.exp(policy.astype(np.float64))
    on_table, on_legal = mass.sum(1), (mass * legal).sum(1)
    return {
        "legal_mass": on_legal,
        "illegal_mass": on_table - on_legal,
        "off_table_mass": (1 - on_table).clip(min=0),  # a sum may be a rounding error above 1
        "illegal_argmax": ~legal[np.arange(len(policy)), policy.argmax(1)],
    }
