"""Xiangqi positions where move generators go wrong, each with moves that are legal and moves that are not."""

from __future__ import annotations

from tests.games.hard_positions import Hard

_CASES = {
    "a cannon keeps generals apart": ("4k4/9/9/9/9/9/4C4/9/9/4K4", "e3e4 e3e8 e3e1", "e3d3 e3i3"),
    "an enemy keeps generals apart": ("4k4/9/9/9/4p4/9/4R4/9/9/4K4", "e3d3 e3e5 e0d0", "e3e6"),
    "a general steps into no open file": ("4k4/9/9/9/9/9/9/9/9/3K5", "d0d1", "d0e0"),
    "a general may take the last piece between, not be seen": ("4k4/9/9/9/9/9/9/9/4n4/4K4", "", "e0e1"),
    "a horse keeps generals apart": ("3k5/9/9/9/9/9/9/3N5/9/3K5", "d0e0", "d2e4 d2b1 d2f3"),
    "a pinned cannon may not jump away": ("4k4/4a4/4r4/9/4C4/9/9/9/9/4K4", "e5e6 e5e1", "e5d5 e5e8"),
    "chariot's check: block, take, flee": (
        "3k5/9/4r4/9/9/9/9/C8/9/R3K4",
        "a2e2 e0f0",
        "e0e1 a0b0 a2b2 e0d0",
    ),
    "check by a cannon over one's own horse": (
        "3k5/9/4c4/9/9/9/4N4/9/9/4K4",
        "e3d5 e3g4 e0f0",
        "e0e1 e0d0",
    ),
    "check by a cannon over one's own advisor": (
        "3k5/9/9/9/4c4/9/9/9/4A4/3AK1B2",
        "e1d2 e1f2 g0e2 e0f0",
        "g0i2 d0e1",
    ),
    "check by a cannon over its own soldier": ("3k5/9/4c4/9/9/4p4/9/9/9/R3K4", "e0f0", "e0d0"),
    "both pieces before a cannon are pinned": (
        "3k5/9/4c4/9/4N4/9/9/4R4/9/4K4",
        "e2e1 e2e4 e0f0",
        "e2d2 e5d7 e5c4",
    ),
    "three pieces before a cannon are free": ("3k5/9/4c4/9/4N4/9/4P4/4R4/9/4K4", "e2d2 e5d7 e3e4", "e0d0"),
    "nobody steps between cannon and general": (
        "3k5/9/4c4/9/9/9/9/2N6/9/2B1K4",
        "c2d4 c2a1 e0f0",
        "c0e2 c2e1 c2e3",
    ),
    "a piece stepping behind the screen ends the check": (
        "3k5/9/4c4/9/4P4/9/9/8R/9/4K4",
        "i2e2 e0f0",
        "i2i0 e5e6 e0d0",
    ),
    "double cannon": ("3k5/4c4/9/4c4/9/9/9/R8/9/3AKA3", "", "a2e2 d0e1 f0e1 e0e1"),
    "double cannon: the front one can be taken": (
        "3k5/4c4/9/R3c4/9/9/9/9/9/3AKA3",
        "",
        "a6e6 d0e1 f0e1 e0e1",
    ),
    "double cannon: the rear one can be taken": ("3k5/R3c4/9/4c4/9/9/9/9/9/3AKA3", "a8e8", "d0e1 f0e1 e0e1"),
    "the leg of a horse is pinned to its place": (
        "3k5/9/9/9/9/9/9/5n3/5R3/4K4",
        "f1f2 e0e1",
        "f1f0 f1e1 f1i1",
    ),
    "check by a horse: take its leg": ("3k5/9/9/9/9/9/9/5n3/8R/4K4", "i1f1 e0e1 e0f0", "i1i0 i1i2 e0d0"),
    "check by a horse: take it": ("3k5/9/9/9/9/9/9/5n2R/9/4K4", "i2f2 e0e1 e0f0", "i2i1 i2g2"),
    "a horse whose leg is its own piece": ("3k5/9/9/9/9/9/9/5n3/5p3/R3K4", "a0a9 a0b0", "e0f0"),
    "two horses on one leg": ("3k5/9/9/9/9/9/9/5n3/5Rn2/4K4", "e0e1", "f1f2 f1g1 f1f0"),
    "a horse jumps from beside": ("3k5/9/9/9/9/9/9/9/6n2/R3K4", "e0e1 e0f0", "a0a1 a0d0"),
    "soldiers do not look back": ("5k3/9/9/9/R8/9/9/9/4K4/4p4", "e1e0 e1e2 e1d1 a5b5", "e1f1"),
    "soldiers ahead and beside": ("5k3/9/9/9/9/9/9/4p4/3K5/9", "d1d0", "d1e1"),
    "a soldier beside gives check": ("5k3/9/9/9/9/9/9/9/3Kp4/8R", "d1e1 d1d2 d1d0", "i0i1 i0a0"),
    "check by a soldier: take him": ("5k3/9/9/9/4R4/9/9/9/3Kp4/9", "e5e1 d1e1 d1d0", "e5e2 e5d5"),
    "the general does not shield himself": ("3k5/9/9/9/9/9/9/9/4K3r/9", "e1e0 e1e2", "e1d1 e1f1"),
    "a guarded piece is no prey": ("3k5/9/9/9/9/9/9/9/r3r4/R3K4", "e0f0", "e0e1 a0a1"),
    "prey guarded by a cannon": ("3k5/9/9/9/9/9/4c4/4n4/4p4/4K4", "e0f0", "e0e1 e0d0"),
    "a soldier turns behind the river only": (
        "3k5/9/9/9/P1P6/P8/9/9/9/5K3",
        "a5a6 a5b5 c5b5",
        "a4b4 a4a5 a5a4",
    ),
    "an elephant with blocked eyes": ("3k5/9/9/9/9/9/3N5/4B4/5p3/3K5", "e2g4 e2c0", "e2c4 e2g0"),
    "an elephant stays at home": ("3k5/9/9/9/9/2B6/9/9/9/5K3", "c4a2 c4e2", ""),
    "cannons need exactly one screen": ("5k3/9/9/r1p1n1c2/9/9/9/C8/C8/3K5", "a2a5 a1a6", "a2a6 a1a2 a1a5"),
    "mate": ("5k3/9/9/9/9/9/9/9/3r5/r3K4", "", "e0e1 e0f0 e0d0"),
    "no move and no check": ("4k4/9/9/9/9/9/9/9/8r/3K5", "", "d0d1 d0e0"),
}
HARD = [Hard(f"{placement} w - - 0 1", *moves) for placement, *moves in _CASES.values()]
BY_NAME = list(_CASES)
