/** Movetext word by word, as src/zeroply/corpus/readers/pgn/words.py reads it. */
import { Refused } from './refused';

const TOKEN = new RegExp(
  [
    String.raw`\{[^}]*\}|(?<open>\{)|;[^\n]*|(?<bracket>[()])|\$\d+`,
    String.raw`(?<number>\d+\.+)(?!\d[!?+#]*(?:[\s{}();]|$))`, // but 66.5 is a move in WXF, of the middle one of three soldiers
    String.raw`\.+|(?<word>[^\s{}();]+)`,
  ].join('|'),
  'g',
);
/** After a whole move it begins another game. */
const FIRST = '1.';
export const SEVERAL = 'the text holds more than one game. Give one';
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];

/** The main line of a game as it was written. */
export interface Words {
  moves: string[];
  result: string | null;
}

/** Whether they are moves at all is not looked at. */
export function wordsOf(movetext: string): Words {
  const found: Words = { moves: [], result: null };
  let depth = 0;
  for (const { groups = {} } of movetext.matchAll(TOKEN)) {
    const { open, bracket, number, word } = groups;
    if (open) throw new Refused('a comment is not closed');
    if (bracket) {
      depth += bracket === '(' ? 1 : -1;
      if (depth < 0) throw new Refused('a bracket is closed that was never opened');
    } else if (depth) continue;
    else if (number === FIRST && found.moves.length > 1) throw new Refused(SEVERAL);
    else if (!word) continue;
    else if (RESULTS.includes(word)) found.result = word;
    else if (found.result) throw new Refused('there are moves after the result');
    else if (/[^!?+#]/.test(word)) found.moves.push(word.replace(/[!?+#]+$/, ''));
  }
  if (depth) throw new Refused('a variation is not closed');
  if (!found.moves.length) throw new Refused('it has no moves');
  return found;
}
