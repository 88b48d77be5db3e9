"""Damage to PGN text, drawn by a seed: what disks, mail programs and careless scripts do to collections."""

from __future__ import annotations

import random

SCRAPS = (
    *'{}()[];%*"\\\n\r\t\0éNxKQ=+#@-0',
    *(
        "\n\n",
        "1-0",
        "1/2-1/2",
        "O-O",
        "0-0",
        "e4",
        "Nf3",
        "exd5",
        "xd5",
        "e8=Q",
        "$1",
        "--",
        "Z0",
        "0000",
        "...",
    ),
    *("{ hi }", "(1. d4 d5)", "[%clk 0:01:00]", "{[%eval 0.3]}", "{[%eval #-3]}", "{+0.31/24 4.5s}", "{ ( }"),
    *(
        f"{{[%eval {400 * '9'}.0]}}",
        f"{{[%eval #{5000 * '9'}]}}",
        f"{{{400 * '9'}.5/20 1s}}",
        f"{{wv=M{5000 * '9'}}}",
        f"${5000 * '9'}",
    ),
    *(
        f'\n\n[Event "x"]\n[FEN "{fen}"]\n\n{moves} *\n\n'
        for fen, moves in (
            ("4k3/8/8/8/8/8/4P3/4K3", "1. e4"),
            ("4k3/8/8/8/8/8/4P3/4K3 w", "1. e4"),
            ("4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1", "1. Qa2"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "1. O-O O-O-O"),
            (f"4k3/8/8/8/8/8/8/4K3 w - - 0 {5000 * '9'}", "1. Kd1"),
        )
    ),
    *("; { \n", "\n%x\n", "\n[Event ", '\n\n[Event "x"]\n', "\x0b", "\x1c", "\x85", "\u2028"),
)
COMMENTS = (
    "{ [%eval 0.31] [%clk 0:10:00] }",
    "{ [%eval #-3] }",
    "{a} {b}",
    "$14 !?",
    "(1. e4 e5 {x (} (1... c5))",
    "{ two\nlines }",
    "{d=25, sd=3, wv=-0.35, pv=Nf3}",
    "{-M8/30 1s}",
)


def mangled(text: str, seed: int) -> str:
    """A copy of a PGN text with comments strewn in and some twenty places damaged."""
    draw = random.Random(seed)  # noqa: S311
    words = text.split(" ")
    for _ in range(len(words) // 20):
        words.insert(draw.randrange(len(words)), draw.choice(COMMENTS))
    text = " ".join(words)
    for _ in range(20):
        at = draw.randrange(len(text))
        match draw.randrange(4):
            case 0:
                text = text[:at] + text[at + draw.randrange(1, 4) :]
            case 1:
                text = text[:at] + draw.choice(SCRAPS) + text[at:]
            case 2:
                text = text[:at] + chr(draw.randrange(32, 127)) + text[at + 1 :]
            case _:
                text = text[:at] + text[at : at + 30] + text[at:]
    return text
