"""Moves by their squares from sources that may be wrong: they go through the PGN parser of their game, which
knows the rules, and come back as move numbers or as a reason. That of chess wants them as SAN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from zeroply.corpus.readers.batches import batched
from zeroply.corpus.readers.pgn.lines import Movetext
from zeroply.corpus.readers.pgn.moves import parser
from zeroply.corpus.score import Score, Skipped
from zeroply.games import Game

FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
EMPTY = str.maketrans({str(count): count * "." for count in range(1, 9)})
SQUARES = {
    file + rank: 8 * row + column
    for row, rank in enumerate("12345678")
    for column, file in enumerate("abcdefgh")
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A game whose moves are yet to be checked."""

    number: int
    moves: Sequence[str]
    """By their names in the move table; castling as e1g1, or as e1h1 where programs for Chess960 wrote it."""
    score: Score
    """All but the moves."""


def checked(claims: Iterable[Claim | Skipped], game: Game, source: str) -> Iterator[Score | Skipped]:
    """The scores whose moves are legal, in their order; the others with the reason."""
    parse = parser(game)
    for batch in batched(
        claims, size=lambda claim: 0 if isinstance(claim, Skipped) else 8 * len(claim.moves)
    ):
        texts = [
            Movetext(_text(claim, game), claim.score.start)
            for claim in batch
            if not isinstance(claim, Skipped)
        ]
        lines = iter(parse(texts))
        for claim in batch:
            if isinstance(claim, Skipped):
                yield claim
                continue
            line = next(lines)
            # A word such as 1-0 among the moves would end the game without a flaw.
            if isinstance(line, str) or len(line.moves) != len(claim.moves):
                strange = next((move for move in claim.moves if move not in game.moves.numbers), None)
                yield Skipped(
                    source, claim.number, str(line) if strange is None else f"'{strange}' is no move"
                )
            else:
                yield replace(claim.score, moves=line.moves)


def _text(claim: Claim, game: Game) -> str:
    return san(claim.score.start, claim.moves) if game.name == "chess" else " ".join(claim.moves)


def san(start: str | None, moves: Sequence[str]) -> str:
    """UCI moves as SAN with both squares: Ng1f3, e4xd5, e7e8=Q, O-O. What makes no sense stays as it is."""
    board = list("".join(reversed((start or FIRST).split(" ")[0].translate(EMPTY).split("/"))))
    if len(board) != 64:
        return " ".join(moves)
    return " ".join(_played(board, move) for move in moves)


def _played(board: list[str], move: str) -> str:
    """One move as SAN, made on the board (64 letters, a1 first)."""
    start, end = SQUARES.get(move[:2]), SQUARES.get(move[2:4])
    if start is None or end is None:
        return move
    piece, target = board[start], board[end]
    board[start] = "."
    if piece in "Kk" and (abs(start - end) == 2 or target == ("R" if piece == "K" else "r")):
        home, short = start - start % 8, end > start
        board[home + (7 if short else 0)] = "."
        board[home + (6 if short else 2)], board[home + (5 if short else 3)] = (
            piece,
            "R" if piece == "K" else "r",
        )
        return "O-O" if short else "O-O-O"
    takes = target != "."
    if piece in "Pp" and start % 8 != end % 8 and not takes:
        board[start - start % 8 + end % 8] = "."  # en passant
        takes = True
    promotion = move[4:]
    board[end] = (promotion.upper() if piece.isupper() else promotion) or piece
    letter = "" if piece in "Pp." else piece.upper()
    return f"{letter}{move[:2]}{'x' if takes else ''}{move[2:4]}{'=' if promotion else ''}{promotion.upper()}"
