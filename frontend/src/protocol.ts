/** The messages of /api/game, as src/zeroply/apps/web/messages.py defines them. */

/** What there is to know of a game before a board is drawn. */
export interface GameShape {
  name: string;
  files: number;
  ranks: number;
  /** For people; messages have them in small letters. */
  sides: [string, string];
}

export interface MadeMove {
  move: string;
  notation: string;
}

export interface Candidate extends MadeMove {
  probability: number;
  played: boolean;
}

export interface State {
  type: 'state';
  game: string;
  model: string;
  fen: string;
  start: string;
  turn: string;
  side: string;
  moves: MadeMove[];
  last: string | null;
  legal: MadeMove[];
  undoable: boolean;
  check: boolean;
  result: '1-0' | '1/2-1/2' | '0-1' | null;
  reason: string | null;
  candidates: Candidate[];
  wdl: [number, number, number] | null;
  /** The game as PGN. */
  record: string;
}

export interface Refusal {
  type: 'error';
  text: string;
}

export interface NewGame {
  type: 'new';
  side: string;
  model: string;
  rating: number;
  temperature: number;
  fen?: string;
  moves?: string[];
}

export type Request = NewGame | { type: 'move'; move: string } | { type: 'undo' } | { type: 'resign' };

export interface Model {
  name: string;
  game: string;
  /** Whether it can be asked to move like players of some rating. */
  rated: boolean;
  recipe?: string;
  parameters?: number;
}

export interface Models {
  version: string;
  models: Model[];
  games: GameShape[];
}

/** 0 for who moves first, 1 for who moves second. */
export function sideNumber(game: GameShape, side: string): number {
  return game.sides.findIndex(name => name.toLowerCase() === side);
}
