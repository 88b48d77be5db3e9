"""Makes evals.csv, the sample of evaluated positions: those of the sample games, judged by Stockfish.

python -m bench.evals_sample > examples/evals.csv
"""

from __future__ import annotations

import csv
import random
import sys

import chess.engine
import chess.pgn

from zeroply.players.program import find_engine

GAMES = "examples/games.pgn"
POSITIONS = 1200
DEPTH = 10


def positions() -> list[chess.Board]:
    """Some of all that occur before a game is over, each once, in the order of the games."""
    found = dict[str, chess.Board]()
    with open(GAMES, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            for move in game.mainline_moves():
                found.setdefault(board.epd(), board.copy(stack=False))
                board.push(move)
    chosen = set(random.Random(0).sample(sorted(found), POSITIONS))  # noqa: S311 - a sample, no secret
    return [board for name, board in found.items() if name in chosen]


def main() -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["fen", "line", "depth", "knodes", "cp", "mate"])
    with chess.engine.SimpleEngine.popen_uci(find_engine("stockfish")) as engine:
        for board in positions():
            found = engine.analyse(board, chess.engine.Limit(depth=DEPTH), game=object())
            score, line = found["score"].white(), [move.uci() for move in found["pv"][:3]]
            table.writerow(
                [
                    board.epd(),
                    " ".join(line),
                    found["depth"],
                    found["nodes"] // 1000,
                    score.score(),
                    score.mate(),
                ]
            )


if __name__ == "__main__":
    main()
