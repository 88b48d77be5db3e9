import type { LegalMove } from './protocol';
import { PIECES } from './promotion';

/** People leave out the mark of a check and the sign of a promotion, and write C2=5 as well as C2.5. */
const bare = (notation: string): string => notation.replace(/[+#]$/, '').replace(/[=.]/, '');

/** The move that a person typed, if it is one of these. */
export function meantBy(text: string, legal: LegalMove[]): LegalMove | undefined {
  const small = bare(text).toLowerCase();
  // Small letters only where nothing else fits: bxc3 is a pawn's move, Bxc3 a bishop's.
  return (
    legal.find(({ move, notation }) => [move, bare(notation)].includes(bare(text))) ??
    legal.find(({ move, notation }) => [move, bare(notation).toLowerCase()].includes(small))
  );
}

/** Of a promotion that was typed without its piece, as e8 or e7e8, the ways to write it whole. */
export function wholePromotions(text: string, legal: LegalMove[]): string[] {
  const open = bare(text).toLowerCase();
  const promotes = ({ move, notation }: LegalMove, piece: string): boolean =>
    move.length === 5 && move.endsWith(piece) && [move.slice(0, 4), bare(notation).slice(0, -1).toLowerCase()].includes(open);
  return Object.keys(PIECES)
    .filter(piece => legal.some(move => promotes(move, piece)))
    .map(piece => open + piece);
}
