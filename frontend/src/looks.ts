import { wellWritten as writtenInChess } from './alone/games/chess-written';
import { SQUARES, wellWritten as writtenInXiangqi } from './alone/games/xiangqi/notation';
import { typedMove, typedOpenly } from './alone/games/xiangqi/typed';
import type { LegalMove } from './protocol';

/** What the page knows of a game beyond its rules; how it looks is in pieces.css and style.css. */
export interface Look {
  /** The number of the rank next to the first player. */
  lowestRank: number;
  /** Ways to type a move, the usual ones first. */
  examples: string[];
  /** Whether a text would be a move in some position. */
  written: (text: string) => boolean;
  /** The ways to write whole what could be more than one move in a position. */
  open: (text: string, fen: string, legal: LegalMove[]) => string[];
  /** The name of the move in a position that was typed in another notation than the state tells. */
  typed?: (text: string, fen: string, moves: string[]) => string | undefined;
}

export const LOOKS: Readonly<Record<string, Look>> = {
  chess: { lowestRank: 1, examples: ['e4', 'e2e4'], written: writtenInChess, open: openInChess },
  xiangqi: {
    lowestRank: 0,
    examples: ['C2.5', 'h2e2', 'H2-E2', 'in Chinese'],
    written: text => (SQUARES.test(text) ? !/\d\d/.test(text) : writtenInXiangqi(text)),
    open: (text, fen, legal) => typedOpenly(text, fen, legal.map(({ move }) => move)),
    typed: typedMove,
  },
};

/** Of Nd2, where two knights can go there, Nbd2 and Nfd2. */
function openInChess(text: string, _: string, legal: LegalMove[]): string[] {
  const [, piece, square] = /^([nbrqk])x?([a-h][1-8])[+#]?$/i.exec(text) ?? [];
  if (!piece) return [];
  return legal.filter(({ move, notation }) => notation.startsWith(piece.toUpperCase()) && move.endsWith(square!)).map(({ notation }) => notation);
}
