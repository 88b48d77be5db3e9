import { element, make } from './page';
import type { MadeMove } from './protocol';

/** What an analysis says of a move, beside it. */
export interface Note {
  mark: string;
  text: string;
  title: string;
}

/** The number of a move and a dot or dots, as people write it before the move. */
export function moveNumber(start: string, ply: number): string {
  const { skipped, first } = beginning(start);
  const place = ply + skipped;
  return `${first + Math.floor(place / 2)}${place % 2 ? '…' : '.'}`;
}

/** A game from another position may begin at any number and with either side. */
function beginning(start: string): { skipped: number; first: number } {
  const fields = start.split(' ');
  return { skipped: fields[1] === 'b' ? 1 : 0, first: Number(fields.at(-1)) || 1 };
}

/** Pairs with their numbers; the move that led to the position on the board is marked, a click leads to another. */
export function showMoves(start: string, moves: MadeMove[], at: number, go: (at: number) => void, notes: Note[] = [], none = 'No move yet.'): void {
  const { skipped, first } = beginning(start);
  const parts: HTMLElement[] = [];
  if (skipped && moves.length) parts.push(make('span', 'number', `${first}.`), make('span', 'gap', '…'));
  for (const [ply, made] of moves.entries()) {
    if ((ply + skipped) % 2 === 0) parts.push(make('span', 'number', `${first + (ply + skipped) / 2}.`));
    parts.push(cell(made, ply + 1 === at, () => go(ply + 1), notes[ply]));
  }
  const list = element('moves');
  list.replaceChildren(...(moves.length ? parts : [make('span', 'none', none)]));
  reveal(list, at);
}

function cell(made: MadeMove, shown: boolean, go: () => void, note?: Note): HTMLElement {
  const button = make('button', shown ? 'made latest' : 'made', made.notation) as HTMLButtonElement;
  button.type = 'button';
  button.tabIndex = -1; // the list is one stop for Tab, arrows step through it
  if (shown) button.setAttribute('aria-current', 'step');
  button.onclick = go;
  if (note) {
    if (note.mark) button.append(make('b', `mark ${MARKS[note.mark] ?? ''}`, note.mark));
    button.append(make('small', '', note.text));
    button.title = note.title;
  }
  return button;
}

export const MARKS: Readonly<Record<string, string>> = { '?!': 'doubtful', '?': 'mistake', '??': 'blunder' };

/** Scrolls the list and nothing else; one at the beginning shows its top. */
function reveal(list: HTMLElement, at: number): void {
  const shown = list.querySelector<HTMLElement>('.latest');
  if (!shown) {
    list.scrollTop = at ? list.scrollHeight : 0;
    return;
  }
  const top = shown.offsetTop - list.offsetTop;
  const row = shown.offsetHeight;
  list.style.paddingBottom = `${list.clientHeight % row}px`; // so that its end, too, is reached by whole rows
  if (top < list.scrollTop || top + row > list.scrollTop + list.clientHeight)
    list.scrollTop = top - row * Math.floor(list.clientHeight / row / 2); // whole rows
}
