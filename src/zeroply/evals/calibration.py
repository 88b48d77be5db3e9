"""Whether a net is as sure as it may be: of results, of evaluations, and of the order of moves.

Shapes: B batch, n positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.told import UNRATED
from zeroply.errors import ZeroplyError
from zeroply.evals.evaluations import agreement
from zeroply.evals.kendall import kendall_tau
from zeroply.evals.measures import joined, measured
from zeroply.evals.positions import Progress, Sample, answers, check_game, move_weights, silent
from zeroply.evals.reliability import SHARES, Bins, curve, gap, mean_gap
from zeroply.games import Rows
from zeroply.objectives.evaluation_scale import HIGHEST, known, scaled
from zeroply.players import NetPlayer, player_of
from zeroply.players.base import Network
from zeroply.players.expectation import expected_points, tells

OUTCOMES = ("win", "draw", "loss")
"""In the order of the column `outcome` and the output `wdl`."""
EVALUATIONS = Bins(low=-HIGHEST, high=HIGHEST, count=16)

Columns = dict[str, NDArray[Any]]
"""[n] of positions that have what is asked for; `game` among them."""


def calibration(
    network: Network, sample: Sample, *, like: NetPlayer | None = None, progress: Progress = silent
) -> dict[str, Any]:
    """What the net says of win, draw and loss, and of the points that the mover may expect, against how games
    ended; its evaluations against the engine's; and its order of an engine's best moves against the engine's
    own. Each where the net and the corpus have it, of the positions of the sample; `like` as in `accuracy`.
    """
    corpus, seed = sample.corpus, sample.seed
    check_game(network, corpus)
    player = like or player_of(network, rating=UNRATED)
    results: list[Columns] = []
    evaluations: list[Columns] = []
    rankings: list[Columns] = []
    games = []
    for rows in progress(sample.batches(network.history), sample.n):
        out = answers(network, rows, like)
        results.append(_of_results(out, rows))
        evaluations.append(_of_evaluations(out, rows))
        rankings.append(_of_rankings(out, rows, player))
        games.append(rows["game"])
    found = (
        _results(joined(results), seed)
        | _evaluations(joined(evaluations), seed)
        | _rankings(joined(rankings), seed)
    )
    if not found:
        raise ZeroplyError(
            f"nothing to compare: the net returns {', '.join(network.outputs)}, and {corpus.path} has no "
            "results, evaluations or several lines of an engine that go with it. Give another corpus"
        )
    return {"look": player.look, **sample.about(network, np.concatenate(games)), **found}


def _of_results(out: Mapping[str, NDArray[np.float32]], rows: Rows) -> Columns:
    """What was said of positions whose game has a result."""
    ended = rows["outcome"] >= 0
    columns = {"game": rows["game"][ended], "outcome": rows["outcome"][ended].astype(np.int64)}
    if tells(out):
        columns["points"] = expected_points(out)[ended]
    if "wdl" in out:
        shares = np.exp(out["wdl"][ended].astype(np.float64))
        columns |= {name: shares[:, at] for at, name in enumerate(OUTCOMES)}
    return columns


def _results(columns: Columns, seed: int) -> dict[str, Any]:
    games, outcome = columns["game"], columns["outcome"]
    if "points" not in columns or not len(games):
        return {}
    things = {"points": 1 - outcome / 2}
    means = {"points_mse": (columns["points"] - things["points"]) ** 2}
    if "win" in columns:
        things |= {name: (outcome == at).astype(np.float64) for at, name in enumerate(OUTCOMES)}
        said, came = (np.stack([those[name] for name in OUTCOMES], 1) for those in (columns, things))
        means["brier"] = ((said - came) ** 2).sum(1)
        # What one gets who says of every position how often games end so.
        means["frequency_brier"] = ((came.mean(0) - came) ** 2).sum(1)
    gaps = {name: gap(columns[name], those, games, seed, SHARES) for name, those in things.items()}
    result = {"results": len(games), **measured(means, games, seed)}
    if "win" in gaps:
        result |= mean_gap([gaps[name] for name in OUTCOMES]).numbers("wdl_ece")
    for name, one in gaps.items():
        result |= one.numbers(f"{name}_ece")
    for name, those in things.items():
        result |= curve(name, columns[name], those, games, seed, SHARES)
    return result


def _of_evaluations(out: Mapping[str, NDArray[np.float32]], rows: Rows) -> Columns:
    """What was said of positions that an engine has judged."""
    judged = known(rows["evaluation"])
    columns = {name: rows[name][judged] for name in ("game", "turn")}
    columns["came"] = scaled(rows["evaluation"][judged])
    return columns | ({"said": out["evaluation"][judged].astype(np.float64)} if "evaluation" in out else {})


def _evaluations(columns: Columns, seed: int) -> dict[str, Any]:
    if "said" not in columns or not len(columns["game"]):
        return {}
    where = (columns["said"], columns["came"], columns["game"], seed)
    return (
        agreement(columns["said"], columns["came"], columns["turn"], columns["game"], seed)
        | gap(*where, EVALUATIONS).numbers("evaluation_ece")
        | curve("evaluation", *where, EVALUATIONS)
    )


def _of_rankings(out: Mapping[str, NDArray[np.float32]], rows: Rows, player: NetPlayer) -> Columns:
    """[B] τ between the net's order of the moves that an engine named and the engine's; only of positions
    where both tell some apart."""
    moves, worth = rows["lines"][:, :, 0].astype(np.int64), rows["lines"][:, :, 1]
    there = known(worth)
    several = np.flatnonzero(there.sum(1) > 1)
    some = {name: column[several] for name, column in rows.items()}
    weights: NDArray[np.floating[Any]] = (
        out["policy"][several] if "policy" in out else move_weights(player, some)
    )
    own = np.take_along_axis(weights, np.where(there, moves, 0)[several], 1)
    tau = kendall_tau(own, worth[several].astype(np.float64), there[several])
    tells_apart = np.isfinite(tau)
    return {"game": some["game"][tells_apart], "kendall_tau": tau[tells_apart]}


def _rankings(columns: Columns, seed: int) -> dict[str, Any]:
    games = columns.pop("game")
    return {"ranked": len(games), **measured(columns, games, seed)} if len(games) else {}
