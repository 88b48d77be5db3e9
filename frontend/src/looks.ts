import { typedMove } from './alone/games/xiangqi/typed';

/** What the page knows of a game beyond its rules; how it looks is in pieces.css and style.css. */
export interface Look {
  /** The number of the rank next to the first player. */
  lowestRank: number;
  /** Ways to type a move, the usual ones first. */
  examples: string[];
  /** The name of the move in a position that was typed in another notation than the state tells. */
  typed?: (text: string, fen: string, moves: string[]) => string | undefined;
}

export const LOOKS: Readonly<Record<string, Look>> = {
  chess: { lowestRank: 1, examples: ['e4', 'e2e4'] },
  xiangqi: { lowestRank: 0, examples: ['C2.5', 'h2e2', 'H2-E2', 'in Chinese'], typed: typedMove },
};
