"""How often a net's likeliest moves are the played one, and how surprised it was, in games it never saw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.sample.labelled import Part
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import UNRATED, told
from zeroply.errors import ZeroplyError
from zeroply.evals.coordinates import of_coordinates
from zeroply.evals.evaluations import Judgements
from zeroply.evals.intervals import bootstrap_over_groups, wilson
from zeroply.games import Rows
from zeroply.players import NetPlayer, player_of
from zeroply.players.base import Network

BATCH = 256
TOPS = (1, 3, 5)
FEWEST_GAMES = 10
"""With fewer games than this no interval is given: it would be drawn from next to nothing."""


def accuracy(
    network: Network,
    corpus: Corpus,
    *,
    split: Split = Split.test,
    limit: int | None = None,
    like: NetPlayer | None = None,
    seed: int = 0,
    progress: Callable[[Iterable[Rows], int], Iterable[Rows]] = lambda batches, _: batches,
) -> dict[str, Any]:
    """Top-1, 3, 5, NLL and perplexity over the whole move table: no mask, no help of the rules. Of a net that
    answers the four coordinates of a move one by one, those of each too, and how often all four were right;
    of one that has evaluations, how near it comes to those of the corpus.

    A net without a policy ranks the legal moves by its look one ply ahead, from positions without the moves
    that led there; its shares are no policy's, so it has no NLL.

    Whole games are drawn at random until there are `limit` positions; the last game is cut. The net is told
    what `like`, a player of it, is told, or who each mover really is where that is None.
    """
    if network.game.name != corpus.game.name:
        raise ZeroplyError(
            f"the model plays {network.game.name}; {corpus.path} holds {corpus.game.name}. "
            f"Give a corpus of {network.game.name}, or a model of {corpus.game.name}"
        )
    part = Part(corpus, split, np.empty(0))
    n = min(limit or part.positions, part.positions)
    player = like or player_of(network, rating=UNRATED)
    found: list[dict[str, NDArray[Any]]] = []
    games, judgements = [], Judgements()
    for rows in progress(_batches(part, n, network.history, seed), n):
        move = rows["move"].astype(np.int64)
        if "policy" in network.outputs:
            out = network({**rows, **({} if like is None else told(len(move), **like.told))})
            found.append(_of_moves(out["policy"], move) | of_coordinates(out, move, corpus.game))
            judgements.add(out, rows)
        else:
            found.append(_of_look(player, rows, move))
        games.append(rows["game"])
    columns = {name: np.concatenate([one[name] for one in found]) for name in found[0]}
    group = np.concatenate(games)
    games_seen = len(np.unique(group))
    intervals = _intervals(columns, group, seed) if games_seen >= FEWEST_GAMES else {}
    result: dict[str, Any] = {
        "n": n,
        "games": games_seen,
        "look": player.look,
        "split": split.name,
        "same_split": _same_split(network, corpus),
    }
    for name, column in columns.items():
        bounds = (float(column.mean(dtype=np.float64)), *intervals.get(name, (None, None)))
        result |= _named(name, bounds)
        if name.startswith("nll"):
            perplexities = [None if nll is None else math.exp(nll) for nll in bounds]
            result |= _named(name.replace("nll", "perplexity"), perplexities)
    if "nll" not in columns:
        result |= _named("nll", (None,) * 3)
    return result | judgements.numbers(FEWEST_GAMES, seed)


def _intervals(
    columns: Mapping[str, NDArray[Any]], group: NDArray[np.int64], seed: int
) -> dict[str, tuple[float, float]]:
    """By name, when whole games are drawn anew. Where a share is the same in all games that shows no spread,
    as if it were certain that one who got none of 11 never gets any: there the games are so many trials."""
    values = np.stack(list(columns.values()), 1).astype(np.float64)
    bounds = zip(*(bound.tolist() for bound in bootstrap_over_groups(values, group, seed)), strict=True)
    games = len(np.unique(group))
    found = dict[str, tuple[float, float]]()
    for (name, column), (low, high) in zip(columns.items(), bounds, strict=True):
        is_share = column.dtype == np.bool_
        found[name] = wilson(float(column.mean()) * games, games) if is_share and low == high else (low, high)
    return found


def _same_split(network: Network, corpus: Corpus) -> bool:
    """Whether the net's training corpora were split as this one is; otherwise it may have seen test games."""
    training: Mapping[str, Any] = network.about.get("training", {})
    trained = training.get("corpora", [training.get("corpus", {})])  # one corpus, before there were mixtures
    return all(one.get("shares") == corpus.manifest.get("shares") for one in trained)


def _named(name: str, bounds: Sequence[float | None]) -> dict[str, float | None]:
    """A mean and its interval."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), bounds, strict=True))


def _of_moves(policy: NDArray[np.float32], move: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """[B] what is measured of each position's move."""
    chosen, rank = _ranks(policy, move)
    return {**{f"top{top}": rank < top for top in TOPS}, "nll": -chosen}


def _of_look(player: NetPlayer, rows: Rows, move: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """[B] the same of a player that looks ahead, among the legal moves; without NLL."""
    game = player.network.game
    state = {name: rows[name] for name in game.columns}
    positions = [
        game.restore({name: column[at : at + 1] for name, column in state.items()}) for at in range(len(move))
    ]
    looks = zip(player.glance(positions), move, strict=True)
    rank = np.array([int(np.flatnonzero(glance.moves == played)[0]) for glance, played in looks])
    return {f"top{top}": rank < top for top in TOPS}


def _ranks(
    policy: NDArray[np.float32], move: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The log-probability of each move [B], and its place among all; among equals the table decides."""
    chosen = np.take_along_axis(policy, move[:, None], 1)
    before = np.arange(policy.shape[1]) < move[:, None]
    return chosen[:, 0], ((policy > chosen) | ((policy == chosen) & before)).sum(1)


def _batches(part: Part, n: int, history: int, seed: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The first n positions of the part's games in random order."""
    order = np.random.default_rng(seed).permutation(len(part.games))
    wanted = int(np.searchsorted(np.cumsum(part.lengths[order]), n)) + 1
    for first in range(0, wanted, 1000):
        labelled = part.replay(order[first : min(first + 1000, wanted)])
        count = min(len(labelled), n)
        for start in range(0, count, BATCH):
            yield labelled.take(np.arange(start, min(start + BATCH, count)), history)
        n -= count
