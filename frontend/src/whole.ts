/** What the parts of an analysis say of the whole game. */
import type { Expectations } from './judgement';
import type { AnalysisPart } from './protocol';

/** The last one is known when the last part has come. Who then won at once could count on it. */
export function expectations({ start, plies, last_expected: end, ended }: AnalysisPart): Expectations {
  const expected: Expectations = plies.map(ply => ply.expected);
  const lastMover = (Number(start.split(' ')[1] === 'b') + plies.length - 1) % 2;
  if (ended && end === 1 - lastMover) expected[plies.length - 1] = end;
  return [...expected, end];
}

/** Of a game that the rules ended: how, for the first player. */
export const ending = ({ last_expected: end }: AnalysisPart): [number, number, number] => [
  Number(end === 1),
  Number(end === 0.5),
  Number(end === 0),
];
