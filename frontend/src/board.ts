import { Chessground } from 'chessgroundx';
import type { Api } from 'chessgroundx/api';
import type { DrawShape } from 'chessgroundx/draw';
import { defaults } from 'chessgroundx/state';
import type { Color, Dests, Elements, Key } from 'chessgroundx/types';
import 'chessgroundx/assets/chessground.base.css';
import './pieces.css';

import { LOOKS } from './looks';
import { make } from './page';
import type { Candidate, GameShape, LegalMove } from './protocol';
import { type Scene, last, turn } from './scene';

/** The widget calls the first player white and the second black, whatever the game. */
const COLOURS: readonly Color[] = ['white', 'black'];
export const colour = (side: number): Color => COLOURS[side] ?? 'white';

type Moved = (from: string, to: string) => void;

/** A board for one game. Squares have the names of the game outside, the keys of the widget inside. */
export class Board {
  private readonly ground: Api;
  private readonly lowest: number;
  /** The position that was put on the board, and whether the person has moved a piece on it since. */
  private placed = '';
  private isAhead = false;

  constructor(
    host: HTMLElement,
    readonly shape: GameShape,
    moved: Moved,
  ) {
    this.lowest = LOOKS[shape.name]?.lowestRank ?? 1;
    const ground = make('div', 'ground');
    host.replaceChildren(ground);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.ground = Chessground(ground, {
      dimensions: { width: shape.files, height: shape.ranks },
      animation: { enabled: !calm, duration: 180 },
      movable: {
        free: false,
        color: undefined,
        showDests: true,
        events: {
          after: (from, to) => {
            this.isAhead = true;
            moved(this.name(from), this.name(to));
          },
        },
      },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { brushes: BRUSHES },
      highlight: { lastMove: true, check: true },
      events: { insert: elements => this.nameRanks(elements) },
    });
  }

  /** `arrows`: candidates to draw, none where the person switched them off. A piece that the person has moved stays
   *  where it is until there is another position, or the move is taken back. */
  show(scene: Scene, facing: number, arrows: Candidate[]): void {
    if (!this.isAhead || scene.fen !== this.placed) this.place(scene);
    this.ground.set({ orientation: colour(facing), drawable: { autoShapes: this.shapes(arrows) } });
  }

  /** The person's move was none: the position is shown again as it was. */
  takeBack(): void {
    this.isAhead = false;
  }

  private place(scene: Scene): void {
    const made = last(scene);
    this.placed = scene.fen;
    this.isAhead = false;
    this.ground.set({
      fen: scene.fen,
      turnColor: colour(turn(scene)),
      check: scene.check,
      lastMove: made ? this.ends(made.move) : undefined,
      movable: {
        color: scene.legal.length ? colour(scene.side) : undefined,
        dests: this.destinations(scene.legal),
      },
    });
  }

  /** The widget listens to the whole document. */
  remove(): void {
    this.ground.destroy();
  }

  private key(square: string): Key {
    return `${square.charAt(0)}${String.fromCharCode(FIRST_KEY + Number(square.slice(1)) - this.lowest)}` as Key;
  }

  private name(key: Key): string {
    return `${key.charAt(0)}${key.charCodeAt(1) - FIRST_KEY + this.lowest}`;
  }

  private ends(move: string): [Key, Key] {
    return [this.key(move.slice(0, 2)), this.key(move.slice(2, 4))];
  }

  private destinations(legal: LegalMove[]): Dests {
    const found: Dests = new Map();
    for (const { move } of legal) {
      const [from, to] = this.ends(move);
      const reached = found.get(from) ?? [];
      if (!reached.includes(to)) reached.push(to);
      found.set(from, reached);
    }
    return found;
  }

  /** The likelier, the broader; moves that it hardly thought of would only clutter the board. */
  private shapes(candidates: Candidate[]): DrawShape[] {
    return candidates
      .filter(candidate => candidate.played || candidate.probability >= 0.03)
      .map(({ move, probability, played }) => {
        const [orig, dest] = this.ends(move);
        const lineWidth = Math.round(3 + 9 * Math.sqrt(probability));
        return { orig, dest, brush: played ? 'played' : 'weighed', modifiers: { lineWidth } };
      });
  }

  /** The widget counts ranks from 1. */
  private nameRanks({ container }: Elements): void {
    for (const [number, rank] of container.querySelectorAll('coords.side coord').entries())
      rank.textContent = String(number + this.lowest);
  }
}

/** The widget's ranks are single characters that follow each other: 1 … 9 and then a colon. */
const FIRST_KEY = '1'.charCodeAt(0);

const BRUSHES = {
  ...defaults().drawable.brushes, // for arrows that people draw with the right button
  played: { key: 'played', color: '#2f6f8f', opacity: 0.95, lineWidth: 10 },
  weighed: { key: 'weighed', color: '#4d5661', opacity: 0.7, lineWidth: 10 },
};
