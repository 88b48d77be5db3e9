/** The messages of /api/game, as src/zeroply/apps/web/messages.py defines them. */

export type Side = 'white' | 'black';

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
  turn: Side;
  side: Side;
  moves: MadeMove[];
  last: string | null;
  legal: MadeMove[];
  undoable: boolean;
  check: boolean;
  result: '1-0' | '1/2-1/2' | '0-1' | null;
  reason: string | null;
  candidates: Candidate[];
  wdl: [number, number, number] | null;
}

export interface Refusal {
  type: 'error';
  text: string;
}

export interface NewGame {
  type: 'new';
  side: Side | 'random';
  model: string;
  rating: number;
  temperature: number;
  fen?: string;
  moves?: string[];
}

export type Request = NewGame | { type: 'move'; move: string } | { type: 'undo' } | { type: 'resign' };

export interface Models {
  version: string;
  models: { name: string; game: string; recipe?: string; parameters?: number }[];
}
