"""Positions where move generators go wrong, each with moves that are legal and moves that are not."""

from __future__ import annotations

from typing import NamedTuple


class Hard(NamedTuple):
    fen: str
    legal: str
    illegal: str


_CASES = {
    "rook pinned on its file": ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e3 e2e8", "e2d2 e2h2"),
    "knight pinned": ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e1d1", "e2c3 e2g1"),
    "bishop pinned on its diagonal": ("6k1/8/8/8/7b/8/5B2/4K3 w - - 0 1", "f2g3 f2h4", "f2e3 f2g1"),
    "bishop pinned on a file": ("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "", "e2d3 e2f1"),
    "queen pinned": ("4r1k1/8/8/8/8/8/4Q3/4K3 w - - 0 1", "e2e8", "e2d2 e2a6"),
    "pawn pinned on a file may step": ("4r1k1/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2e3 e2e4", "e2d3"),
    "pawn pinned on a diagonal may take": ("6k1/8/8/8/8/4p1b1/5P2/4K3 w - - 0 1", "f2g3", "f2f3 f2f4 f2e3"),
    "pawn pinned on a rank": ("6k1/8/8/8/8/8/K2P3r/8 w - - 0 1", "a2a1", "d2d3 d2d4"),
    "two shields are no pin": ("4r1k1/8/8/8/8/4P3/4N3/4K3 w - - 0 1", "e2c3 e3e4", ""),
    "an enemy between is no pin": ("4r1k1/8/8/4p3/8/8/4N3/4K3 w - - 0 1", "e2c3", ""),
    "a rook does not pin on a diagonal": ("6k1/8/8/8/7r/8/5N2/4K3 w - - 0 1", "f2d3", ""),
    "pinned and in check": ("4r1k1/8/8/b7/8/8/4R3/4K3 w - - 0 1", "e1d1 e1f2", "e2d2 e2e8"),
    "check: block, take, flee": ("4r1k1/8/8/8/B7/8/5N2/4K3 w - - 0 1", "f2e4 a4e8 e1f1", "f2d3 e1e2 a4b5"),
    "check by a knight": ("6k1/8/8/8/8/3n4/4P3/3QK3 w - - 0 1", "d1d3 e2d3 e1d2", "d1d2 e1f2"),
    "check by a pawn": ("6k1/8/8/8/8/5P2/3p4/4K3 w - - 0 1", "e1d2 e1e2", "e1c1 f3f4"),
    "check answered by a double step": ("6k1/8/8/8/r5K1/8/3P4/8 w - - 0 1", "d2d4 g4g5", "d2d3"),
    "the king does not shield himself": ("4r1k1/8/8/8/8/4K3/8/8 w - - 0 1", "e3d2 e3f3", "e3e2 e3e4"),
    "a guarded piece is no prey": ("6k1/8/8/8/8/3b4/4r3/4K3 w - - 0 1", "e1d1 e1f1", "e1e2"),
    "kings keep apart": ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", "e1d1 e1f1", "e1e2 e1d2 e1f2"),
    "double check": ("6k1/8/8/8/8/5n2/5P2/3QK2r w - - 0 1", "e1e2", "d1f3 f2f4 e1f1"),
    "double check on file and diagonal": (
        "4r1k1/8/8/8/1b6/8/8/R3K1N1 w Q - 0 1",
        "e1d1 e1f1",
        "e1e2 e1d2 g1e2 e1c1",
    ),
    "en passant": ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "e5d6 e5e6", ""),
    "en passant pinned on the rank": ("6k1/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5e6", "e5d6"),
    "en passant on the rank, shielded": ("6k1/8/8/K1PpP2r/8/8/8/8 w - d6 0 1", "e5d6 c5d6", ""),
    "en passant opens a diagonal": ("6k1/b7/8/2pP4/8/4K3/8/8 w - c6 0 1", "d5d6", "d5c6"),
    "en passant by a pinned pawn": ("6k1/b7/8/2Pp4/8/4K3/8/8 w - d6 0 1", "", "c5d6 c5c6"),
    "en passant along the pin": ("6k1/2b5/8/3pP3/8/8/7K/8 w - d6 0 1", "e5d6", "e5e6"),
    "en passant, two takers, one pinned": ("k3r3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6", "e5d6"),
    "en passant takes the checker": ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "e4d3", "e4e3"),
    "en passant blocks the check": ("k4b2/8/8/3pP3/8/K7/8/8 w - d6 0 1", "e5d6", "e5e6"),
    "en passant does not help": ("6k1/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", "e1e2", "e5d6"),
    "castling": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e1c1", ""),
    "castling out of check": ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1d1", "e1g1 e1c1"),
    "castling through f1": ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "e1g1"),
    "castling through d1": ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1c1"),
    "castling into check on g1": ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "e1g1"),
    "castling into check on c1": ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1c1"),
    "castling past a pawn's attack": ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", "e1c1", "e1g1"),
    "castling past a king's attack": ("8/8/8/8/8/8/6k1/R3K3 w Q - 0 1", "e1c1", "e1f1"),
    "an attack on b1 or on the rooks is harmless": (
        "rr2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1c1 e1g1",
        "",
    ),
    "castling with b1 taken": ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1g1", "e1c1"),
    "castling with f1 taken": ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "e1c1", "e1g1"),
    "castling with an enemy on g1": ("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1", "e1c1", "e1g1"),
    "a rook may go where a king castles": ("4k3/8/8/8/8/8/8/K3R1n1 w - - 0 1", "e1c1 e1g1 e1e8", ""),
    "promotion, also by capture": (
        "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "a7a8q a7a8r a7a8b a7a8n a7b8q a7b8r a7b8b a7b8n",
        "a7a8 a7b8",
    ),
    "promotion blocked": ("n3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "a7a8q a7a8n a7b8q"),
    "promotion of a pinned pawn": ("k2b4/4P3/5K2/8/8/8/8/8 w - - 0 1", "e7d8q e7d8n", "e7e8q"),
    "promotion against check": ("k3r3/3P1P2/8/8/4K3/8/8/8 w - - 0 1", "d7e8n f7e8q", "d7d8q f7f8n"),
    "promotion that blocks check": ("1K4r1/5P2/8/8/8/8/8/k7 w - - 0 1", "f7f8q f7f8n f7g8b", ""),
    "a piece on the seventh does not promote": ("k7/4R3/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "e7e8q e7e8r"),
    "no wrap around the board": ("6k1/8/7p/P7/p6P/8/8/R6K w - - 0 1", "a1a4 h4h5", "h4a6 a5h6 h4a5"),
    "mate": ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", "g8f8 g8h8 h7h6"),
    "stalemate": ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "", "a8b8 a8a7"),
}

BY_NAME = list(_CASES)
HARD = [Hard(*case) for case in _CASES.values()]
