/** What a person types, for a page that knows the position and its moves by their names only. */
import { readFen } from './fens';
import { fromText, leftOpen } from './notation';
import { MOVES, type Move, XIANGQI_MOVES, moveNumber } from './table';

/** The one of some moves that is written so, in WXF or Chinese. */
export function typedMove(text: string, fen: string, moves: readonly string[]): string | undefined {
  const meant = fromText(readFen(fen).board, named(moves), text);
  return meant && XIANGQI_MOVES.name(moveNumber(meant));
}

/** The ways to write whole what could be the move of either of two pieces on a file. */
export const typedOpenly = (text: string, fen: string, moves: readonly string[]): string[] =>
  leftOpen(readFen(fen).board, named(moves), text);

const named = (moves: readonly string[]): Move[] => moves.map(name => MOVES[XIANGQI_MOVES.number(name)]!);
