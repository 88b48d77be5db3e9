import type { LegalMove } from './protocol';

/** People leave out the mark of a check, and write C2=5 as well as C2.5. */
const bare = (notation: string): string => notation.replace(/[+#]$/, '').replace('=', '.');

/** The move that a person typed, if it is one of these. */
export function meantBy(text: string, legal: LegalMove[]): LegalMove | undefined {
  const small = bare(text).toLowerCase();
  // Small letters only where nothing else fits: bxc3 is a pawn's move, Bxc3 a bishop's.
  return (
    legal.find(({ move, notation }) => [move, bare(notation)].includes(bare(text))) ??
    legal.find(({ move, notation }) => [move, bare(notation).toLowerCase()].includes(small))
  );
}
