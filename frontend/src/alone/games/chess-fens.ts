/** FENs of chess, read and judged as src/zeroply/games/chess/position.py and python-chess do. */
import { ray } from 'chessops/attacks';
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import type { Setup } from 'chessops/setup';
import { SquareSet } from 'chessops/squareSet';
import { COLORS } from 'chessops/types';
import { opposite } from 'chessops/util';

import { Refused } from '../refused';

/** What is wrong, by chessops' names. */
const FLAWS: Record<string, string> = {
  ERR_EMPTY: 'the board is empty',
  ERR_KINGS: 'each side has one king',
  ERR_OPPOSITE_CHECK: 'who is to move could take the king',
  ERR_PAWNS_ON_BACKRANK: 'pawns on the first or last rank',
  ERR_BOARD: 'the board has other than eight ranks of eight squares, or a letter that is no piece',
  ERR_FEN: 'it has more than six fields',
  ERR_TURN: 'who is to move is w or b',
  ERR_CASTLING: 'castling rights are KQkq or a part of it, or -',
  ERR_EP_SQUARE: 'the square of en passant is a square or -',
  ERR_HALFMOVES: 'a number was expected in the fifth field',
  ERR_FULLMOVES: 'a number was expected in the sixth field',
};
/** Absurd clocks are written by no program, but typed by people. */
const MOST_MOVES = 10_000;
const KING_HOMES = { white: 4, black: 60 } as const;

/** The position of a FEN that can arise; later fields may be left out. */
export function readFen(fen: string): Chess {
  const fields = fen.trim().split(/\s+/);
  const [ranks = '', turn = 'w', rights = '-', passing = '-', still = '0', number = '1'] = fields;
  const refuse = (flaw: string): never => {
    const other = ranks.split('/').length === 10 ? '. 10 ranks are a board of xiangqi: choose it first' : '. Give a FEN with six fields';
    throw new Refused(`'${fen}' is not a chess position: ${FLAWS[flaw] ?? flaw}${other}`);
  };
  if (fields.length > 6) refuse('ERR_FEN');
  // Other games have more in these fields: pieces in hand, checks that are left.
  if (!/^[1-8pnbrqk~]+(?:\/[1-8pnbrqk~]+){7}$/i.test(ranks) || /\d\d/.test(ranks)) refuse('ERR_BOARD');
  if (!/^(?:-|[KQA-H]{0,2}[kqa-h]{0,2})$/.test(rights)) refuse('ERR_CASTLING');
  if (!/^(?:-|[a-h][1-8])$/.test(passing)) refuse('ERR_EP_SQUARE');
  if (!/^\d+$/.test(still)) refuse('ERR_HALFMOVES');
  if (!/^\d+$/.test(number)) refuse('ERR_FULLMOVES');
  const board = parseFen([ranks, turn, rights, passing].join(' '))
    .chain(setup => Chess.fromSetup({ ...setup, castlingRights: usualRights(setup) }))
    .unwrap(
      found => found,
      error => refuse(error.message),
    );
  const flaw = tooMany(board) ?? impossible(board, passing);
  if (flaw) throw new Refused(`'${fen}' cannot arise in chess: ${flaw}. Check the FEN`);
  board.halfmoves = Math.min(Number(still), MOST_MOVES);
  board.fullmoves = Math.min(Math.max(Number(number), 1), MOST_MOVES);
  return board;
}

/** Only those of kings and rooks that stand where they began. */
function usualRights({ board, castlingRights }: Setup): SquareSet {
  let kept = castlingRights.intersect(SquareSet.corners());
  for (const color of COLORS) if (board.kingOf(color) !== KING_HOMES[color]) kept = kept.diff(SquareSet.backrank(color));
  return kept;
}

function tooMany({ board }: Chess): string | undefined {
  for (const color of COLORS) {
    if (board.pieces(color, 'pawn').size() > 8) return `too many ${color} pawns`;
    if (board[color].size() > 16) return `too many ${color} pieces`;
  }
  return undefined;
}

/** What no last move can have led to. */
function impossible(position: Chess, passing: string): string | undefined {
  const { board, epSquare, turn } = position;
  if (passing !== '-' && (epSquare === undefined || board.occupied.has(epSquare))) return 'invalid ep square';
  const { king, checkers } = position.ctx();
  const [checker, another, third] = checkers;
  if (king === undefined || checker === undefined) return undefined;
  if (third !== undefined) return 'too many checkers';
  if (epSquare === undefined) return another !== undefined && ray(checker, another).has(king) ? 'impossible check' : undefined;
  const forward = turn === 'white' ? 8 : -8;
  const [pushedFrom, pushedTo] = [epSquare + forward, epSquare - forward];
  const before = board.occupied.without(pushedTo).with(pushedFrom);
  const earlier = checker !== pushedTo && position.kingAttackers(king, opposite(turn), before).nonEmpty();
  return another !== undefined || earlier ? 'impossible check' : undefined;
}
