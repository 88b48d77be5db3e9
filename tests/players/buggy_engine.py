"""A UCI engine that breaks in the way its first argument names, once it meets the FEN in its second.

Run as a program by the tests. With an empty FEN it breaks at once; elsewhere, and with `sound`, it plays its
first legal move by name. All that it is told goes to the file in its third argument, if there is one.
"""

from __future__ import annotations

import os
import sys

import chess


def answer(how: str, board: chess.Board) -> None:
    if how == "illegal":
        print("bestmove a1a8")
    elif how == "nothing":
        print("bestmove (none)")
    elif how == "crash":
        os._exit(3)
    elif how == "garbage":
        os.write(1, b"bestmoov \xff\xfe\n\x00\x00 e2e4 bestmove\ninfo score cp x\nbestmove\x00\n")
    elif how in ("sound", "leave"):
        print(f"bestmove {min(move.uci() for move in board.legal_moves)}", flush=True)
        if how == "leave":
            os._exit(0)


def main() -> None:
    how, trigger, log = [*sys.argv[1:], "", "", ""][:3]
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(line)
        if words == ["uci"]:
            print("id name buggy\noption name Hash type spin default 1 min 1 max 8\nuciok")
        elif words == ["isready"]:
            print("readyok")
        elif words == ["quit"]:
            return
        elif words[:1] == ["position"]:
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            met = not trigger or board.root().epd() == chess.Board(trigger).epd()
            answer(how if met else "sound", board)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
