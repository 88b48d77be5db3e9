/** FENs of xiangqi, read and judged as src/zeroply/games/xiangqi/fens.py does. */
import { Refused, quoted, shortened } from '../../refused';
import { otherGame } from '../base';
import { type Board, ADVISOR, ELEPHANT, GENERAL, SOLDIER, across, inCheck } from './rules';
import { ADVISOR_POINTS, ELEPHANT_POINTS, PALACES, fileOf, mirrored, rankOf, squareName } from './table';

const LETTERS = 'PABNCRK';
const NAMES = ['soldier', 'advisor', 'elephant', 'horse', 'cannon', 'chariot', 'general'];
/** Pieces of each kind that a side begins with; none can be won. */
const MOST = [5, 2, 2, 2, 2, 2, 1];
const MOST_MOVES = 10_000;
export const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';

export interface Fields {
  board: Board;
  turn: number;
  halfmove: number;
  ply: number;
}

/** The fields of a position that can arise; later fields may be left out. */
export function readFen(fen: string): Fields {
  const given = fen.trim().split(/\s+/);
  const words = [...given, ...['w', '-', '-', '0', '1'].slice(Math.max(0, given.length - 1))];
  const refuse = (flaw: string): never => {
    throw new Refused(`${quoted(fen)} ${flaw}`);
  };
  if (!/^\S+ [wbr] \S+ \S+ \d{1,9} \d{1,9}$/.test(words.join(' ')))
    refuse('is not a xiangqi position. Give a FEN: board, w or b, two dashes, two numbers');
  const board = readBoard(words[0]!, flaw => refuse(`is not a xiangqi position: ${flaw}`));
  if (words[2] !== '-' || words[3] !== '-') refuse(`has ${shortened(`${words[2]} ${words[3]}`)} after the side to move, not two dashes`);
  const turn = Number(words[1] === 'b');
  const flaw = flawOf(board, turn);
  if (flaw) refuse(`cannot arise in xiangqi: ${flaw}. Check the FEN`);
  const [halfmove, number] = [words[4], words[5]].map(word => Math.min(Number(word), MOST_MOVES)) as [number, number];
  return { board, turn, halfmove, ply: 2 * (Math.max(number, 1) - 1) + turn };
}

function readBoard(text: string, refuse: (flaw: string) => never): Board {
  const synonyms: Record<string, string> = { E: 'B', H: 'N', e: 'b', h: 'n' };
  const ranks = text.replace(/[EHeh]/g, letter => synonyms[letter]!).split('/');
  if (ranks.length !== 10) refuse(`it has ${ranks.length} ranks, not 10. ${otherGame(text, 'chess', 8) ?? 'Check the FEN'}`);
  return ranks.reverse().flatMap(rank => {
    const strange = /[^1-9PABNCRKpabncrk]/.exec(rank);
    if (strange) refuse(`what is '${strange[0]}' in ${quoted(rank)}?`);
    const runs = /\d\d+/.exec(rank);
    if (runs) refuse(`${quoted(runs[0])} in ${quoted(rank)} are two numbers of empty squares`);
    const letters = rank.replace(/\d/g, run => '1'.repeat(Number(run)));
    if (letters.length !== 9) refuse(`${quoted(rank)} has ${letters.length} files, not 9`);
    return [...letters].map(codeOf);
  });
}

/** An empty square is no letter. */
function codeOf(letter: string): number {
  const code = LETTERS.indexOf(letter.toUpperCase()) + 1;
  return letter === letter.toUpperCase() ? code : -code;
}

/** Where Red's pieces of a kind can stand. */
function stands(kind: number, square: number): boolean {
  const own = !across(square, 0);
  if (kind === SOLDIER) return !own || (rankOf(square) >= 3 && fileOf(square) % 2 === 0);
  if (kind === ADVISOR) return own && ADVISOR_POINTS.has(square);
  if (kind === ELEPHANT) return own && ELEPHANT_POINTS.has(square);
  return kind !== GENERAL || (own && PALACES.has(square));
}

/** Why a board cannot arise in a game. */
function flawOf(board: Board, turn: number): string | undefined {
  for (const [side, colour] of ['red', 'black'].entries())
    for (const [place, name] of NAMES.entries()) {
      const count = board.filter(code => code === (place + 1) * (1 - 2 * side)).length;
      if (count > MOST[place]!) return `${count} ${colour} ${name}s`;
      if (place + 1 === GENERAL && !count) return `no ${colour} general`;
    }
  for (const [square, code] of board.entries())
    if (code && !stands(Math.abs(code), code > 0 ? square : mirrored(square)))
      return `a ${code > 0 ? 'red' : 'black'} ${NAMES[Math.abs(code) - 1]} on ${squareName(square)}`;
  for (const [rear, front, soldier, colour] of [[27, 36, SOLDIER, 'red'], [54, 45, -SOLDIER, 'black']] as const)
    for (let file = 0; file < 9; file++)
      if (board[rear + file] === soldier && board[front + file] === soldier)
        return `two ${colour} soldiers on file ${'abcdefghi'.charAt(file)} that have not crossed the river`;
  if (inCheck(board, 1 - turn)) return `${turn ? 'black' : 'red'} is to move and could take the general`;
  return undefined;
}

export function writeFen({ board, turn, halfmove, ply }: Fields): string {
  const letter = (code: number): string => {
    const found = code ? LETTERS.charAt(Math.abs(code) - 1) : '1';
    return code < 0 ? found.toLowerCase() : found;
  };
  const rank = (number: number): string =>
    board
      .slice(9 * number, 9 * number + 9)
      .map(letter)
      .join('')
      .replace(/1+/g, run => String(run.length));
  const ranks = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(rank).join('/');
  return `${ranks} ${'wb'.charAt(turn)} - - ${halfmove} ${Math.floor(ply / 2) + 1}`;
}
