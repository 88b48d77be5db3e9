import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import { defaults } from '@lichess-org/chessground/state';
import type { Dests, Key } from '@lichess-org/chessground/types';
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';

import type { Candidate, MadeMove, Side, State } from './protocol';

/** What the page asks of a board, whatever the game. */
export interface Board {
  /** `arrows`: candidates to draw, none where the person switched them off. */
  show(state: State, facing: Side, arrows: Candidate[]): void;
}

type Moved = (from: string, to: string) => void;

class ChessBoard implements Board {
  private readonly ground: Api;

  constructor(host: HTMLElement, moved: Moved) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.ground = Chessground(host, {
      animation: { enabled: !calm, duration: 180 },
      movable: { free: false, color: undefined, showDests: true, events: { after: moved } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { brushes: BRUSHES },
      highlight: { lastMove: true, check: true },
    });
  }

  show(state: State, facing: Side, arrows: Candidate[]): void {
    this.ground.set({
      fen: state.fen,
      orientation: facing,
      turnColor: state.turn,
      check: state.check,
      lastMove: state.last ? [from(state.last), to(state.last)] : undefined,
      movable: { color: state.legal.length ? state.side : undefined, dests: destinations(state.legal) },
      drawable: { autoShapes: shapes(arrows) },
    });
  }
}

const BRUSHES = {
  ...defaults().drawable.brushes, // for arrows that people draw with the right button
  played: { key: 'played', color: '#2f6f8f', opacity: 0.95, lineWidth: 10 },
  weighed: { key: 'weighed', color: '#4d5661', opacity: 0.7, lineWidth: 10 },
};

const from = (move: string): Key => move.slice(0, 2) as Key;
const to = (move: string): Key => move.slice(2, 4) as Key;

function destinations(legal: MadeMove[]): Dests {
  const found: Dests = new Map();
  for (const { move } of legal) {
    const ends = found.get(from(move)) ?? [];
    if (!ends.includes(to(move))) ends.push(to(move));
    found.set(from(move), ends);
  }
  return found;
}

/** The likelier, the broader; moves that it hardly thought of would only clutter the board. */
function shapes(candidates: Candidate[]): DrawShape[] {
  return candidates
    .filter(candidate => candidate.played || candidate.probability >= 0.03)
    .map(({ move, probability, played }) => ({
      orig: from(move),
      dest: to(move),
      brush: played ? 'played' : 'weighed',
      modifiers: { lineWidth: Math.round(3 + 9 * Math.sqrt(probability)) },
    }));
}

/** A board for each game that the page can show. */
export const BOARDS: Readonly<Record<string, (host: HTMLElement, moved: Moved) => Board>> = {
  chess: (host, moved) => new ChessBoard(host, moved),
};
