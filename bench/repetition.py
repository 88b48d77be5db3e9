"""How often our verdict on a repetition of xiangqi is Fairy-Stockfish's: random positions of few pieces, with
random cycles of two or three moves a side, played twice.

python -m bench.repetition [SEED [REPETITIONS]]

Most such repetitions are plain draws, so agreement on all of them says little: perpetual checks, and what
either judge takes for a chase, are counted apart. It measures no time and is no part of `make bench`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

import pyffish

from zeroply.errors import PositionError
from zeroply.games.base import Position
from zeroply.games.xiangqi import XIANGQI
from zeroply.games.xiangqi.fens import write_fen
from zeroply.games.xiangqi.pieces import ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, SOLDIER
from zeroply.games.xiangqi.rules import ACROSS, pseudo_moves
from zeroply.games.xiangqi.table import ADVISOR_POINTS, ELEPHANT_POINTS, MIRROR, PALACES

REPETITIONS = 2000
SHOWN = 10
"""Disagreements that are printed, to be looked into."""
KINDS = (CHARIOT, CANNON, HORSE, ADVISOR, ELEPHANT, SOLDIER)
PIECES = 2 * [kind * sign for kind in KINDS for sign in (1, -1)]
POINTS = {
    SOLDIER: sorted(ACROSS[0]),
    ADVISOR: sorted(ADVISOR_POINTS - ACROSS[0]),
    ELEPHANT: sorted(ELEPHANT_POINTS - ACROSS[0]),
    GENERAL: sorted(PALACES - ACROSS[0]),
}
"""Where Red's pieces stand that cannot stand everywhere; Black's are the mirror image."""


def random_position(chance: random.Random) -> Position | None:
    """Two generals and some pieces; None where the side to move could take a general, or the game is over."""
    board = [0] * 90
    for code in (*chance.sample(PIECES, chance.randrange(5, 17)), GENERAL, -GENERAL):
        square = chance.choice(POINTS.get(abs(code), range(90)))
        board[square if code > 0 else MIRROR[square]] = code
    try:
        position: Position = XIANGQI.start(write_fen(board, chance.randrange(2), 0, 0))
    except PositionError:
        return None
    return position if position.result() is None else None


def random_cycle(position: Position, chance: random.Random) -> list[int] | None:
    """Moves without a capture that lead back to the position, by one piece of each side; None where chance
    leads elsewhere. The second side moves a piece that was attacked, if it can: few repetitions else are
    chases."""
    start, end = XIANGQI.moves.start, XIANGQI.moves.end
    length, cycle = chance.choice((2, 3)), list[int]()
    for place in range(2 * length):
        board = position.row(0)["board"][0]
        moves = [int(move) for move in position.legal() if not board[end[move]]]
        if place == 1:
            attacked = {square for _, square in pseudo_moves(board.tolist(), 1 - position.turn)}
            moves = [move for move in moves if start[move] in attacked] or moves
        if place >= 2:
            moves = [move for move in moves if start[move] == end[cycle[place - 2]]]
        if place >= 2 * length - 2:
            moves = [move for move in moves if end[move] == start[cycle[place % 2]]]
        if not moves:
            return None
        cycle.append(chance.choice(moves))
        position = position.play(cycle[-1])
    return cycle


def repetitions(chance: random.Random) -> Iterator[tuple[Position, list[int]]]:
    """Positions, and moves after which each has come for the third time."""
    while True:
        position = random_position(chance)
        cycle = position and random_cycle(position, chance)
        if position and cycle:
            yield position, 2 * cycle


def by_pyffish(position: Position, moves: list[int]) -> float | None:
    """The first player's points; None where it sees no end."""
    over, points = pyffish.is_optional_game_end(
        "xiangqi", position.fen(), [XIANGQI.uci(move) for move in moves]
    )
    wins = 1.0 - position.turn
    return None if not over else 0.5 if points == 0 else wins if points > 0 else 1 - wins


def main(seed: int = 0, count: int = REPETITIONS) -> None:
    alike, seen, strange = Counter[str](), Counter[str](), list[str]()
    for position, moves in repetitions(random.Random(seed)):  # noqa: S311 (a sample)
        if seen["all repetitions"] == count:
            break
        end = position
        for move in moves:
            end = end.play(move)
        ours, theirs, reason = end.result(), by_pyffish(position, moves), end.reason() or ""
        kinds = ["all repetitions"]
        if "check" in reason:
            kinds.append("perpetual checks")
        elif theirs != 0.5:
            kinds.append("a chase by Fairy-Stockfish's word")
        if "chased" in reason:
            kinds.append("a chase by our word")
        seen.update(kinds)
        if ours == theirs:
            alike.update(kinds)
        else:
            cycle = " ".join(XIANGQI.moves.names[move] for move in moves[: len(moves) // 2])
            strange.append(f"{position.fen()} | {cycle} | ours {ours}, {reason}; theirs {theirs}")
    for kind, number in seen.items():
        print(f"xiangqi, {kind}: {alike[kind]:,} of {number:,} judged alike")
    print("\n".join(strange[:SHOWN]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
