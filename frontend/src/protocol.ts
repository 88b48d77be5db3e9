/** What the page asks and is told, as src/zeroply/apps/web/messages.py defines it. */

/** What there is to know of a game before a board is drawn. */
export interface GameShape {
  name: string;
  files: number;
  ranks: number;
  /** For people; messages have them in small letters. */
  sides: [string, string];
}

export interface LegalMove {
  move: string;
  notation: string;
}

export interface MadeMove extends LegalMove {
  /** After the move. */
  fen: string;
  /** Whether it gave check. */
  check: boolean;
}

export interface Candidate extends LegalMove {
  probability: number;
  played: boolean;
}

/** Of a net's move: another one wins at once; the likeliest would draw or repeat what is won, or is forbidden. */
export type Because = 'wins_at_once' | 'gives_nothing_away' | 'forbidden';

export interface State {
  type: 'state';
  game: string;
  model: string;
  fen: string;
  start: string;
  /** Whether who is to move there is in check. */
  start_check: boolean;
  turn: string;
  side: string;
  moves: MadeMove[];
  legal: LegalMove[];
  undoable: boolean;
  check: boolean;
  result: '1-0' | '1/2-1/2' | '0-1' | null;
  reason: string | null;
  /** Whether the person gave it up, which the moves do not tell. */
  resigned: boolean;
  candidates: Candidate[];
  /** Why the net did not play the likeliest of these; null where it did, and where chance alone decided. */
  because: Because | null;
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
  /** Whom the net should play like; as well as it can where it is left out. */
  rating?: number;
  temperature?: number;
  fen?: string;
  moves?: string[];
  /** A game or position to start from, as people paste it: PGN, FEN or a list of moves. */
  record?: string;
}

export type Request = NewGame | { type: 'move'; move: string } | { type: 'undo' } | { type: 'resign' };

export interface Model {
  name: string;
  game: string;
  /** The lowest and the highest of the players that it can be asked to move like; null where it knows no ratings. */
  ratings: [number, number] | null;
  recipe?: string;
  parameters?: number;
  /** How many layers of attention it has and heads in each; none where it cannot be looked into. */
  layers?: number | null;
  heads?: number | null;
}

export interface Models {
  version: string;
  models: Model[];
  games: GameShape[];
}

/** A position that a net shall look at: a start and the moves since. */
export interface Question {
  model: string;
  fen: string;
  moves: string[];
  rating?: number;
}

export interface PredictedMove extends LegalMove {
  probability: number;
}

export interface Prediction {
  /** Likeliest first. */
  moves: PredictedMove[];
  /** Win, draw and loss for the side to move. */
  wdl: [number, number, number] | null;
  expected: number | null;
}

export interface AttentionQuestion extends Question {
  layer: number;
  /** Null: the mean of all heads. */
  head: number | null;
}

export interface Attention {
  layers: number;
  heads: number;
  /** How much each square looks at each other; squares from a1 (a0 in xiangqi) along the ranks. */
  weights: number[][];
}

export interface AnalysisQuestion {
  model: string;
  record: string;
  rating?: number;
}

export interface AnalysedPly extends MadeMove {
  probability: number;
  /** 1: the net's likeliest. */
  rank: number;
  best: PredictedMove;
  /** Points that the first side may expect before the move. */
  expected: number | null;
}

/** A part of a game looked at; long games come in several. */
export interface AnalysisPart {
  type: 'analysis';
  game: string;
  model: string;
  start: string;
  /** Whether who is to move there is in check. */
  start_check: boolean;
  result: string | null;
  names: [string, string] | null;
  total: number;
  /** The number of this part's first ply. */
  first: number;
  plies: AnalysedPly[];
  /** After the last move, in the last part. */
  last_expected: number | null;
  /** In the last part: whether the rules end the game there; then `last_expected` is how. */
  ended: boolean;
  /** The game as PGN, in the last part. */
  record: string | null;
}

/** 0 for who moves first, 1 for who moves second. */
export function sideNumber(game: GameShape, side: string): number {
  return game.sides.findIndex(name => name.toLowerCase() === side);
}

export function shapeOf({ games }: Models, game: string): GameShape {
  const found = games.find(({ name }) => name === game);
  if (!found) throw new Error(`there is no description of ${game}`);
  return found;
}
