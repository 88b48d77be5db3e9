"""Positions of both games with all that the rules and a net's inputs have of them, as Python has it. The
browser must have the same. `python -m tests.apps.alone.golden` writes the file anew."""

from __future__ import annotations

import json
from typing import Any

from tests.games.xiangqi import golden as lines_of
from tests.sources import ROOT
from zeroply.games import Game, Position, game_named
from zeroply.games.line import follow

FILE = ROOT / "tests" / "golden" / "positions.jsonl"
HISTORY = 4
OPEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
RUY = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O "
    "h3 Nb8 d4 Nbd7 c4 c6 cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6"
)
SHUFFLE = "Nf3 Nf6 Ng1 Ng8 "
CHESS = {
    "the start": (None, ""),
    "Black to move": (None, "e4"),
    "a long past": (None, RUY),
    "both castle": (OPEN, ""),
    "Black castles": (OPEN, "Kf1"),
    "a king that came back": (OPEN, "Kf1 Rg8 Ke1"),
    "a rook was taken": (OPEN, "Rxa8+"),
    "en passant": (None, "e4 a6 e5 d5"),
    "en passant too late": (None, "e4 a6 e5 d5 a3 a5"),
    "en passant by Black": (None, "a3 e5 a4 e4 d4"),
    "en passant pinned on the rank": ("6k1/8/8/K2pP2r/8/8/8/8 w - d6 0 1", ""),
    "promotions": ("1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", ""),
    "Black's promotions": ("1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1", ""),
    "two queens tell each other apart": ("8/7k/8/8/8/Q1Q5/8/Q5K1 w - - 0 1", ""),
    "once more": (None, SHUFFLE),
    "twice more": (None, SHUFFLE * 2),
    "not the same, a right is lost": (
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
        "Ra7 Ra2 Ra8 Ra1 Ra7 Ra2 Ra8 Ra1",
    ),
    "a clock that has nearly run out": ("4k3/8/8/8/8/8/R7/4K3 w - - 99 80", ""),
    "fifty moves": ("4k3/8/8/8/8/8/R7/4K3 w - - 99 80", "Ra3"),
    "seventy-five moves": ("4k3/8/8/8/8/8/R7/4K3 b - - 150 120", ""),
    "checkmate": (None, "f3 e5 g4 Qh4"),
    "stalemate": ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""),
    "neither side can mate": ("7k/8/6K1/8/8/8/8/5N2 w - - 0 1", ""),
    "check": ("4k3/8/8/8/8/8/4r3/4K3 w - - 5 40", ""),
    "rights that the board denies": ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", ""),
}
HORSES = "H2+3 H2+3 H3-2 H3-2 "
XIANGQI = {
    "the start": (None, ""),
    "Black to move": (None, "C2.5"),
    "a long past": (None, "C2.5 H8+7 H2+3 R9.8 R1.2 H2+3 P7+1 P7+1 R2+6 C8.9 R2.3 C9-1 H8+7 A4+5"),
    "once more": (None, HORSES),
    "twice more": (None, HORSES * 2),
    "generals that must not face": ("4k4/9/9/9/9/9/4C4/9/9/4K4 w - - 0 1", ""),
    "check by a cannon": ("3k5/9/4c4/9/9/9/4N4/9/9/4K4 w - - 0 1", ""),
    "soldiers behind each other": ("4k4/9/3P5/3P1P3/3P1P3/9/9/9/9/3K5 w - - 0 1", ""),
    "five soldiers": ("3P1k3/3P5/3P5/3P5/3P5/9/9/9/9/4K4 w - - 0 1", ""),
    "chariots and horses in pairs": ("4k4/9/9/9/9/3R5/9/3R2N2/4A1N2/3AK1B2 w - - 0 1", ""),
    "stalemate, which loses": ("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 3 40", ""),
    "checkmate": ("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1", "b7b9"),
    "neither side can mate": ("4k4/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", ""),
    "sixty moves": ("4k4/9/9/9/9/9/R8/9/9/3K5 w - - 119 80", "a3b3"),
    "perpetual check": (
        "9/4k4/R8/9/9/9/9/9/9/3K5 w - - 0 1",
        "a7a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8",
    ),
}


def cases() -> list[tuple[Game, str, str | None, list[str]]]:
    """Game, name, start and moves as people write them."""
    chess, xiangqi = game_named("chess"), game_named("xiangqi")
    found = [(chess, name, fen, line.split()) for name, (fen, line) in CHESS.items()]
    found += [(xiangqi, name, fen, line.split()) for name, (fen, line) in XIANGQI.items()]
    for number, line in enumerate(lines_of("xiangqi-repetition.txt"), 1):
        fen, moves, _ = (part.strip() for part in line.split("|"))
        names = [xiangqi.moves.names[xiangqi.from_uci(move)] for move in moves.split()]
        found.append((xiangqi, f"repetition {number}", fen, names))
    return found


def facts(game: Game, name: str, fen: str | None, line: list[str]) -> dict[str, Any]:
    """One line of the file."""
    position: Position = follow(game.start(fen), line)
    legal = [int(move) for move in position.legal()]
    return {
        "game": game.name,
        "name": name,
        "start": game.start(fen).fen(),
        "moves": [game.moves.names[move] for move in position.record()[1]],
        "fen": position.fen(),
        "check": position.in_check(),
        "points": position.result(),
        "reason": position.reason(),
        "legal": {game.moves.names[move]: position.notation(move) for move in legal},
        "row": {column: values[0].tolist() for column, values in position.row(HISTORY).items()},
    }


def known() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    FILE.write_text("".join(f"{json.dumps(facts(*case))}\n" for case in cases()), encoding="utf-8")
