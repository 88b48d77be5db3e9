"""What it changes to tell a net who plays: how surprised it is by the same moves when told otherwise.

    python -m bench.told MODEL LIMIT CORPUS...

The test part of each corpus, `LIMIT` positions of it. The first row is each mover as he is; the others are
the mean difference from it, of the same positions, with an interval over games.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import told
from zeroply.evals.measures import joined, measured
from zeroply.evals.positions import Sample
from zeroply.players.load import load_network

OTHERS: Mapping[str, Mapping[str, int]] = {
    "a person of 2300": {"kind": Kind.human, "rating": 2300, "opponent_rating": 2300},
    "a person of 2700": {"kind": Kind.human, "rating": 2700, "opponent_rating": 2700},
    "an engine of 3600": {"kind": Kind.engine, "rating": 3600, "opponent_rating": 3600},
    "a puzzle's solver": {"kind": Kind.puzzle},
}
BANDS = ((1, 2400), (2400, 2600), (2600, 4000))
"""By the mover's rating, where it is known."""


def main(model: str, limit: int, corpora: list[Path]) -> None:
    network = load_network(model)
    for path in corpora:
        sample, found, known = Sample(Corpus.open(path), limit=limit), [], []
        for rows in sample.batches(network.history):
            move = rows["move"].astype(np.int64)[:, None]
            count = len(move)
            truth = -np.take_along_axis(network(rows)["policy"], move, 1)[:, 0]
            own = {"as they are": truth}
            for name, other in OTHERS.items():
                policy = network({**rows, **told(count, **other)})["policy"]
                own[name] = -np.take_along_axis(policy, move, 1)[:, 0] - truth
            found.append(own)
            known.append({name: rows[name] for name in ("game", "ply", "kind", "rating")})
        about = joined(known)
        counts = _counts(about)
        columns = {name: column[counts] for name, column in joined(found).items()}
        group, rating = about["game"][counts], about["rating"][counts]
        print(f"{path.name}: NLL of {len(group):,} moves of {len(np.unique(group)):,} games, told")
        for low, high in (*BANDS, (0, 2**16)):
            some = (rating >= low) & (rating < high)
            if (low, high) in BANDS and (not rating.any() or not some.any()):
                continue
            print(f"  movers of {low} to {high - 1}: {some.sum():,}" if (low, high) in BANDS else "  all")
            result = measured({name: column[some] for name, column in columns.items()}, group[some], 0)
            for name in columns:
                bounds = [result[f"{name}{bound}"] for bound in ("_low", "_high")]
                interval = "few games" if None in bounds else " … ".join(f"{bound:+.4f}" for bound in bounds)
                print(f"    {name:18} {result[name]:+.4f}  {interval}")


def _counts(about: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """All moves but those against a puzzle's solver, who plays the second, the fourth and so on."""
    _, game = np.unique(about["game"], return_inverse=True)
    first = np.full(game.max() + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, game, about["ply"])
    counts: NDArray[np.bool_] = ((about["ply"] - first[game]) % 2 == 1) | (about["kind"] != Kind.puzzle)
    return counts


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), [Path(path) for path in sys.argv[3:]])
