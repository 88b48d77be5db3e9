"""Seed 000's tables of moves, made its way by python-chess: every piece on every square of an empty board.

    chess_move_indices.json  {"white_pawn": its moves in UCI, …, "black_king": …}
    all_legal_moves.json     all of them once, sorted: a move's place is its index

A pawn's captures are listed where they promote; the others are also a queen's moves, and in the second list
by that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import chess

PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
PAWN_RANKS = chess.SquareSet(~chess.BB_BACKRANKS)
CASTLING = {chess.WHITE: ("e1g1", "e1c1"), chess.BLACK: ("e8g8", "e8c8")}
WITNESS = "b2a1q"
"""The seed looks for this one: a promotion by a capture, of Black."""


def moves_by_piece() -> dict[str, list[str]]:
    """The sorted moves of each piece, white_pawn … black_king."""
    return {
        f"{chess.COLOR_NAMES[colour]}_{chess.piece_name(kind)}": sorted(_moves(chess.Piece(kind, colour)))
        for colour in (chess.WHITE, chess.BLACK)
        for kind in chess.PIECE_TYPES
    }


def _moves(piece: chess.Piece) -> Iterator[str]:
    pawn = piece.piece_type == chess.PAWN
    for square in PAWN_RANKS if pawn else chess.SQUARES:
        board = chess.Board(None)
        board.set_piece_at(square, piece)
        board.turn = piece.color
        yield from (move.uci() for move in board.legal_moves)
        if pawn:
            for end in board.attacks(square) & chess.BB_BACKRANKS:
                yield from (chess.Move(square, end, promotion).uci() for promotion in PROMOTIONS)
    if piece.piece_type == chess.KING:
        yield from CASTLING[piece.color]


def all_moves(pieces: Mapping[str, Sequence[str]]) -> list[str]:
    """Every move once, sorted."""
    found = {move for moves in pieces.values() for move in moves}
    assert WITNESS in found, f"{WITNESS} is missing: the moves are not complete"  # noqa: S101
    return sorted(found)


def write_moves(folder: Path, pieces: Mapping[str, Sequence[str]]) -> None:
    folder.mkdir(parents=True)
    for name, value in (("chess_move_indices", pieces), ("all_legal_moves", all_moves(pieces))):
        (folder / f"{name}.json").write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
