"""What the tests of xiangqi share: lines of play and golden facts."""

from __future__ import annotations

from tests.sources import ROOT
from zeroply.games import Position, game_named

XIANGQI = game_named("xiangqi")


def play(*names: str, fen: str | None = None) -> Position:
    position: Position = XIANGQI.start(fen)
    for name in names:
        position = position.play(XIANGQI.moves.number(name))
    return position


def random_line(picks: list[int]) -> Position:
    """A game by numbers: each picks one of the legal moves; it ends where there are none."""
    position: Position = XIANGQI.start()
    for pick in picks:
        legal = position.legal()
        if not len(legal):
            break
        position = position.play(int(legal[pick % len(legal)]))
    return position


def names(position: Position) -> set[str]:
    return {XIANGQI.moves.names[move] for move in position.legal()}


def golden(name: str) -> list[str]:
    """The lines of a file of facts, without comments."""
    lines = (ROOT / "tests" / "golden" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
