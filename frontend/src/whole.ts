/** What the parts of an analysis say of the whole game. */
import type { Expectations } from './judgement';
import type { AnalysisPart } from './protocol';

/** The last one is known when the last part has come. */
export const expectations = ({ plies, last_expected: end }: AnalysisPart): Expectations => [...plies.map(({ expected }) => expected), end];

/** Of a game that the rules ended: how, for the first player. */
export const ending = ({ last_expected: end }: AnalysisPart): [number, number, number] => [
  Number(end === 1),
  Number(end === 0.5),
  Number(end === 0),
];
