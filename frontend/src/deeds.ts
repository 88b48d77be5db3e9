/** What a person can do in a game, by its buttons and the field for a move. */
import { element } from './page';
import type { State } from './protocol';

interface Possible {
  /** Begin another game. */
  begin: boolean;
  /** Type the next move, perhaps before it can be sent: a field that was disabled for a moment would lose the focus,
   *  and the letters of a move are keys of the page. */
  type: boolean;
  /** Do something in this one. */
  act: boolean;
}

export function enableDeeds(state: State | undefined, { begin, type, act }: Possible): void {
  const over = state !== undefined && state.result !== null;
  enable('new', begin);
  enable('typed-move', type);
  enable('typed-send', act);
  enable('undo', act && state?.undoable === true);
  enable('resign', act && !over);
  element('typed').hidden = over;
  element('analyse-this').hidden = !over || !state.moves.length;
}

/** What had the focus when it was disabled: browsers take it away then. Forgotten once the person turned elsewhere. */
let left: HTMLElement | undefined;
for (const turn of ['pointerdown', 'focusin']) {
  document.addEventListener(turn, () => (left = undefined), { capture: true });
}

/** Who acts by keys finds a button again where it was. */
function enable(id: string, on: boolean): void {
  const found = element<HTMLButtonElement | HTMLInputElement>(id);
  if (!on && document.activeElement === found) left = found;
  found.disabled = !on;
  if (!on || left !== found) return;
  left = undefined;
  if (document.activeElement === document.body) found.focus({ preventScroll: true });
}
