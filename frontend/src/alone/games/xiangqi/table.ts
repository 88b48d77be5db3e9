/** Squares and moves of xiangqi: a0 is 0, b0 is 1, i9 is 89; Red's half is ranks 0 to 4. */
import { MoveTable } from '../base';

export type Step = readonly [files: number, ranks: number];

export const SQUARES = 90;
export const STRAIGHT: readonly Step[] = [[0, 1], [1, 0], [0, -1], [-1, 0]];
export const DIAGONAL: readonly Step[] = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
export const LONG_DIAGONAL: readonly Step[] = DIAGONAL.map(([file, rank]) => [2 * file, 2 * rank]);
export const JUMPS: readonly Step[] = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

/** The squares that advisors can reach: corners and middle of the palaces. */
export const ADVISOR_POINTS: ReadonlySet<number> = new Set([3, 5, 13, 21, 23, 66, 68, 76, 84, 86]);
/** The squares that elephants can reach on their own side of the river. */
export const ELEPHANT_POINTS: ReadonlySet<number> = new Set([2, 6, 18, 22, 26, 38, 42, 47, 51, 63, 67, 71, 83, 87]);
export const PALACES: ReadonlySet<number> = new Set([0, 1, 2, 7, 8, 9].flatMap(rank => [3, 4, 5].map(file => 9 * rank + file)));

export const fileOf = (square: number): number => square % 9;
export const rankOf = (square: number): number => Math.floor(square / 9);
export const squareName = (square: number): string => 'abcdefghi'.charAt(fileOf(square)) + String(rankOf(square));
/** As Black sees it: ranks change, files stay. */
export const mirrored = (square: number): number => (9 - rankOf(square)) * 9 + fileOf(square);
export const every = <T>(made: (square: number) => T): T[] => Array.from({ length: SQUARES }, (_, square) => made(square));

/** The square so many files and ranks away; undefined off the board. */
export function shifted(square: number, [files, ranks]: Step): number | undefined {
  const [file, rank] = [fileOf(square) + files, rankOf(square) + ranks];
  return file >= 0 && file < 9 && rank >= 0 && rank < 10 ? 9 * rank + file : undefined;
}

/** The squares that steps lead to, on the board or within some squares, from them and to them. */
export function ends(start: number, steps: readonly Step[], within?: ReadonlySet<number>): number[] {
  if (within && !within.has(start)) return [];
  return steps.map(step => shifted(start, step)).filter(end => end !== undefined && (within?.has(end) ?? true)) as number[];
}

/** The 2086 moves that some piece can make: of chariot, horse, advisor and elephant; the others have no others. */
function names(): string[] {
  const lines = STRAIGHT.flatMap(([file, rank]) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => [file * n, rank * n] as const));
  const reached = (start: number): number[] => [
    ...ends(start, [...lines, ...JUMPS]),
    ...ends(start, DIAGONAL, ADVISOR_POINTS),
    ...ends(start, LONG_DIAGONAL, ELEPHANT_POINTS),
  ];
  return every(start => reached(start).map(end => squareName(start) + squareName(end)))
    .flat()
    .sort();
}

export const XIANGQI_MOVES = new MoveTable(names());

const square = (name: string): number => 9 * Number(name.charAt(1)) + 'abcdefghi'.indexOf(name.charAt(0));

/** A move as the square left and the square reached. */
export type Move = readonly [start: number, end: number];
export const MOVES: readonly Move[] = XIANGQI_MOVES.names.map(name => [square(name.slice(0, 2)), square(name.slice(2))]);
export const moveNumber = ([start, end]: Move): number => XIANGQI_MOVES.number(squareName(start) + squareName(end));
