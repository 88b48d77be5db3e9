"""One chess position with exact rules, by python-chess."""

from __future__ import annotations

import re
from typing import Any, Self

import chess
import numpy as np
from numpy.typing import NDArray

from zeroply.errors import IllegalMoveError, PositionError, quoted
from zeroply.games.base import MOST_REPEATS
from zeroply.games.chess import CHESS
from zeroply.games.chess.fens import MOST_MOVES
from zeroply.games.mistaken import other_game
from zeroply.games.once import once

REASONS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "neither side can mate",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five moves without a capture or a pawn move",
    chess.Termination.FIVEFOLD_REPETITION: "the position occurred five times",
    chess.Termination.FIFTY_MOVES: "fifty moves without a capture or a pawn move",
    chess.Termination.THREEFOLD_REPETITION: "the position occurred three times",
}
SQUARES = re.compile(r"[a-h][1-8]-?[a-h][1-8]=?[qrbn]?", re.IGNORECASE)
CASTLING = re.compile(r"([O0o])-\1(-\1)?[+#]?")


class ChessPosition:
    """Immutable. Draws by the third occurrence and after fifty moves count as claimed, as in most programs;
    moves stay legal after them, because people do not always claim."""

    forbids_repetition = False

    def __init__(
        self, board: chess.Board, start: str, moves: tuple[int, ...] = (), seen: tuple[str, ...] = ()
    ) -> None:
        self._board = board
        """Without a move stack, which would be copied with every move."""
        self._start, self._moves = start, moves
        self._seen = seen
        """Earlier positions since the last capture, pawn move or lost right: only they can recur."""

    @classmethod
    def from_fen(cls, fen: str | None) -> Self:
        try:
            board = chess.Board() if fen is None else chess.Board(fen)
        except ValueError as error:
            flaw = re.sub(r": ['\"].*", "", str(error))  # it quotes the FEN once more
            step = other_game(fen or "", CHESS.name) or (
                "Its first field has eight ranks of eight squares, the eighth rank first"
                if "position part" in flaw
                else "Give a FEN with six fields"
            )
            raise PositionError(f"{quoted(fen or '')} is not a chess position: {flaw}. {step}") from None
        board.castling_rights = board.clean_castling_rights()
        # A row has room for 16 bits.
        board.halfmove_clock = min(board.halfmove_clock, MOST_MOVES)
        board.fullmove_number = min(board.fullmove_number, MOST_MOVES)
        status = board.status()
        if status != chess.STATUS_VALID:
            names = [str(flag.name) for flag in chess.Status if flag and flag & status]
            flaws = ", ".join(names).lower().replace("_", " ")
            raise PositionError(f"{quoted(fen or '')} cannot arise in chess: {flaws}. Check the FEN")
        return cls(board, board.fen(en_passant="legal"))

    @property
    def ply(self) -> int:
        return self._board.ply()

    @property
    def turn(self) -> int:
        return 0 if self._board.turn else 1

    @once
    def _key(self) -> str:
        return self._board.epd(en_passant="legal")

    @once
    def repeats(self) -> int:
        return self._seen.count(self._key)

    @once
    def _legal(self) -> NDArray[np.int64]:
        numbers = CHESS.moves.numbers
        return np.array(sorted(numbers[move.uci()] for move in self._board.legal_moves), np.int64)

    def legal(self) -> NDArray[np.int64]:
        return self._legal

    def play(self, move: int) -> Self:
        if move not in self._legal:
            name = CHESS.moves.names[move] if 0 <= move < len(CHESS.moves) else f"move number {move}"
            raise IllegalMoveError(f"{name} is not legal in {self.fen()}")
        board = self._board.copy(stack=False)
        played = chess.Move.from_uci(CHESS.moves.names[move])
        seen = () if board.is_irreversible(played) else (*self._seen, self._key)
        board.push(played)
        board.clear_stack()
        return type(self)(board, self._start, (*self._moves, move), seen)

    @once
    def _termination(self) -> chess.Termination | None:
        outcome = self._board.outcome()
        if outcome is not None:
            return outcome.termination
        if self.repeats >= 2:
            return chess.Termination.THREEFOLD_REPETITION
        if self._board.halfmove_clock >= 100:
            return chess.Termination.FIFTY_MOVES
        return None

    def result(self) -> float | None:
        if self._termination is None:
            return None
        if self._termination is chess.Termination.CHECKMATE:
            return float(self.turn)
        return 0.5

    def reason(self) -> str | None:
        return None if self._termination is None else REASONS[self._termination]

    def row(self, history: int) -> dict[str, NDArray[Any]]:
        board = self._board
        pieces = np.zeros(64, np.int8)
        for square, piece in board.piece_map().items():
            pieces[square] = piece.piece_type if piece.color else -piece.piece_type
        values = {
            "board": pieces,
            "turn": self.turn,
            "rights": [
                check(colour)
                for colour in chess.COLORS
                for check in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
            ],
            "en_passant": board.ep_square
            if board.ep_square is not None and board.has_legal_en_passant()
            else -1,
            "halfmove": board.halfmove_clock,
            "repeats": min(self.repeats, MOST_REPEATS),
            "ply": board.ply(),
        }
        row = {name: np.array([values[name]], column.dtype) for name, column in CHESS.columns.items()}
        padded = [-1] * history + list(self._moves)
        row["past"] = np.array([padded[len(self._moves) :]], np.int16)
        return row

    def diagram(self) -> str:
        return str(self._board)

    def fen(self) -> str:
        return self._board.fen(en_passant="legal")

    def recorded(self, move: int) -> str:
        return self.notation(move)

    def notation(self, move: int) -> str:
        return self._board.san(chess.Move.from_uci(CHESS.moves.names[move]))

    def number(self, text: str) -> int:
        """UCI or SAN; also 0-0, e7e8=Q, and pieces in small letters where no pawn move is meant."""
        written = text.strip()
        found = CHESS.moves.numbers.get(written.lower().replace("=", "").replace("-", ""))
        if found is not None and found in self._legal:
            return found
        for variant in (written, written[:1].upper() + written[1:], written.upper()):
            try:
                return CHESS.moves.numbers[self._board.parse_san(variant).uci()]
            except chess.AmbiguousMoveError:
                raise IllegalMoveError(
                    f"{quoted(text)} could be more than one move in {self.fen()}. "
                    "Name the square that is left"
                ) from None
            except (ValueError, KeyError):  # a KeyError is the null move
                continue
        if pieces := self._left_open(written):
            named = ", ".join(written + piece for piece in pieces)
            raise IllegalMoveError(
                f"{quoted(text)} does not say what the pawn becomes. Write one of: {named}"
            )
        advice = "" if _well_written(written) else ". Write it so: e2e4, Nf3, O-O"
        raise IllegalMoveError(f"{quoted(text)} is not legal in {self.fen()}{advice}")

    def _left_open(self, written: str) -> list[str]:
        """The pieces, queen first, that a pawn may become by a promotion that names none; else nothing."""
        promotions = [move for move in self._board.legal_moves if move.promotion]
        return [
            move.uci()[4]
            for move in promotions
            if written in (move.uci()[:4], self._board.san(move).partition("=")[0])
        ]

    def in_check(self) -> bool:
        return self._board.is_check()

    def record(self) -> tuple[str, list[int]]:
        return self._start, list(self._moves)


def _well_written(text: str) -> bool:
    """Whether it would be a move in some position: then spelling is not what is wrong with it."""
    in_san = chess.SAN_REGEX.match(text) or chess.SAN_REGEX.match(text[:1].upper() + text[1:])
    return bool(in_san or SQUARES.fullmatch(text) or CASTLING.fullmatch(text))
