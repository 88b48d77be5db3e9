"""A UCI engine of any game that tells what a position is worth, without looking.

    python telling_engine.py [how [FEN [LOG]]]

Its lines are the first legal moves, and their values depend on the position alone, unless it was not told to
forget the one before. In the FEN, or in `any`, it breaks as `how` says; with `slow` it thinks for a while.
LOG gets a line for each question.
"""

from __future__ import annotations

import os
import sys
import time
import zlib

from zeroply.games import Game, Position, game_named


def value(fen: str, place: int) -> str:
    """Different lines are worth different things; some are mates."""
    number = zlib.crc32(fen.encode())
    if number % 5 == 0 and place == 0:
        return f"mate {number % 7 + 1 if number % 2 else -(number % 7 + 1)}"
    return f"cp {number % 1000 - 500 - 10 * place}"


def answer(game: Game, position: Position, lines: int, remembered: int) -> None:
    legal = position.legal().tolist()
    if not legal:
        print(f"info depth 0 score {'mate' if position.in_check() else 'cp'} 0\nbestmove (none)")
        return
    for depth in (1, 2):
        for place, move in enumerate(legal[:lines]):
            print(
                f"info depth {depth} seldepth 3 multipv {place + 1} score "
                f"{value(position.fen(), place + remembered)} nodes 1234 nps 1 pv {game.uci(move)} x"
            )
    print("info depth 3 currmove e2e4", f"bestmove {game.uci(legal[0])} ponder x", sep="\n")


def main() -> None:
    how, trigger, log = [*sys.argv[1:], "", "", ""][:3]
    game, lines, remembered = game_named("chess"), 1, 0
    position: Position = game.start()
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print("id name Teller 1.0\noption name MultiPV type spin default 1 min 1 max 9")
            print("option name Hash type spin default 16 min 1 max 64")
            print("option name UCI_Variant type combo default chess var chess var xiangqi\nuciok")
        elif words == ["isready"]:
            print("readyok")
        elif words == ["ucinewgame"]:
            remembered = 0
        elif words == ["quit"]:
            return
        elif words[0] == "setoption" and "UCI_Variant" in words:
            game = game_named(words[-1])
        elif words[0] == "setoption" and "MultiPV" in words:
            lines = int(words[-1])
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            position = game.start(None if words[1] == "startpos" else " ".join(words[2:at]))
            for name in words[at + 1 :]:
                position = position.play(game.from_uci(name))
        elif words[0] == "go":
            if log:
                with open(log, "a", encoding="utf-8") as file:
                    file.write(f"{position.fen()}\n")
            if how == "slow":
                time.sleep(0.02)
            broken = how if trigger in ("any", position.fen()) else ""
            if broken == "crash":
                os._exit(3)
            elif broken == "garbage":
                os.write(1, b"info score cp x\ninfo score\ninfo multipv\n\xff\x00 bestmove\nbestmove \xfe\n")
            elif broken == "illegal":
                print(f"info depth 1 multipv 1 score cp 5 pv {game.uci(0)}\nbestmove {game.uci(0)}")
            elif broken != "silence":
                answer(game, position, lines, remembered)
            remembered = 1
        sys.stdout.flush()


if __name__ == "__main__":
    main()
