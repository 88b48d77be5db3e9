/** Chess by chessops; ends and rows as src/zeroply/games/chess/position.py has them. */
import { Chess } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { SquareSet } from 'chessops/squareSet';
import { COLORS, type NormalMove, ROLES, isNormal } from 'chessops/types';
import { makeSquare, makeUci, parseUci } from 'chessops/util';

import { Refused, quoted } from '../refused';
import { type End, type Game, MOST_REPEATS, type Position, type Row } from './base';
import { readFen } from './chess-fens';
import { CHESS_MOVES } from './chess-table';
import { wellWritten } from './chess-written';

class ChessPosition implements Position {
  readonly forbidsRepetition = false;
  readonly repeats: number;
  private readonly key: string;
  private found: readonly number[] | undefined;

  /** `seen`: keys of earlier positions since the last capture or pawn move; only they can recur. */
  constructor(
    private readonly board: Chess,
    readonly moves: readonly number[],
    private readonly seen: readonly string[],
  ) {
    this.key = makeFen(board.toSetup(), { epd: true });
    this.repeats = seen.filter(key => key === this.key).length;
  }

  get turn(): number {
    return COLORS.indexOf(this.board.turn);
  }

  get ply(): number {
    return 2 * (this.board.fullmoves - 1) + this.turn;
  }

  legal(): readonly number[] {
    this.found ??= this.names()
      .map(name => CHESS_MOVES.number(name))
      .sort((a, b) => a - b);
    return this.found;
  }

  play(move: number): ChessPosition {
    const name = CHESS_MOVES.name(move);
    if (!this.legal().includes(move)) throw new Refused(`${name} is not legal in ${this.fen()}`);
    const board = this.board.clone();
    board.play(played(name));
    const seen = board.halfmoves === 0 ? [] : [...this.seen, this.key];
    return new ChessPosition(board, [...this.moves, move], seen);
  }

  /** Draws by the third occurrence and after fifty moves count as claimed. */
  get end(): End | undefined {
    const context = this.board.ctx();
    if (this.board.isCheckmate(context)) return { points: this.turn, reason: 'checkmate' };
    const draw = (reason: string): End => ({ points: 0.5, reason });
    if (this.board.isInsufficientMaterial()) return draw('neither side can mate');
    if (this.board.isStalemate(context)) return draw('stalemate');
    if (this.board.halfmoves >= 150) return draw('seventy-five moves without a capture or a pawn move');
    if (this.repeats >= 2) return draw('the position occurred three times');
    if (this.board.halfmoves >= 100) return draw('fifty moves without a capture or a pawn move');
    return undefined;
  }

  row(): Row {
    const { castles, halfmoves } = this.board;
    const pieces = Array.from({ length: 64 }, (_, square) => {
      const piece = this.board.board.get(square);
      return piece ? (ROLES.indexOf(piece.role) + 1) * (piece.color === 'white' ? 1 : -1) : 0;
    });
    return {
      board: pieces,
      turn: [this.turn],
      rights: COLORS.flatMap(color => [castles.rook[color].h, castles.rook[color].a]).map(rook => Number(rook !== undefined)),
      en_passant: [this.board.toSetup().epSquare ?? -1],
      halfmove: [halfmoves],
      repeats: [Math.min(this.repeats, MOST_REPEATS)],
      ply: [this.ply],
    };
  }

  fen(): string {
    return `${this.key} ${this.board.halfmoves} ${this.board.fullmoves}`;
  }

  inCheck(): boolean {
    return this.board.isCheck();
  }

  notation(move: number): string {
    return makeSan(this.board, played(CHESS_MOVES.name(move)));
  }

  recorded(move: number): string {
    return this.notation(move);
  }

  /** UCI or SAN; also 0-0, e7e8=Q, and pieces in small letters where no pawn move is meant. */
  number(text: string): number {
    const written = text.trim();
    const byName = CHESS_MOVES.numbers.get(written.toLowerCase().replace(/[=-]/g, ''));
    if (byName !== undefined && this.legal().includes(byName)) return byName;
    const castling = written.replaceAll('0', 'O');
    for (const variant of [castling, castling.charAt(0).toUpperCase() + castling.slice(1), castling.toUpperCase()]) {
      const move = parseSan(this.board, variant);
      if (move && isNormal(move)) return CHESS_MOVES.number(this.name(move));
    }
    const short = /^([nbrqk])x?([a-h][1-8])[+#]?$/i.exec(written);
    const meant = (move: number): boolean =>
      short !== null && this.notation(move).startsWith(short[1]!.toUpperCase()) && CHESS_MOVES.name(move).endsWith(short[2]!);
    if (this.legal().filter(meant).length > 1)
      throw new Refused(`${quoted(text)} could be more than one move in ${this.fen()}. Name the square that is left`);
    const pieces = this.leftOpen(written);
    if (pieces.length)
      throw new Refused(`${quoted(text)} does not say what the pawn becomes. Write one of: ${pieces.map(piece => written + piece).join(', ')}`);
    throw new Refused(`${quoted(text)} is not legal in ${this.fen()}${wellWritten(written) ? '' : '. Write it so: e2e4, Nf3, O-O'}`);
  }

  /** The pieces that a pawn may become by a promotion that names none; else nothing. */
  private leftOpen(written: string): string[] {
    return [...'qrbn'].filter(piece =>
      this.legal().some(move => {
        const name = CHESS_MOVES.name(move);
        return name.charAt(4) === piece && [name.slice(0, 4), this.notation(move).split('=')[0]].includes(written);
      }),
    );
  }

  private names(): string[] {
    return [...this.board.allDests()].flatMap(([from, ends]) =>
      [...ends].flatMap(to => {
        const promotes = this.board.board.pawn.has(from) && SquareSet.backranks().has(to);
        return promotes ? [...'nbrq'].map(piece => makeSquare(from) + makeSquare(to) + piece) : [this.name({ from, to })];
      }),
    );
  }

  /** The widget's and our way to write castling is the king's two squares; chessops' is king takes rook. */
  private name(move: NormalMove): string {
    const { board, turn } = this.board;
    if (!board.king.has(move.from) || !board[turn].has(move.to)) return makeUci(move);
    return makeUci({ from: move.from, to: move.from + (move.to > move.from ? 2 : -2) });
  }
}

function played(name: string): NormalMove {
  return parseUci(name) as NormalMove;
}

const start = (fen?: string): ChessPosition => new ChessPosition(fen === undefined ? Chess.default() : readFen(fen), [], []);

export const CHESS: Game = {
  name: 'chess',
  files: 8,
  ranks: 8,
  sides: ['White', 'Black'],
  titles: ['chess', 'standard', 'from position'],
  recordTags: {},
  table: CHESS_MOVES,
  start,
};
