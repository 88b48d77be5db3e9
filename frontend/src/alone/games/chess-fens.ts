/** FENs of chess, read as src/zeroply/games/chess/position.py and python-chess do, and refused in their words. */
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import type { Setup } from 'chessops/setup';
import { SquareSet } from 'chessops/squareSet';
import { COLORS } from 'chessops/types';

import { Refused, quoted } from '../refused';
import { otherGame } from './base';
import { flawsOf } from './chess-flaws';

/** Absurd clocks are written by no program, but typed by people. */
const MOST_MOVES = 10_000;
const KING_HOMES = { white: 4, black: 60 } as const;

/** The position of a FEN that can arise; later fields may be left out. */
export function readFen(fen: string): Chess {
  const fields = fen.split(/\s+/).filter(Boolean);
  const flaw = misspelt(fields);
  if (flaw) throw new Refused(`${quoted(fen)} is not a chess position: ${flaw}. ${otherGame(fen, 'xiangqi', 10) ?? stepAfter(flaw)}`);
  const [ranks, turn = 'w', rights = '-', passing = '-', still = '0', number = '1'] = fields;
  const setup = parseFen([ranks, turn, rights, passing].join(' ')).unwrap();
  const flaws = flawsOf(setup);
  if (flaws.length) throw new Refused(`${quoted(fen)} cannot arise in chess: ${flaws.join(', ')}. Check the FEN`);
  const board = Chess.fromSetup({ ...setup, castlingRights: usualRights(setup) }).unwrap();
  board.halfmoves = Math.min(Number(still), MOST_MOVES);
  board.fullmoves = Math.min(Math.max(Number(number), 1), MOST_MOVES);
  return board;
}

function stepAfter(flaw: string): string {
  return flaw.includes('position part')
    ? 'Its first field has eight ranks of eight squares, the eighth rank first'
    : 'Give a FEN with six fields';
}

/** What is wrong in how it is written, field by field, the board last. */
function misspelt(fields: readonly string[]): string | undefined {
  const [ranks, turn = 'w', rights = '-', passing = '-', still = '0', number = '1'] = fields;
  if (ranks === undefined) return 'empty fen';
  if (!/^[wb]$/.test(turn)) return "expected 'w' or 'b' for turn part of fen";
  if (!/^(?:-|[KQA-H]{0,2}[kqa-h]{0,2})$/.test(rights)) return 'invalid castling part in fen';
  if (!/^(?:-|[a-h][1-8])$/.test(passing)) return 'invalid en passant part in fen';
  if (!/^-?\d+$/.test(still)) return 'invalid half-move clock in fen';
  if (Number(still) < 0) return 'half-move clock cannot be negative';
  if (!/^-?\d+$/.test(number)) return 'invalid fullmove number in fen';
  if (Number(number) < 0) return 'fullmove number cannot be negative';
  if (fields.length > 6) return 'fen string has more parts than expected';
  const rows = ranks.split('/');
  return rows.length === 8 ? rows.map(misspeltRow).find(Boolean) : 'expected 8 rows in position part of fen';
}

function misspeltRow(row: string): string | undefined {
  let columns = 0;
  for (const [place, letter] of [...row].entries()) {
    const before = row.charAt(place - 1);
    if (/[1-8]/.test(letter)) {
      if (/[1-8]/.test(before)) return 'two subsequent digits in position part of fen';
      columns += Number(letter);
    } else if (letter === '~') {
      if (!/[pnbrqk]/i.test(before)) return "'~' not after piece in position part of fen";
    } else if (/[pnbrqk]/i.test(letter)) columns += 1;
    else return 'invalid character in position part of fen';
  }
  return columns === 8 ? undefined : 'expected 8 columns per row in position part of fen';
}

/** Only those of kings and rooks that stand where they began. */
function usualRights({ board, castlingRights }: Setup): SquareSet {
  let kept = castlingRights.intersect(SquareSet.corners());
  for (const color of COLORS) if (board.kingOf(color) !== KING_HOMES[color]) kept = kept.diff(SquareSet.backrank(color));
  return kept;
}
