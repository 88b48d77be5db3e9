/** WXF (C2.5) and Chinese (炮二平五), after src/zeroply/games/xiangqi/notation.py. */
import { ADVISOR, type Board, ELEPHANT } from './rules';
import { type Move, fileOf, rankOf } from './table';

const LETTERS = 'PAEHCRK';
const PIECES = ['兵仕相马炮车帅', '卒士象马炮车将'];
const NUMBERS = ['一二三四五六七八九', '123456789'];
/** Other ways to write WXF and Chinese: traditional characters, and those of the other side's pieces. */
const FROM = '=NBnb—馬傌車俥砲帥將進後仕象卒将';
const TO = '.HEHE-马马车车炮帅帅进后士相兵帅';
/** In UCCI or ICCS. */
export const SQUARES = /^([a-i]\d+)-?([a-i]\d+)$/i;
/** A move in some position, in WXF or Chinese as it is compared. */
const WRITTEN = /^([PAEHCRK1-9+-][1-9+-][.+-][1-9]|[兵士相马炮车帅前中后1-9一二三四五六七八九][兵士相马炮车帅1-9一二三四五六七八九][退平进][1-9一二三四五六七八九])$/;

export function wxf(board: Board, move: Move): string {
  const code = board[move[0]]!;
  const piece = LETTERS.charAt(Math.abs(code) - 1);
  const file = String(fileFrom(move[0], code < 0));
  const { place, rivals, files } = tandem(board, move[0]);
  let who = piece + file;
  if (rivals > 1) {
    const behind = 2 * place - (rivals - 1); // 0 in the middle, below 0 in front of it
    const sign = behind < 0 ? '+' : behind > 0 ? '-' : file;
    who = (files > 1 ? file : Math.abs(behind) > 2 ? sign : piece) + sign;
  }
  const { sense, count } = way(board, move);
  return `${who}${'-.+'.charAt(sense + 1)}${count}`;
}

export function chinese(board: Board, move: Move): string {
  const code = board[move[0]]!;
  const numbers = NUMBERS[Number(code < 0)]!;
  const piece = PIECES[Number(code < 0)]!.charAt(Math.abs(code) - 1);
  const file = numbers.charAt(fileFrom(move[0], code < 0) - 1);
  const { place, rivals, files } = tandem(board, move[0]);
  let who = piece + file;
  if (rivals > 1) {
    const middle = rivals === 3 ? '中' : '一二三四五'.charAt(place);
    who = (place === 0 ? '前' : place === rivals - 1 ? '后' : middle) + (files > 1 ? file : piece);
  }
  const { sense, count } = way(board, move);
  return `${who}${'退平进'.charAt(sense + 1)}${numbers.charAt(count - 1)}`;
}

/** The one of some moves that is written so, in WXF or Chinese; full-width characters are as good. */
export function fromText(board: Board, moves: readonly Move[], text: string): Move | undefined {
  const wanted = compared(text);
  return moves.find(move => wanted === wxf(board, move) || wanted === alike(chinese(board, move)));
}

/** In WXF, moves of pieces that share a file with their like, where a text is the move of either. */
export function leftOpen(board: Board, moves: readonly Move[], text: string): string[] {
  const wanted = compared(text);
  const meant = moves.filter(move => {
    const alone = board.map((code, square) => (square === move[0] ? code : 0));
    return wanted === wxf(alone, move) || wanted === alike(chinese(alone, move));
  });
  return meant.map(move => wxf(board, move));
}

/** Whether it would be a move in some position: then spelling is not what is wrong with it. */
export const wellWritten = (text: string): boolean => WRITTEN.test(compared(text));

const compared = (text: string): string => alike(text.normalize('NFKC').trim()).toUpperCase();

function alike(text: string): string {
  return [...text].map(character => (FROM.includes(character) ? TO.charAt(FROM.indexOf(character)) : character)).join('');
}

/** 1 to 9, from that side's right. */
const fileFrom = (square: number, black: boolean): number => (black ? fileOf(square) + 1 : 9 - fileOf(square));

/** 1 ahead, 0 aside, -1 back, as the mover sees it; and the steps along a file, else the file reached. */
function way(board: Board, [start, end]: Move): { sense: number; count: number } {
  const black = board[start]! < 0;
  const ranks = (rankOf(end) - rankOf(start)) * (black ? -1 : 1);
  const count = fileOf(start) === fileOf(end) ? Math.abs(ranks) : fileFrom(end, black);
  return { sense: Math.sign(ranks), count };
}

/**
 * Among its like on the file: which from the front, of how many, and on how many files there are several. Advisors
 * and elephants are told apart by where they go.
 */
function tandem(board: Board, square: number): { place: number; rivals: number; files: number } {
  const code = board[square]!;
  if ([ADVISOR, ELEPHANT].some(kind => kind === Math.abs(code))) return { place: 0, rivals: 1, files: 0 };
  const like = board.flatMap((other, at) => (other === code ? [at] : []));
  const onFile = (file: number): number[] => like.filter(at => fileOf(at) === file);
  const own = onFile(fileOf(square));
  if (code > 0) own.reverse();
  const files = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(file => onFile(file).length > 1).length;
  return { place: own.indexOf(square), rivals: own.length, files };
}
