import { colour } from './board';
import { element, make } from './page';
import type { LegalMove } from './protocol';

export const PIECES: Readonly<Record<string, string>> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

/** Asks which piece a pawn becomes; undefined when the person thinks better of it. */
export function choosePromotion(moves: LegalMove[], side: number): Promise<string | undefined> {
  const dialog = element<HTMLDialogElement>('promotion');
  const letters = Object.keys(PIECES).filter(letter => moves.some(({ move }) => move.endsWith(letter)));
  const buttons = letters.map(letter => {
    const button = make('button', '', make('piece', `${letter}-piece ${colour(side)}`)) as HTMLButtonElement;
    button.value = letter;
    button.setAttribute('aria-label', PIECES[letter] ?? letter);
    return button;
  });
  element('promotion-pieces').replaceChildren(...buttons);
  dialog.returnValue = '';
  dialog.onclick = event => {
    if (event.target === dialog && !isWithin(dialog, event)) dialog.close();
  };
  dialog.showModal();
  return new Promise(resolve => {
    dialog.onclose = () => resolve(moves.find(({ move }) => dialog.returnValue && move.endsWith(dialog.returnValue))?.move);
  });
}

/** What is clicked beside a dialog is the dialog, as is its margin. */
function isWithin(dialog: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
