/** Bad input: one line for people, as the server would say it. */
export class Refused extends Error {}

/** Characters: a FEN fits. */
const LONGEST_QUOTE = 100;

/** What someone wrote, as errors repeat it: of a long text the beginning; src/zeroply/errors.py. */
export function shortened(text: string): string {
  const letters = [...text]; // as Python counts them
  return letters.length <= LONGEST_QUOTE ? text : `${letters.slice(0, LONGEST_QUOTE).join('')}…`;
}

/** The same in quotes. */
export const quoted = (text: string): string => `'${shortened(text)}'`;
