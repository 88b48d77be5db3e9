import { make } from './page';
import type { State } from './protocol';

/** Hands the record of a game to the browser, which keeps it where downloads go. */
export function download({ game, record }: State): void {
  const address = URL.createObjectURL(new Blob([record], { type: 'application/x-chess-pgn' }));
  const link = make('a', '') as HTMLAnchorElement;
  link.href = address;
  link.download = `zeroply-${game}.pgn`;
  link.click();
  URL.revokeObjectURL(address);
}
