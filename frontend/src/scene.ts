import type { Because, Candidate, GameShape, LegalMove, MadeMove, Question } from './protocol';

/** One position of a game, and how it came there: all that the board and what stands beside it need to know. */
export interface Scene {
  shape: GameShape;
  model: string;
  rating: number | undefined;
  /** FEN of the game's first position. */
  start: string;
  /** The whole game; `at` of its moves are on the board. */
  moves: MadeMove[];
  at: number;
  fen: string;
  check: boolean;
  /** Whether the game is over here. */
  over: boolean;
  /** What the person may play here, and their side: 0 moves first. */
  legal: LegalMove[];
  side: number;
  /** Who wins, in words, for the side `side` and for the other one. */
  wins: [string, string];
}

/** What a net saw at some moment: its candidates, and win, draw and loss for the scene's side. */
export interface Glance {
  candidates: Candidate[];
  /** Why the likeliest of them is not the one that was played, where chance alone did not decide. */
  because: Because | null;
  wdl: [number, number, number] | null;
}

/** 0 where who moves first is to move. */
export const turn = ({ fen }: Scene): number => (fen.split(' ')[1] === 'b' ? 1 : 0);

export const last = ({ moves, at }: Scene): MadeMove | undefined => moves[at - 1];

export function question({ model, rating, start, moves, at }: Scene): Question {
  const made = moves.slice(0, at).map(({ move }) => move);
  return { model, fen: start, moves: made, ...(rating !== undefined && { rating }) };
}
