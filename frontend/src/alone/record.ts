/** A game as text that people keep and programs read, written as src/zeroply/games/record.py does. */
import type { Game, Position } from './games/base';

const WIDTH = 79;
export type Result = '1-0' | '1/2-1/2' | '0-1';

export function resultOf(points: number): Result {
  return points === 1 ? '1-0' : points === 0 ? '0-1' : '1/2-1/2';
}

/** Tags in their order, among them the Result; moves with numbers; the reason as a comment; the result once more. */
export function written(
  game: Game,
  tags: Readonly<Record<string, string>>,
  start: Position,
  moves: readonly string[],
  reason: string | null,
): string {
  const all: Record<string, string> = { ...game.recordTags, ...tags };
  if (start.fen() !== game.start().fen()) Object.assign(all, { SetUp: '1', FEN: start.fen() });
  const words = moves.flatMap((text, place) => {
    const [turn, number] = [(start.turn + place) % 2, Math.floor((start.ply + place) / 2) + 1];
    return turn === 0 || place === 0 ? [`${number}${turn ? '...' : '.'}`, text] : [text];
  });
  if (reason) words.push(...`{${reason}}`.split(' '));
  const lines = Object.entries(all).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]`);
  return [...lines, '', ...wrapped([...words, all.Result ?? '*']), '', ''].join('\n');
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
