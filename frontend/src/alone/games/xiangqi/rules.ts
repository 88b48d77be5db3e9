/**
 * How xiangqi's pieces move on one board, after src/zeroply/games/xiangqi/rules.py.
 * A board is an array of 90 piece codes, Black's negative; a side is 0 (Red) or 1 (Black).
 */
import {
  ADVISOR_POINTS,
  DIAGONAL,
  ELEPHANT_POINTS,
  JUMPS,
  LONG_DIAGONAL,
  type Move,
  PALACES,
  STRAIGHT,
  type Step,
  ends,
  every,
  shifted,
} from './table';

export const [SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL] = [1, 2, 3, 4, 5, 6, 7] as const;

export type Board = readonly number[];

/** Where a step leads, and the square on the way that must be empty. */
interface Leap {
  over: number;
  end: number;
}

const half = ([files, ranks]: Step): Step => [Math.trunc(files / 2), Math.trunc(ranks / 2)];
const back = ([files, ranks]: Step): Step => [-files, -ranks];

function leaps(start: number, steps: readonly Step[], within?: ReadonlySet<number>): Leap[] {
  return steps.flatMap(step => ends(start, [step], within).map(end => ({ over: shifted(start, half(step))!, end })));
}

const ADVISORS = every(start => ends(start, DIAGONAL, ADVISOR_POINTS));
const GENERALS = every(start => ends(start, STRAIGHT, PALACES));
const ELEPHANTS = every(start => leaps(start, LONG_DIAGONAL, ELEPHANT_POINTS));
const HORSES = every(start => leaps(start, JUMPS));
/** Where horses stand that jump to a square, and what must be empty for it. */
const HORSES_BEFORE = every(end =>
  JUMPS.flatMap(step => ends(end, [back(step)]).map(start => ({ over: shifted(start, half(step))!, end: start }))),
);
/** The squares seen from a square in each direction, nearest first. */
const RAYS = every(start =>
  STRAIGHT.map(([file, rank]) => ends(start, [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => [file * n, rank * n]))),
);
/** The far side of the river, as Red and as Black see it. */
export const across = (square: number, side: number): boolean => square >= 45 === (side === 0);
const SOLDIERS = [0, 1].map(side =>
  every(start => ends(start, across(start, side) ? [[0, 1 - 2 * side], [-1, 0], [1, 0]] : [[0, 1 - 2 * side]])),
);

const at = <T>(list: readonly T[], place: number): T => list[place] as T;

function sliding(board: Board, start: number, sign: number): number[] {
  const found: number[] = [];
  for (const ray of at(RAYS, start))
    for (const end of ray) {
      const code = at(board, end);
      if (code * sign <= 0) found.push(end);
      if (code) break;
    }
  return found;
}

/** Along empty squares; to take, over exactly one piece, the screen. */
function cannon(board: Board, start: number, sign: number): number[] {
  const found: number[] = [];
  for (const ray of at(RAYS, start)) {
    let screened = false;
    for (const end of ray) {
      const code = at(board, end);
      if (!screened) {
        if (code) screened = true;
        else found.push(end);
      } else if (code) {
        if (code * sign < 0) found.push(end);
        break;
      }
    }
  }
  return found;
}

function reached(board: Board, start: number, kind: number, sign: number): number[] {
  const free = (end: number): boolean => at(board, end) * sign <= 0;
  const leaping = (known: readonly Leap[]): number[] =>
    known.filter(({ over, end }) => !at(board, over) && free(end)).map(({ end }) => end);
  switch (kind) {
    case SOLDIER:
      return at(at(SOLDIERS, Number(sign < 0)), start).filter(free);
    case ADVISOR:
      return at(ADVISORS, start).filter(free);
    case ELEPHANT:
      return leaping(at(ELEPHANTS, start));
    case HORSE:
      return leaping(at(HORSES, start));
    case CANNON:
      return cannon(board, start, sign);
    case CHARIOT:
      return sliding(board, start, sign);
    default:
      return at(GENERALS, start).filter(free);
  }
}

/** All moves that fit the pieces and what stands in their way, whether or not the general is safe. */
export function pseudoMoves(board: Board, side: number): Move[] {
  const sign = 1 - 2 * side;
  return board.flatMap((code, start) =>
    code * sign > 0 ? reached(board, start, code * sign, sign).map(end => [start, end] as const) : [],
  );
}

/** Whether the general of `side` could be taken; facing the other general is as bad. */
export function inCheck(board: Board, side: number): boolean {
  const sign = 1 - 2 * side;
  const general = board.indexOf(GENERAL * sign);
  for (const ray of at(RAYS, general)) {
    const pieces = ray.map(square => -at(board, square) * sign).filter(kind => kind !== 0);
    if (pieces[0] === CHARIOT || pieces[0] === GENERAL || pieces[1] === CANNON) return true;
  }
  if (at(HORSES_BEFORE, general).some(({ over, end }) => at(board, end) === -HORSE * sign && !at(board, over))) return true;
  const soldiers = at(SOLDIERS, 1 - side);
  return board.some((code, start) => code === -SOLDIER * sign && at(soldiers, start).includes(general));
}

export function moved(board: Board, [start, end]: Move): number[] {
  const after = [...board];
  after[end] = at(after, start);
  after[start] = 0;
  return after;
}

/** Whether a move of `side` leaves its own general attacked. */
export function exposes(board: Board, move: Move, side: number): boolean {
  return inCheck(moved(board, move), side);
}

export function legalMoves(board: Board, side: number): Move[] {
  return pseudoMoves(board, side).filter(move => !exposes(board, move, side));
}
