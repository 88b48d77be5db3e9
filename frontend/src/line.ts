/** The positions of a game as FEN, from its first one and its moves: messages have only the last. */
import { LOOKS } from './looks';
import type { GameShape } from './protocol';

type Placement = Map<string, string>;

/** One more than there are moves. The moves are legal: the server made them. */
export function fens(shape: GameShape, start: string, moves: string[]): string[] {
  const found = [start];
  for (const move of moves) found.push(after(shape, found.at(-1) ?? start, move));
  return found;
}

function after(shape: GameShape, fen: string, move: string): string {
  const [ranks = '', turn, rights = '-', passing = '-', still, number] = fen.split(' ');
  const pieces = read(shape, ranks);
  const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
  const piece = pieces.get(from) ?? '';
  const pawn = piece.toLowerCase() === 'p';
  const taken = pieces.has(to) || (pawn && to === passing);
  if (pawn && to === passing) pieces.delete(to.charAt(0) + from.charAt(1));
  pieces.delete(from);
  pieces.set(to, promoted(piece, move.charAt(4)));
  const chess = shape.name === 'chess';
  if (chess && piece.toLowerCase() === 'k') castle(pieces, from, to);
  const resets = taken || (chess && pawn);
  return [
    write(shape, pieces),
    turn === 'w' ? 'b' : 'w',
    chess ? left(rights, from, to) : '-',
    chess && pawn ? passed(pieces, from, to) : '-',
    resets ? 0 : Number(still) + 1,
    Number(number) + (turn === 'b' ? 1 : 0),
  ].join(' ');
}

function promoted(piece: string, letter: string): string {
  if (!letter) return piece;
  return piece === 'P' ? letter.toUpperCase() : letter;
}

/** A king that goes two files takes its rook to the other side. */
function castle(pieces: Placement, from: string, to: string): void {
  const steps = to.charCodeAt(0) - from.charCodeAt(0);
  if (Math.abs(steps) !== 2) return;
  const rank = from.charAt(1);
  const [corner, beside] = steps > 0 ? ['h', 'f'] : ['a', 'd'];
  const rook = pieces.get(corner + rank);
  if (!rook) return;
  pieces.delete(corner + rank);
  pieces.set(beside + rank, rook);
}

const HOMES: Readonly<Record<string, string>> = { a1: 'Q', e1: 'KQ', h1: 'K', a8: 'q', e8: 'kq', h8: 'k' };

/** The rights that are left when something has moved from one square to another. */
function left(rights: string, from: string, to: string): string {
  const gone = (HOMES[from] ?? '') + (HOMES[to] ?? '');
  return [...rights].filter(right => !gone.includes(right)).join('') || '-';
}

/** The square that a pawn passed by, where a pawn of the other side stands beside it. */
function passed(pieces: Placement, from: string, to: string): string {
  const [start, end] = [Number(from.charAt(1)), Number(to.charAt(1))];
  if (Math.abs(end - start) !== 2) return '-';
  const enemy = pieces.get(to) === 'P' ? 'p' : 'P';
  const file = to.charCodeAt(0);
  const beside = [file - 1, file + 1].map(other => pieces.get(String.fromCharCode(other) + end));
  return beside.includes(enemy) ? to.charAt(0) + (start + end) / 2 : '-';
}

function read(shape: GameShape, ranks: string): Placement {
  const pieces: Placement = new Map();
  for (const [row, text] of ranks.split('/').entries()) {
    let file = 0;
    for (const letter of text) {
      if (letter >= '0' && letter <= '9') file += Number(letter);
      else pieces.set(name(shape, file++, row), letter);
    }
  }
  return pieces;
}

function write(shape: GameShape, pieces: Placement): string {
  const rows = Array.from({ length: shape.ranks }, (_, row) =>
    Array.from({ length: shape.files }, (_, file) => pieces.get(name(shape, file, row)) ?? '1')
      .join('')
      .replace(/1+/g, run => String(run.length)),
  );
  return rows.join('/');
}

/** Rows count from the top, as in a FEN. */
function name({ name: game, ranks }: GameShape, file: number, row: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + file) + (ranks - 1 - row + (LOOKS[game]?.lowestRank ?? 1));
}
