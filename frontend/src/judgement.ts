/** Which moves of a game were bad, as a net that looks once sees them.
 *
 * A net that is told the mover's rating and nothing of the opponent's favours (or not) whoever is to move, so that
 * every move seems to cost something; what the game's moves cost by the median is taken off.
 */
import type { AnalysedPly } from './protocol';

export interface Judged extends AnalysedPly {
  ply: number;
  /** The points that the move cost its mover beyond what any move costs; null where the net does not tell.
   *  In whole hundredths, rounded down, so that what is shown and its mark agree. */
  loss: number | null;
  mark: '' | '?!' | '?' | '??';
}

const LINES = [
  [0.35, '??'],
  [0.2, '?'],
  [0.1, '?!'],
] as const;
const UNLIKELY = 0.01;
/** For differences that are whole but for the last bits. */
const TINY = 1e-6;
/** So many moments are shown as the worst, and none that cost less. */
const WORST = 3;
export const LEAST = 0.05;

/** What the first side may expect before each move and after the last; null where it is not told or not known yet. */
export type Expectations = (number | null)[];

/** `first`: the side that made the first of these plies. */
export function judge(plies: AnalysedPly[], first: number, expected: Expectations): Judged[] {
  const falls = plies.map((_, ply) => {
    const [before, after] = [expected[ply] ?? null, expected[ply + 1] ?? null];
    if (before === null || after === null) return null;
    return (first + ply) % 2 === 0 ? before - after : after - before;
  });
  const usual = median(falls.filter(fall => fall !== null));
  return plies.map((made, ply) => {
    const fall = falls[ply] ?? null;
    const loss = fall === null ? null : Math.floor((fall - usual) * 100 + TINY) / 100;
    return { ...made, ply, loss, mark: mark(loss, made) };
  });
}

/** The greatest losses first, the net's own first choices too; without any to go by, the least likely moves. */
export function worst(judged: Judged[]): Judged[] {
  const bad = judged.filter(({ mark, loss }) => mark || (loss ?? 0) >= LEAST);
  return bad.sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0) || a.probability - b.probability).slice(0, WORST);
}

/** Means of neighbours, in which the favour for whoever is to move cancels; what ended by rule stays. */
export function levelled(expected: Expectations, ended: boolean): Expectations {
  return expected.map((here, at) => {
    if (here === null || (ended && at === expected.length - 1)) return here;
    const [before, after] = [expected[at - 1] ?? null, expected[at + 1] ?? null];
    if (before === null && after === null) return here;
    return (here + ((before ?? after ?? 0) + (after ?? before ?? 0)) / 2) / 2;
  });
}

/** A move that the net itself likes best is never marked: then it saw its own mistake only afterwards. */
function mark(loss: number | null, { rank, probability, expected }: AnalysedPly): Judged['mark'] {
  if (rank === 1) return '';
  if (loss !== null) return LINES.find(([least]) => loss >= least)?.[1] ?? '';
  return expected === null && probability < UNLIKELY ? '?!' : '';
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
