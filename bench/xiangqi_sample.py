"""Makes xiangqi.pgn, the sample of xiangqi records: games of zeroply's two simplest players by its own rules.

python -m bench.xiangqi_sample > examples/xiangqi.pgn
"""

from __future__ import annotations

from zeroply.games.notation import RESULTS, UNKNOWN
from zeroply.games.record import written
from zeroply.games.xiangqi import XIANGQI
from zeroply.players.base import Player
from zeroply.players.simple import GreedyPlayer, RandomPlayer

GAMES = 60
PLIES = 100
"""At the most; a game that is not over by then has no result."""
STARTS = (
    "2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/9/9/RNBAKABNR w - - 0 1",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2 b - - 4 12",
)
"""A few games begin here: one side lacks its great pieces."""


def record(number: int) -> str:
    start = STARTS[number % 2] if number % 10 >= 8 else None
    players: list[Player] = [GreedyPlayer(number), RandomPlayer(number)]
    if number % 2:
        players.reverse()
    position = XIANGQI.start(start)
    first, moves = position, list[str]()
    for _ in range(PLIES):
        if position.result() is not None:
            break
        (move,) = players[position.turn].choose([position])
        moves.append(position.recorded(move))
        position = position.play(move)
    points = position.result()
    tags = {
        "Event": f"Sample {number + 1}",
        "Date": "2026-11-15",
        **dict(zip(XIANGQI.sides, (player.name for player in players), strict=True)),
        "Result": UNKNOWN if points is None else RESULTS[points],
    }
    return written(XIANGQI, tags, first, moves)


if __name__ == "__main__":
    print("".join(map(record, range(GAMES))), end="")
