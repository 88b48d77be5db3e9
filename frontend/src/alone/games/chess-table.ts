import { MoveTable } from './base';

const SLIDES = [[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [1, -1], [-1, -1], [-1, 1]] as const;
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]] as const;

function square(file: number, rank: number): string | undefined {
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? 'abcdefgh'.charAt(file) + String(rank + 1) : undefined;
}

/** The 1968 moves that a chess piece can make on some board: queen and knight moves, and pawns' promotions. */
function names(): string[] {
  const found: string[] = [];
  const reach = SLIDES.flatMap(([file, rank]) => [1, 2, 3, 4, 5, 6, 7].map(n => [file * n, rank * n] as const));
  for (let start = 0; start < 64; start++) {
    const [file, rank] = [start % 8, Math.floor(start / 8)];
    for (const [files, ranks] of [...reach, ...JUMPS]) {
      const end = square(file + files, rank + ranks);
      if (!end) continue;
      const name = `${square(file, rank)}${end}`;
      found.push(name);
      const promotes = (rank === 6 && ranks === 1) || (rank === 1 && ranks === -1);
      if (promotes && Math.abs(files) <= 1) found.push(...[...'nbrq'].map(piece => name + piece));
    }
  }
  return found.sort();
}

export const CHESS_MOVES = new MoveTable(names());
