/** What the parts of an analysis say of the whole game. */
import type { Expectations } from './judgement';
import type { AnalysisPart } from './protocol';

/** The last one is known when the last part has come. */
export const expectations = ({ plies, last_expected: end }: AnalysisPart): Expectations => [...plies.map(({ expected }) => expected), end];

/** Whether the game ended by the rules: then nothing is to be expected after the last move, it is known. */
export const ended = ({ result, last_expected: end }: AnalysisPart): boolean =>
  result !== null && end !== null && Number.isInteger(2 * end);

export const ending = ({ last_expected: end }: AnalysisPart): [number, number, number] => [
  Number(end === 1),
  Number(end === 0.5),
  Number(end === 0),
];
