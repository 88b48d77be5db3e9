"""What people's moves lose, and what a net's draws do that is told to play like them, by the mover's rating.

    python -m bench.losses MODEL CORPUS POSITIONS

About so many positions of the test part, from the twelfth ply on, one of ten in a game. Stockfish looks at
the move that was played and at all to which the net gives a share of 0.3 % or more, 4,000 nodes for each; a
move loses the points by which it falls behind the best of these, in hundredths. The last column is the
temperature at which the net's draws would lose as much as people do.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chess
import chess.engine
import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.score import Kind
from zeroply.corpus.store import Corpus
from zeroply.evals.positions import Sample
from zeroply.objectives.evaluation_bins import SLOPE
from zeroply.players.load import load_network

TEMPERATURES = (0.0, 0.12, 0.3, 0.5, 0.6, 0.8, 1.0)
BANDS = ((2300, 2400), (2400, 2500), (2500, 2600), (2600, 4000))
THINNED, OPENING, SHARE, NODES = 10, 12, 0.003, 4_000


def main(model: str, path: Path, positions: int) -> None:
    network, corpus = load_network(model), Corpus.open(path)
    names, random = corpus.game.moves.names, np.random.default_rng(0)
    found: list[tuple[float, ...]] = []
    with chess.engine.SimpleEngine.popen_uci("stockfish") as engine:
        for rows in Sample(corpus, limit=positions * THINNED).batches(network.history):
            picked = (random.random(len(rows["move"])) < 1 / THINNED) & (rows["ply"] >= OPENING)
            rows = {name: column[picked] for name, column in rows.items()}
            if not picked.any():
                continue
            told = {
                "opponent_rating": rows["rating"],
                "kind": np.full_like(rows["kind"], Kind.human),
            }  # as a player tells it who is asked for by a rating
            policy = network(rows | told)["policy"].astype(np.float64)
            legal, fens = corpus.game.legal(rows), corpus.game.fens(rows)
            for at, fen in enumerate(fens):
                shares = np.where(legal[at], np.exp(policy[at]), 0)
                shares /= shares.sum()
                played = int(rows["move"][at])
                kept = sorted({played, *np.flatnonzero(shares >= SHARE).tolist()})
                lost = _lost(engine, fen, [names[move] for move in kept])
                draws = (_drawn(shares[kept], lost, temperature) for temperature in TEMPERATURES)
                found.append((float(rows["rating"][at]), float(lost[kept.index(played)]), *draws))
    table = np.array(found)
    print(f"rating  positions  people           net at {TEMPERATURES}  as people do")
    for low, high in BANDS:
        own = table[(table[:, 0] >= low) & (table[:, 0] < high), 1:]
        if not len(own):
            continue
        people, *net = 100 * own.mean(0)
        error = 196 * own[:, 0].std() / len(own) ** 0.5
        alike = np.interp(people, net, TEMPERATURES) if people >= net[0] else np.nan
        losses = " ".join(f"{loss:.2f}" for loss in net)
        print(f"{low}    {len(own):9,}  {people:.2f} ± {error:.2f}  {losses}  {alike:.2f}")


def _lost(engine: chess.engine.SimpleEngine, fen: str, moves: list[str]) -> NDArray[np.float64]:
    """The points by which each falls behind the best of them."""
    board = chess.Board(fen)
    looks = engine.analyse(
        board,
        chess.engine.Limit(nodes=NODES * len(moves)),
        multipv=len(moves),
        root_moves=[chess.Move.from_uci(move) for move in moves],
    )
    worth = {look["pv"][0].uci(): look["score"].relative.score(mate_score=10_000) for look in looks}
    points = 1 / (1 + np.exp(-SLOPE * np.array([worth[move] for move in moves]).clip(-2_000, 2_000)))
    lost: NDArray[np.float64] = points.max() - points
    return lost


def _drawn(shares: NDArray[np.float64], lost: NDArray[np.float64], temperature: float) -> float:
    """What a draw loses in the mean."""
    if temperature == 0:
        return float(lost[shares.argmax()])
    weights = (shares / shares.max()) ** (1 / temperature)
    return float((weights * lost).sum() / weights.sum())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
