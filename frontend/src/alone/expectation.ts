/** What the mover may expect, from whatever a net says of it: src/zeroply/players/expectation.py. */
import type { Wdl } from './glance';
import type { Answer } from './net';

const CENTIPAWNS = 1500;
const [LC0_SCALE, LC0_BEND] = [90, 1.5637541897];

export function sharesOf({ wdl }: Answer): Wdl | null {
  return wdl ? ([...wdl].map(Math.exp) as Wdl) : null;
}

/** Points, 0 … 1; null where the net does not tell. */
export function expectedPoints(answer: Answer): number | null {
  const { value, evaluation } = answer;
  const shares = sharesOf(answer);
  if (shares) return shares[0] + shares[1] / 2;
  if (value) return value[0]!;
  if (!evaluation) return null;
  const result = Math.atan((CENTIPAWNS * evaluation[0]!) / LC0_SCALE) / LC0_BEND;
  return (1 + Math.min(1, Math.max(-1, result))) / 2;
}
