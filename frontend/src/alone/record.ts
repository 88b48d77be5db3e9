/** A game as text that people keep and programs read, written as src/zeroply/games/record.py does, and read back. */
import { type Game, type Position, follow, steps } from './games/base';
import { Refused } from './refused';

const WIDTH = 79;
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];
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

/** What a text that a person pastes says of a game. */
export interface Told {
  start: Position;
  moves: number[];
  result: Result | null;
  /** Of the first player, then of the second. */
  names: [string, string] | null;
}

/** PGN of one game, a list of moves, or a FEN and moves behind it, as src/zeroply/apps/pasted.py reads them. */
export function read(game: Game, text: string): Told {
  const { tags, body } = split(text);
  const words = movesOf(body);
  const fenWords = tags.FEN ? [] : leadingFen(words);
  const fen = tags.FEN ?? (fenWords.length ? fenWords.join(' ') : undefined);
  const start = game.start(fen);
  const rest = words.slice(fenWords.length).filter((word, place) => place > 0 || !['startpos', 'moves'].includes(word));
  const texts = rest.filter(word => word !== 'moves' && !RESULTS.includes(word));
  if (!rest.length && fen === undefined) throw new Refused('there is nothing to read. Paste a PGN, a list of moves or a FEN');
  const moves = [...steps(start, texts)].map(([, move]) => move);
  const [first, second] = [tags[game.sides[0]] ?? tags.White, tags[game.sides[1]]];
  const end = follow(start, texts).end;
  const told = [tags.Result, rest.find(word => RESULTS.includes(word))].find(word => word && word !== '*');
  return {
    start,
    moves,
    result: (told as Result | undefined) ?? (end ? resultOf(end.points) : null),
    names: first || second ? [first ?? '?', second ?? '?'] : null,
  };
}

/** The tags, and what stands behind them. */
function split(text: string): { tags: Record<string, string>; body: string } {
  const tags: Record<string, string> = {};
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const body: string[] = [];
  for (const line of lines) {
    const tag = /^\s*\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]/.exec(line);
    if (tag && body.some(earlier => earlier.trim())) throw new Refused('the text holds more than one game. Paste one');
    if (tag) tags[tag[1]!] = tag[2]!.replace(/\\(.)/g, '$1');
    else if (!line.startsWith('%')) body.push(line);
  }
  return { tags, body: body.join('\n') };
}

/** Words of the main line: no comments, variations, glyphs or numbers of moves; up to the result. */
function movesOf(body: string): string[] {
  let plain = body.replace(/\{[^}]*\}/g, ' ').replace(/;.*$/gm, ' ');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, ' ');
  }
  const words = plain
    .split(/\s+/)
    .map(word => word.replace(/^\d+\.+(?!\d[!?+#]*$)/, '').replace(/[!?]+$/, ''))
    .filter(word => word && !/^(\$\d+|\.+)$/.test(word));
  const end = words.findIndex(word => RESULTS.includes(word));
  return end < 0 ? words : words.slice(0, end + 1);
}

/** Of a text's words those that are a FEN, as many of its fields as there are. */
function leadingFen(words: readonly string[]): string[] {
  const fields = [/^(?!1\/2-1\/2$).*\//, /^[wbr]$/, /^(-|[KQkqA-Ha-h]{1,4})$/, /^(-|[a-h][36])$/, /^\d+$/, /^\d+$/];
  const end = fields.findIndex((field, place) => !field.test(words[place] ?? ''));
  return words.slice(0, end < 0 ? fields.length : end);
}
