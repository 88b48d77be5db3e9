"""The games of a match in a PGN file that grows as they end: killed, the same match goes on from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from zeroply.artefacts import new_file, room_for
from zeroply.corpus.workers import only_one
from zeroply.errors import IllegalMoveError, ReadError
from zeroply.evals.played import ADJUDICATED, FAILED, OURS, PlayedGame, tags_before, write_pgn
from zeroply.evals.playing import Pairing
from zeroply.games import Game
from zeroply.games.notation import RESULTS
from zeroply.games.record import quoted

TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
ROUND = re.compile(r"(\d+)\.([12])")
POINTS: Mapping[str, float] = {text: points for points, text in RESULTS.items()}
OTHER = "Give --pgn another file, or ask for the match that it holds"


class MatchFile:
    """Every game is one piece of text, tags, moves and a blank line, appended whole. Its tags say who played
    from where, and `about` what else makes the match; those of a game that is there already are compared."""

    def __init__(self, path: Path, game: Game, about: Mapping[str, str]) -> None:
        self._path, self._game, self._about = path, game, about
        self._texts: dict[int, str] = {}
        """Of games, by number, in the order of the file."""
        self._grows = path.is_file() or not path.exists()
        """Not a terminal or a pipe, which cannot be read again."""

    @contextmanager
    def opened(self) -> Iterator[MatchFile]:
        """Holds the file for this process. At the end its games are in the order of their numbers."""
        if not self._grows:
            yield self
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with only_one(self._path, f"{self._path} is in use: that match is running already"):
            self._read()
            yield self
            if list(self._texts) != sorted(self._texts):
                with new_file(self._path) as building:
                    building.write_text(
                        "".join(text for _, text in sorted(self._texts.items())), encoding="utf-8"
                    )

    def game_of(self, pairing: Pairing) -> PlayedGame | None:
        """A game that was played before; None of one that was not. Another in its place is refused."""
        if pairing.number not in self._texts:
            return None
        names = (pairing.players[0].name, pairing.players[1].name)
        text = self._texts[pairing.number]
        tags, start = dict(TAG.findall(text)), self._game.start(pairing.start).fen()
        wanted = {
            **tags_before(self._game, pairing.number, names, self._about),
            "FEN": start if start != self._game.start().fen() else "",
        }
        self._compare(tags, wanted)
        try:
            return _played(self._game, pairing, tags, text)
        except IllegalMoveError as error:
            raise ReadError(f"{self._path}, round {tags['Round']}: {error}. {OTHER}") from None

    def only(self, numbers: int) -> None:
        """Refuse a file with more games than so many, and one of another match whatever it has."""
        for text in self._texts.values():
            self._compare(dict(TAG.findall(text)), self._about)
        if (most := max(self._texts, default=-1)) >= numbers:
            raise ReadError(
                f"{self._path} holds game {most + 1} of a match, and {numbers} are asked for. "
                "Ask for as many or more, or give --pgn another file"
            )

    def _compare(self, tags: Mapping[str, str], wanted: Mapping[str, str]) -> None:
        for name, value in wanted.items():
            if tags.get(name, "") != quoted(value):
                raise ReadError(
                    f"{self._path} holds another match: in round {tags['Round']} {name} is "
                    f"'{tags.get(name, '')}', not '{quoted(value)}'. {OTHER}"
                )

    def add(self, played: PlayedGame) -> None:
        text = self._texts[played.number] = write_pgn(self._game, played, self._about)
        with room_for(self._path), self._path.open("ab") as file:  # which writes all, or tells
            file.write(text.encode())

    def _read(self) -> None:
        """What a killed process had begun to append is cut off."""
        try:
            text = self._path.read_bytes().decode()
        except UnicodeDecodeError:
            raise self._not_ours("something else than text") from None
        blocks = text.split("\n\n")[:-1]
        whole = 0
        for tags, moves in zip(blocks[::2], blocks[1::2], strict=False):
            game = f"{tags}\n\n{moves}\n\n"
            self._texts[self._number(dict(TAG.findall(tags)))] = game
            whole += len(game)
        rest, first = text[whole:], self._first_line()
        if rest and not (rest.startswith(first) or first.startswith(rest)):
            raise self._not_ours("something else than games of a match")
        if rest:
            with self._path.open("r+b") as file:
                file.truncate(len(text[:whole].encode()))

    def _first_line(self) -> str:
        """Of any game that is written here."""
        tags = {**self._game.record_tags, **tags_before(self._game, 0, ("", ""), self._about)}
        return next(f'[{name} "{quoted(value)}"]' for name, value in tags.items())

    def _number(self, tags: Mapping[str, str]) -> int:
        found = ROUND.fullmatch(tags.get("Round", ""))
        ours = tags.get("Event", "").startswith(OURS)
        if not ours or found is None or tags.get("Result") not in POINTS:
            raise self._not_ours("games that no match wrote")
        return 2 * (int(found[1]) - 1) + int(found[2]) - 1

    def _not_ours(self, what: str) -> ReadError:
        return ReadError(f"{self._path} was not made by this match: it holds {what}. Give --pgn another file")


def _played(game: Game, pairing: Pairing, tags: Mapping[str, str], text: str) -> PlayedGame:
    line, _, comment = text.partition("\n\n")[2].partition("{")
    position, moves = game.start(pairing.start), list[int]()
    for word in line.split():
        if not (word.endswith(".") or word in POINTS):  # the number of a move, the result
            moves.append(position.number(word))
            position = position.play(moves[-1])
    result = POINTS[tags["Result"]]
    return PlayedGame(
        number=pairing.number,
        start=pairing.start,
        players=(pairing.players[0].name, pairing.players[1].name),
        moves=tuple(moves),
        result=result,
        reason=" ".join(comment.rpartition("}")[0].split()),
        failed=int(result) if tags.get("Termination") == FAILED else None,
        adjudicated=tags.get("Termination") == ADJUDICATED,
    )
