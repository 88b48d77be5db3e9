"""A UCI or UCCI engine that breaks in the way its first argument names, once it meets the FEN in its second.

Run as a program by the tests. With an empty FEN it breaks at once; elsewhere, and with `sound`, it plays its
first legal move. All that it is told goes to the file in its third argument, if there is one. It plays chess
until it is told another game, in UCCI xiangqi; with `plain` it cannot be told. With `millisec`
it is sound, and can count milliseconds; with `remark` it is, and has something to say after every answer;
with `thinks` it is, and tells for a second and a half that it thinks.
"""

from __future__ import annotations

import os
import sys
import time

from zeroply.games import Game, Position, game_named


def answer(how: str, game: Game, position: Position, ranks_from_one: bool) -> None:
    move = int(position.legal()[0])
    right, wrong = game.uci(move), game.moves.names[move]
    if not ranks_from_one:
        right, wrong = wrong, right
    if how == "illegal":
        print("bestmove a1a8")
    elif how == "nothing":
        print("bestmove (none)")
    elif how == "nobestmove":
        print("nobestmove")
    elif how == "ranks":
        print(f"bestmove {wrong}")
    elif how == "crash":
        os._exit(3)
    elif how == "garbage":
        os.write(1, b"bestmoov \xff\xfe\n\x00\x00 e2e4 bestmove\ninfo score cp x\nbestmove\x00\n")
    elif how == "flood":
        print("info string " + "x" * 200_000 + "\n" + "info depth 1\n" * 5000 + f"bestmove {right}")
    elif how == "endless":
        while True:  # until it is killed
            os.write(1, b"bestmoov\n" * 100)
    elif how == "ponders":
        while True:  # until it is killed
            os.write(1, b"info depth 1\n")
            time.sleep(0.02)
    elif how == "thinks":
        for _ in range(30):
            os.write(1, b"info depth 1\n")
            time.sleep(0.05)
        print(f"bestmove {right}")
    elif how == "remark":
        os.write(1, f"bestmove {right}\ninfo string that was all\n".encode())
    elif how in ("sound", "leave", "plain", "twice", "millisec"):
        print(f"bestmove {right}", flush=True)
        if how == "leave":
            os._exit(0)
        if how == "twice":
            print("bestmove a1a8")


def greet(ucci: bool, how: str) -> None:
    name = "" if ucci else "name "
    print(f"id name buggy\noption {name}Hash type spin default 1 min 1 max 8")
    print(f"option {name}Style type combo default solid var solid var risky")
    if how == "millisec":
        print(f"option {name}UseMilliSec type check default false")
    if how != "plain":
        print(f"option {name}UCI_Variant type combo default chess var chess var xiangqi")
    last = "ucciok" if ucci else "uciok"
    if how == "remark":
        sys.stdout.flush()
        os.write(1, f"{last}\ninfo string at your service\n".encode())
    else:
        print(last)


def main() -> None:
    how, trigger, log = [*sys.argv[1:], "", "", ""][:3]
    game, ucci = game_named("chess"), False
    position: Position = game.start()
    for line in sys.stdin:
        words = line.split()
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(line)
        if words in (["uci"], ["ucci"]):
            ucci = words == ["ucci"]
            game = game_named("xiangqi" if ucci else "chess")
            greet(ucci, how)
        elif words == ["isready"]:
            print("readyok")
        elif words == ["quit"]:
            return
        elif words[0] == "setoption" and "UCI_Variant" in words:
            game = game_named(words[-1])
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            position = game.start(None if words[1] == "startpos" else " ".join(words[2:at]))
            for name in words[at + 1 :]:
                position = position.play(game.moves.number(name) if ucci else game.from_uci(name))
        elif words[0] == "go":
            met = not trigger or position.record()[0] == game.start(trigger).fen()
            answer(how if met else "sound", game, position, not ucci)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
