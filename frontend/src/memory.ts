/** The game under way, kept in the tab so that loading the page again does not lose it. */
import type { NewGame, State } from './protocol';

const KEY = 'zeroply-game';

/** What to ask of a server to take a game up where it stands. */
export function resumption(asked: NewGame, state: State): NewGame {
  return { ...asked, side: state.side, fen: state.start, moves: state.moves.map(({ move }) => move) };
}

export function remember(game: NewGame): void {
  sessionStorage.setItem(KEY, JSON.stringify(game));
}

export function remembered(): NewGame | undefined {
  const text = sessionStorage.getItem(KEY);
  return text ? (JSON.parse(text) as NewGame) : undefined;
}

export function forget(): void {
  sessionStorage.removeItem(KEY);
}
