/** A game as people paste it, read as src/zeroply/apps/pasted.py reads it: PGN, moves, a FEN, or a FEN and moves. */
import { GAMES } from './games';
import { type Game, type Position, steps } from './games/base';
import { type Result, resultOf, written } from './record';
import { Refused, shortened } from './refused';
import { SEVERAL, type Words, wordsOf } from './words';

/** As many as the server reads (messages.py). */
const MOST_CHARACTERS = 60_000;
const MOST_PLIES = 1000;
/** Meant for programs, wherever they stand. */
const ESCAPED_LINES = /^%[^\n]*\n/gm;
const HEADER = /^(?:\[[^\n]*\n|\s+)*/;
const TAG = /\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)[ \t]+"([^\n]*)"\][ \t]*\n/g;
/** Between two games; brackets in comments look otherwise. */
const LATER_TAGS = /^\[(?:Event|Game|White|Red) "/m;
/** Where a game can be seen, in place of the game. */
const LINK = /^(?:https?:\/\/|(?:[a-z][a-z0-9-]*\.)+[a-z]{2,}\/)\S/i;
/** Behind the board; the last ones may be missing. */
const FEN_FIELDS = [/^[wbr]$/, /^(?:-|[A-Ha-hKQkq]{1,4})$/, /^(?:-|[a-h][36])$/, /^\d{1,4}$/, /^\d{1,4}$/];
const RESULTS: readonly Result[] = ['1-0', '1/2-1/2', '0-1'];
/** Tags that are kept when the game is written again, beside the players' names and the result. */
const KEPT = ['Event', 'Site', 'Date', 'Round'];

type Tags = Readonly<Record<string, string>>;

export interface Pasted {
  start: Position;
  moves: number[];
  /** Each move as records have it. */
  recorded: string[];
  /** Of the first player, then of the second. */
  names: [string, string] | null;
  result: Result | null;
  tags: Tags;
}

export function readPasted(game: Game, pasted: string): Pasted {
  if (pasted.length > MOST_CHARACTERS)
    throw new Refused('the record is longer than 60,000 characters: leave out comments and variations');
  const text = `${pasted.replaceAll('\ufeff', '').replaceAll('\r\n', '\n').trim()}\n`.replace(ESCAPED_LINES, '');
  const at = HEADER.exec(text)?.[0].length ?? 0;
  const tags = Object.fromEntries(
    [...text.slice(0, at).matchAll(TAG)].map(([, name, value]) => [name!, value!.replace(/\\(["\\])/g, '$1')]),
  );
  if (LATER_TAGS.test(text.slice(at))) throw new Refused(SEVERAL);
  refuseForeign(game, tags);
  if (LINK.test(text.slice(at)))
    throw new Refused('a link cannot be followed from here. Paste the game itself (PGN) or the position (FEN)');
  const { fen, movetext } = cut(text.slice(at).trim(), tags.FEN);
  if (!movetext && fen === undefined) throw new Refused('there is nothing to read. Paste a PGN, a list of moves or a FEN');
  return followed(game, game.start(fen), movetext, tags);
}

/** A record that says to be of another game is refused, as by src/zeroply/corpus/readers/pgn/foreign.py. */
function refuseForeign(game: Game, tags: Tags): void {
  const told = [tags.Variant, tags.Game].map(title => title?.toLowerCase());
  const other = GAMES.find(({ name, titles }) => name !== game.name && told.some(title => title && titles.includes(title)));
  if (other) throw new Refused(`it is a game of ${other.name}, not of ${game.name}. Choose a model that plays it`);
  if (!tags.Variant || game.titles.includes(tags.Variant.toLowerCase())) return;
  const known = GAMES.map(({ name }) => name).join(' and ');
  throw new Refused(`it is a game of ${shortened(tags.Variant)}, not of ${game.name}. Only ${known} are known here`);
}

/** The FEN and the moves behind it. `startpos` and `moves` are words of UCI. */
function cut(text: string, told: string | undefined): { fen: string | undefined; movetext: string } {
  let [fen, rest] = [told, text];
  const words = [...text.matchAll(/\S+/g)];
  const board = words[0]?.[0] ?? '';
  if (fen === undefined && board.includes('/') && !(RESULTS as readonly string[]).includes(board)) {
    const end = FEN_FIELDS.findIndex((field, place) => !field.test(words[place + 1]?.[0] ?? ''));
    const fields = words.slice(0, 1 + (end < 0 ? FEN_FIELDS.length : end));
    fen = fields.map(([word]) => word).join(' ');
    rest = text.slice(fields.at(-1)!.index + fields.at(-1)![0].length);
  }
  for (const word of ['startpos', 'moves']) {
    rest = rest.trim();
    if (rest.startsWith(word)) rest = rest.slice(word.length);
  }
  return { fen, movetext: rest.trim() };
}

function followed(game: Game, start: Position, movetext: string, tags: Tags): Pasted {
  const bare = !movetext || [...RESULTS, '*'].includes(movetext);
  const words: Words = bare ? { moves: [], result: null } : wordsOf(movetext);
  if (words.moves.length > MOST_PLIES) throw new Refused('the game has more than 1,000 plies. Cut it');
  const [moves, recorded] = [[] as number[], [] as string[]];
  let last = start;
  for (const [before, move, after] of steps(start, words.moves)) {
    moves.push(move);
    recorded.push(before.recorded(move));
    last = after;
  }
  const told = RESULTS.find(result => result === tags.Result || result === words.result);
  return { start, moves, recorded, names: namesIn(game, tags), result: told ?? (last.end ? resultOf(last.end.points) : null), tags };
}

/** Records of xiangqi call the first player Red or White. */
function namesIn(game: Game, tags: Tags): [string, string] | null {
  const [first, second] = [tags[game.sides[0]] ?? tags.White, tags[game.sides[1]]];
  return first === undefined && second === undefined ? null : [first || '?', second || '?'];
}

/** The game as PGN. */
export function pastedRecord(game: Game, { start, recorded, names, result, tags }: Pasted): string {
  const kept = Object.fromEntries(KEPT.flatMap(name => (tags[name] === undefined ? [] : [[name, tags[name]]])));
  const players = names && { [game.sides[0]]: names[0], [game.sides[1]]: names[1] };
  return written(game, { ...kept, ...players, Result: result ?? '*' }, start, recorded, null);
}
