/**
 * Who loses by repeating: perpetual check and perpetual chase, judged as the Asian federation (AXF) does; the same
 * as src/zeroply/games/xiangqi/repetition.py, whose golden file both have to agree with.
 */
import type { End } from '../base';
import {
  ADVISOR,
  type Board,
  CANNON,
  CHARIOT,
  ELEPHANT,
  GENERAL,
  HORSE,
  SOLDIER,
  across,
  exposes,
  inCheck,
  moved,
  pseudoMoves,
} from './rules';
import type { Move } from './table';

/** What a piece threatens to win though it be protected. */
const NOBLER: Readonly<Record<number, readonly number[]>> = {
  [HORSE]: [CHARIOT],
  [CANNON]: [CHARIOT],
  [ADVISOR]: [CHARIOT, CANNON, HORSE],
  [ELEPHANT]: [CHARIOT, CANNON, HORSE],
};

const same = (a: Move, b: Move): boolean => a[0] === b[0] && a[1] === b[1];

/**
 * The end of a game whose position came for the third time: `boards` are those from the first time to the third,
 * `moves` those between them, by `turn` first.
 */
export function judge(boards: readonly Board[], moves: readonly Move[], turn: number): End {
  const checks = (side: number): boolean =>
    boards.every((board, place) => place === 0 || (place % 2 === 1) !== (side === turn) || inCheck(board, 1 - side));
  const checking = [0, 1].filter(checks);
  if (checking.length) return against(checking, 'gave perpetual check');
  const chasing = [0, 1].filter(side => chases(boards, moves, side, (turn + side) % 2));
  if (chasing.length) return against(chasing, 'chased a piece without end');
  return { points: 0.5, reason: 'the position occurred three times' };
}

function against(guilty: readonly number[], deed: string): End {
  if (guilty.length === 2) return { points: 0.5, reason: `both sides ${deed}` };
  return { points: guilty[0]!, reason: `${guilty[0] ? 'Black' : 'Red'} ${deed}` };
}

/** Whether every move of `side`, who makes the first (0) or second (1), newly threatens the same piece. */
function chases(boards: readonly Board[], moves: readonly Move[], side: number, first: number): boolean {
  /** By square, where the piece there stood at first. */
  const names = boards[0]!.map((_, square) => square);
  let chased = new Set(names);
  for (const [place, move] of moves.entries()) {
    const [start, end] = move;
    [names[end], names[start]] = [names[start]!, names[end]!];
    if (place % 2 !== first) continue;
    const threatened = newThreats(boards[place]!, boards[place + 1]!, move, side).map(victim => names[victim]!);
    chased = new Set(threatened.filter(name => chased.has(name)));
  }
  return chased.size > 0;
}

/**
 * The squares of pieces that a move of `side` threatens, either because they could not be captured so before, or
 * because the move has pinned their last protectors.
 */
function newThreats(before: Board, after: Board, [start, end]: Move, side: number): number[] {
  const captures = pseudoMoves(before, side);
  return pseudoMoves(after, side)
    .filter(now => {
      if (!wins(after, now, side)) return false;
      const then: Move = [now[0] === end ? start : now[0], now[1]];
      return !captures.some(known => same(known, then)) || pins(before, then, after, now, side);
    })
    .map(([, victim]) => victim);
}

/** Whether the protectors are the same as before, but none may take back any more. */
function pins(before: Board, then: Move, after: Board, now: Move, side: number): boolean {
  if (inCheck(before, side)) return false; // who only steps out of check pins nobody
  const alike = protectors(before, then, side).join() === protectors(after, now, side).join();
  return alike && avengers(before, then, side).length > 0 && avengers(after, now, side).length === 0;
}

/** Whether a move of `side` takes a piece that may not be chased, and gains by it. */
function wins(board: Board, move: Move, side: number): boolean {
  const [start, end] = move;
  const [chaser, victim] = [Math.abs(board[start]!), Math.abs(board[end]!)];
  if (victim === 0 || victim === GENERAL || chaser === GENERAL || chaser === SOLDIER) return false;
  if ((victim === SOLDIER && !across(end, 1 - side)) || exposes(board, move, side)) return false;
  if (NOBLER[chaser]?.includes(victim)) return true;
  if (chaser === victim && canTake(board, [end, start], 1 - side)) return false; // they threaten each other
  if (inCheck(board, 1 - side)) return protectors(board, move, side).length === 0; // answered first: pins nobody
  return avengers(board, move, side).length === 0;
}

/** Where the pieces stand that could take what has taken there, but for their general's safety. */
function protectors(board: Board, move: Move, side: number): number[] {
  return pseudoMoves(moved(board, move), 1 - side)
    .filter(([, end]) => end === move[1])
    .map(([start]) => start);
}

/** Where the protectors stand that may legally take what has taken there. */
function avengers(board: Board, move: Move, side: number): number[] {
  const after = moved(board, move);
  return protectors(board, move, side).filter(guard => !exposes(after, [guard, move[1]], 1 - side));
}

function canTake(board: Board, move: Move, side: number): boolean {
  return pseudoMoves(board, side).some(known => same(known, move)) && !exposes(board, move, side);
}
