/** Why a chess board cannot arise in a game, in the words and the order of python-chess (chess.Status). */
import { attacks, ray } from 'chessops/attacks';
import type { Setup } from 'chessops/setup';
import { SquareSet } from 'chessops/squareSet';
import { COLORS, type Color, type Square } from 'chessops/types';
import { opposite } from 'chessops/util';

/** All of them; none of a position that can arise. Castling rights that cannot be are dropped elsewhere. */
export function flawsOf(setup: Setup): string[] {
  const { board, turn } = setup;
  const passing = passed(setup);
  const checkers = attackersOf(setup, turn);
  const held = (color: Color, what: 'pawns' | 'pieces'): boolean =>
    what === 'pawns' ? board.pieces(color, 'pawn').size() > 8 : board[color].size() > 16;
  const found: [boolean, string][] = [
    ...COLORS.map((color): [boolean, string] => [board.pieces(color, 'king').isEmpty(), `no ${color} king`]),
    [board.king.size() > 2, 'too many kings'],
    ...COLORS.map((color): [boolean, string] => [held(color, 'pawns'), `too many ${color} pawns`]),
    [board.pawn.intersects(SquareSet.backranks()), 'pawns on backrank'],
    ...COLORS.map((color): [boolean, string] => [held(color, 'pieces'), `too many ${color} pieces`]),
    [setup.epSquare !== passing, 'invalid ep square'],
    [attackersOf(setup, opposite(turn)).nonEmpty(), 'opposite check'],
    [board.occupied.isEmpty(), 'empty'],
    [checkers.size() > 2, 'too many checkers'],
    [isImpossible(setup, checkers, passing), 'impossible check'],
  ];
  return found.filter(([wrong]) => wrong).map(([, words]) => words);
}

/** The square that a pawn has just passed, if it can have. */
function passed({ board, turn, epSquare }: Setup): Square | undefined {
  if (epSquare === undefined || Math.floor(epSquare / 8) !== (turn === 'white' ? 5 : 2)) return undefined;
  const ahead = turn === 'white' ? 8 : -8;
  const pushed = board.pieces(opposite(turn), 'pawn').has(epSquare - ahead);
  return pushed && !board.occupied.has(epSquare) && !board.occupied.has(epSquare + ahead) ? epSquare : undefined;
}

/** What attacks the king of a side, on a board with other squares taken than there are. */
function attackersOf({ board }: Setup, side: Color, occupied = board.occupied): SquareSet {
  const king = board.pieces(side, 'king').last();
  let found = SquareSet.empty();
  if (king === undefined) return found;
  for (const from of board[opposite(side)]) if (attacks(board.get(from)!, from, occupied).has(king)) found = found.with(from);
  return found;
}

/** Whether no last move can have led to these checks. */
function isImpossible(setup: Setup, checkers: SquareSet, passing: Square | undefined): boolean {
  const { board, turn } = setup;
  const [first, last] = [checkers.first(), checkers.last()];
  if (first === undefined || last === undefined) return false;
  if (passing === undefined)
    return checkers.size() > 2 || (checkers.size() === 2 && ray(first, last).intersects(board.pieces(turn, 'king')));
  const ahead = turn === 'white' ? 8 : -8;
  const before = board.occupied.without(passing - ahead).with(passing + ahead);
  return checkers.size() > 1 || (last !== passing - ahead && attackersOf(setup, turn, before).nonEmpty());
}
