import { LOOKS } from './looks';
import { PIECES } from './promotion';
import type { LegalMove, State } from './protocol';

/** People leave out the mark of a check and the sign of a promotion, and write C2=5 as well as C2.5, H2-E2 as well as
 *  h2e2. */
const bare = (notation: string): string =>
  notation
    .replace(/[+#]$/, '')
    .replace(/[=.]/, '')
    .replace(/^([a-i]\d)-(?=[a-i]\d)/i, '$1');

/** The move that a person typed, if it can be made here. */
export function meantBy(text: string, { game, fen, legal }: State): LegalMove | undefined {
  const small = bare(text).toLowerCase();
  // Small letters only where nothing else fits: bxc3 is a pawn's move, Bxc3 a bishop's.
  return (
    legal.find(({ move, notation }) => [move, bare(notation)].includes(bare(text))) ??
    legal.find(({ move, notation }) => [move, bare(notation).toLowerCase()].includes(small)) ??
    legal.find(({ move }) => move === LOOKS[game]?.typed?.(text, fen, legal.map(each => each.move)))
  );
}

/** Of a promotion that was typed without its piece, as e8 or e7e8, the ways to write it whole. */
function wholePromotions(text: string, legal: LegalMove[]): string[] {
  const open = bare(text).toLowerCase();
  const promotes = ({ move, notation }: LegalMove, piece: string): boolean =>
    move.length === 5 && move.endsWith(piece) && [move.slice(0, 4), bare(notation).slice(0, -1).toLowerCase()].includes(open);
  return Object.keys(PIECES)
    .filter(piece => legal.some(move => promotes(move, piece)))
    .map(piece => open + piece);
}

const examples = ({ game }: State): string[] => LOOKS[game]?.examples ?? [];

/** What to type, in the field for it: on the narrowest phones there is room for little. */
export const hint = (state: State): string => `Type ${examples(state).slice(0, 2).join(' or ')}`;

/** Why a text is no move here, and what would be one. */
export function notMeant(text: string, state: State): string {
  const whole = wholePromotions(text, state.legal);
  if (whole.length) return `'${text}' does not say what the pawn becomes. Write one of: ${whole.join(', ')}.`;
  const open = LOOKS[state.game]?.open(text, state.fen, state.legal) ?? [];
  if (open.length) return `'${text}' does not say which piece goes. Write ${oneOf(open)}.`;
  if (LOOKS[state.game]?.written(text)) return `'${text}' is not legal here${standing(text, state)}.`;
  return `'${text}' is not a move here. Write it as ${oneOf(examples(state))}.`;
}

/** Of a move by its squares, what stands where it begins. */
function standing(text: string, { game, fen, turn }: State): string {
  const [, from, to] = /^([a-i]\d)-?([a-i]\d)/.exec(text.toLowerCase()) ?? [];
  if (!from) return '';
  const ranks = fen.split(' ')[0]!.split('/').reverse();
  const rank = ranks[Number(from.charAt(1)) - (LOOKS[game]?.lowestRank ?? 0)] ?? '';
  const squares = rank.replace(/\d/g, free => ' '.repeat(Number(free)));
  const piece = squares.charAt('abcdefghi'.indexOf(from.charAt(0))).trim();
  if (!piece) return `: nothing stands on ${from}`;
  const second = piece === piece.toLowerCase();
  return second === (turn === 'black') ? `: your piece on ${from} cannot go to ${to}` : `: the piece on ${from} is the net's`;
}

const oneOf = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');
