/** What a person types, for a page that knows the position and its moves by their names only. */
import { readFen } from './fens';
import { fromText } from './notation';
import { MOVES, XIANGQI_MOVES, moveNumber } from './table';

/** The one of some moves that is written so, in WXF or Chinese. */
export function typedMove(text: string, fen: string, moves: readonly string[]): string | undefined {
  const known = moves.map(name => MOVES[XIANGQI_MOVES.number(name)]!);
  const meant = fromText(readFen(fen).board, known, text);
  return meant && XIANGQI_MOVES.name(moveNumber(meant));
}
