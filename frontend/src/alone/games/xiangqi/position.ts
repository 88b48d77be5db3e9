/** One xiangqi position with exact rules, after src/zeroply/games/xiangqi/position.py. */
import { Refused, quoted } from '../../refused';
import { type End, type Game, MOST_REPEATS, type Position, type Row } from '../base';
import { type Fields, START, readFen, writeFen } from './fens';
import { SQUARES, fromText, leftOpen, wellWritten, wxf } from './notation';
import { judge } from './repetition';
import { ADVISOR, ELEPHANT, GENERAL, inCheck, legalMoves, moved } from './rules';
import { MOVES, XIANGQI_MOVES, moveNumber } from './table';

/** Sixty moves of each side without a capture are a draw. */
const MOST_QUIET_PLIES = 120;
/** Pieces that never cross the river. */
const HARMLESS: readonly number[] = [0, ADVISOR, ELEPHANT, GENERAL];

class XiangqiPosition implements Position {
  readonly forbidsRepetition = true;
  readonly repeats: number;
  private found: readonly number[] | undefined;
  private ended: { end: End | undefined } | undefined;

  /** `before`: the position before the last move; none after a capture, for what was before cannot recur. */
  constructor(
    private readonly fields: Fields,
    readonly moves: readonly number[] = [],
    private readonly before?: XiangqiPosition,
  ) {
    this.repeats = this.earlier().filter(position => this.sameAs(position)).length;
  }

  get turn(): number {
    return this.fields.turn;
  }

  get ply(): number {
    return this.fields.ply;
  }

  legal(): readonly number[] {
    this.found ??= legalMoves(this.fields.board, this.turn)
      .map(moveNumber)
      .sort((a, b) => a - b);
    return this.found;
  }

  play(move: number): XiangqiPosition {
    if (!this.legal().includes(move)) throw new Refused(`${XIANGQI_MOVES.name(move)} is not legal in ${this.fen()}`);
    const { board, turn, halfmove, ply } = this.fields;
    const quiet = board[MOVES[move]![1]] === 0;
    return new XiangqiPosition(
      { board: moved(board, MOVES[move]!), turn: 1 - turn, halfmove: quiet ? halfmove + 1 : 0, ply: ply + 1 },
      [...this.moves, move],
      quiet ? this : undefined,
    );
  }

  get end(): End | undefined {
    this.ended ??= { end: this.judged() };
    return this.ended.end;
  }

  row(): Row {
    const { board, turn, halfmove, ply } = this.fields;
    return { board, turn: [turn], halfmove: [halfmove], repeats: [Math.min(this.repeats, MOST_REPEATS)], ply: [ply] };
  }

  fen(): string {
    return writeFen(this.fields);
  }

  inCheck(): boolean {
    return inCheck(this.fields.board, this.turn);
  }

  notation(move: number): string {
    return wxf(this.fields.board, MOVES[move]!);
  }

  recorded(move: number): string {
    const name = XIANGQI_MOVES.name(move);
    return `${name.slice(0, 2)}-${name.slice(2)}`.toUpperCase();
  }

  /** UCCI, ICCS, WXF or Chinese. */
  number(text: string): number {
    const squares = SQUARES.exec(text.trim());
    if (squares) {
      const name = (squares[1]! + squares[2]!).toLowerCase();
      const number = XIANGQI_MOVES.numbers.get(name);
      if (number === undefined || !this.legal().includes(number))
        throw new Refused(`${quoted(text)} is not legal in ${this.fen()}${this.byUci(name) ? '. Squares are a0 to i9' : ''}`);
      return number;
    }
    const moves = this.legal().map(move => MOVES[move]!);
    const meant = fromText(this.fields.board, moves, text);
    if (meant) return moveNumber(meant);
    const open = leftOpen(this.fields.board, moves, text);
    if (open.length) throw new Refused(`${quoted(text)} does not say which piece of that file goes. Write ${open.join(' or ')}`);
    throw new Refused(`${quoted(text)} is not a legal move here${wellWritten(text) ? '' : '. Write it in WXF or Chinese: C2.5, 炮二平五'}`);
  }

  /** Whether a move that is not legal was probably counted from rank 1. */
  private byUci(name: string): boolean {
    const counted = XIANGQI_MOVES.numbers.get(name.replace(/\d+/g, rank => String(Number(rank) - 1)));
    return (counted !== undefined && this.legal().includes(counted)) || /\d\d/.test(name);
  }

  /** The positions before this one that could be the same, latest first. */
  private earlier(): XiangqiPosition[] {
    const found: XiangqiPosition[] = [];
    for (let position = this.before; position; position = position.before) found.push(position);
    return found;
  }

  private sameAs(other: XiangqiPosition): boolean {
    return this.turn === other.turn && this.fields.board.every((code, square) => code === other.fields.board[square]);
  }

  private judged(): End | undefined {
    if (!this.legal().length)
      return { points: this.turn, reason: this.inCheck() ? 'checkmate' : 'stalemate, which loses' };
    if (this.repeats >= 2) return this.judgedRepetition();
    if (this.fields.halfmove >= MOST_QUIET_PLIES) return { points: 0.5, reason: 'sixty moves without a capture' };
    if (this.fields.board.every(code => HARMLESS.includes(Math.abs(code))))
      return { points: 0.5, reason: 'neither side can mate' };
    return undefined;
  }

  /** The verdict on the moves between the last three occurrences. */
  private judgedRepetition(): End {
    const earlier = this.earlier();
    const again = earlier.flatMap((position, place) => (this.sameAs(position) ? [place] : []));
    const line = [this, ...earlier.slice(0, again[1]! + 1)].reverse();
    const moves = this.moves.slice(1 - line.length).map(move => MOVES[move]!);
    return judge(line.map(position => position.fields.board), moves, this.turn);
  }
}

export const XIANGQI: Game = {
  name: 'xiangqi',
  files: 9,
  ranks: 10,
  sides: ['Red', 'Black'],
  titles: ['xiangqi', 'chinese chess', 'cchess', '象棋', '中国象棋', '中國象棋'],
  recordTags: { Game: 'Chinese Chess', Format: 'ICCS' },
  table: XIANGQI_MOVES,
  start: (fen?: string) => new XiangqiPosition(readFen(fen ?? START)),
};
