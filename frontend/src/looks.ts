/** What the page knows of a game beyond its rules; how it looks is in pieces.css and style.css. */
export interface Look {
  /** The number of the rank next to the first player. */
  lowestRank: number;
  /** Ways to type a move. */
  examples: string[];
}

export const LOOKS: Readonly<Record<string, Look>> = {
  chess: { lowestRank: 1, examples: ['e4', 'e2e4'] },
  xiangqi: { lowestRank: 0, examples: ['C2.5', 'h2e2'] },
};
