/** What outlives a page: the last game, in the tab; how a person likes things, in the browser. */
import { element } from './page';
import type { NewGame, State } from './protocol';
import { keep, kept } from './storage';

const KEY = 'zeroply-game';

/** What to ask of a server to take a game up where it stands. */
export function resumption(asked: NewGame, state: State): NewGame {
  const { record: _, ...game } = asked; // what was pasted is among the moves by now
  return { ...game, side: state.side, fen: state.start, moves: state.moves.map(({ move }) => move) };
}

/** A game to take up again. */
export interface Kept {
  game: NewGame;
  /** Whether the person gave it up, which its moves do not tell. */
  resigned: boolean;
}

/** Until there is another game, also when it is over. */
export function remember({ game, resigned }: Kept): void {
  keep('sessionStorage', KEY, JSON.stringify({ ...game, resigned }));
}

export function remembered(): Kept | undefined {
  const text = kept('sessionStorage', KEY);
  if (!text) return undefined;
  const { resigned, ...game } = JSON.parse(text) as NewGame & { resigned: boolean };
  return { game, resigned };
}

/** A box that is ticked as it was left; `apply` is told of the choice, now and whenever it changes. */
export function keepChoice(id: string, usual: boolean, apply: (on: boolean) => void): void {
  const box = element<HTMLInputElement>(id);
  const key = `zeroply-${id}`;
  box.checked = (kept('localStorage', key) ?? (usual ? 'yes' : 'no')) === 'yes';
  apply(box.checked);
  box.onchange = () => {
    keep('localStorage', key, box.checked ? 'yes' : 'no');
    apply(box.checked);
  };
}
