import type { Game } from './base';
import { CHESS } from './chess';
import { XIANGQI } from './xiangqi/position';

export const GAMES: readonly Game[] = [CHESS, XIANGQI];

export function gameNamed(name: string): Game {
  const found = GAMES.find(game => game.name === name);
  if (!found) throw new Error(`this page knows no game '${name}'`);
  return found;
}
