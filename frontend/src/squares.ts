import { LOOKS } from './looks';
import { make } from './page';
import type { GameShape } from './protocol';

/** Below 1, so that what is looked at a little can be told from what is not. */
const FADING = 0.7;

/** A layer of colour under the pieces and one of buttons over them: squares to paint and to choose.
 *
 * Squares have numbers: 0 is next to the first player's left hand, then along the rank.
 */
export class Squares {
  private readonly paints: HTMLElement[];
  private readonly buttons: HTMLButtonElement[];

  constructor(
    host: HTMLElement,
    private readonly shape: GameShape,
    private readonly facing: number,
    chosen: (square: number) => void,
  ) {
    const cells = shape.files * shape.ranks;
    this.paints = Array.from({ length: cells }, () => make('span', ''));
    this.buttons = Array.from({ length: cells }, (_, cell) => {
      const button = make('button', '') as HTMLButtonElement;
      button.type = 'button';
      button.tabIndex = cell === 0 ? 0 : -1; // one stop for Tab; arrows lead from square to square
      button.onclick = () => chosen(this.square(cell));
      button.onkeydown = event => this.step(event, cell);
      return button;
    });
    host.prepend(make('div', 'heat', ...this.paints));
    host.append(make('div', 'picker', ...this.buttons));
  }

  /** `values`: how strongly to paint each square, as shares; the strongest is painted fully. */
  paint(values: number[], chosen: number | undefined): void {
    const most = Math.max(...values, Number.MIN_VALUE);
    for (const [cell, paint] of this.paints.entries()) {
      const square = this.square(cell);
      const value = values[square] ?? 0;
      paint.style.setProperty('--share', String((value / most) ** FADING));
      const button = this.buttons[cell];
      if (!button) continue;
      const words = `${squareName(this.shape, square)}: ${(value * 100).toFixed(1)}\u00a0%`;
      button.title = words;
      button.setAttribute('aria-label', words);
      button.setAttribute('aria-pressed', String(square === chosen));
      button.className = square === chosen ? 'chosen' : '';
    }
  }

  private square(cell: number): number {
    const { files, ranks } = this.shape;
    const [row, column] = [Math.floor(cell / files), cell % files];
    return this.facing === 0 ? (ranks - 1 - row) * files + column : row * files + files - 1 - column;
  }

  private step(event: KeyboardEvent, cell: number): void {
    const { files } = this.shape;
    const by: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -files, ArrowDown: files };
    const next = this.buttons[cell + (by[event.key] ?? NaN)];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere arrows step through the game
    next.focus();
  }
}

export function squareName({ name, files }: GameShape, square: number): string {
  const lowest = LOOKS[name]?.lowestRank ?? 1;
  return String.fromCharCode('a'.charCodeAt(0) + (square % files)) + (Math.floor(square / files) + lowest);
}
