/** What a game is, as src/zeroply/games/base.py has it: a frozen move table, and positions with exact rules. */
import { Refused, quoted } from '../refused';

/** Every geometrically possible move in one frozen order, that of its sorted name; a move *is* its number. */
export class MoveTable {
  readonly numbers: ReadonlyMap<string, number>;

  constructor(readonly names: readonly string[]) {
    this.numbers = new Map(names.map((name, number) => [name, number]));
  }

  name(move: number): string {
    const name = this.names[move];
    if (name === undefined) throw new RangeError(`there is no move ${move}`);
    return name;
  }

  number(name: string): number {
    const number = this.numbers.get(name);
    if (number === undefined)
      throw new Refused(`${quoted(name)} is not a move. Write the square left and the square reached: ${this.names[0]}`);
    return number;
  }
}

/** How a game ended: the first player's points, 1, 0.5 or 0, and why. */
export interface End {
  points: number;
  reason: string;
}

/** A position's columns by name, each one value or one for each square and the like. */
export type Row = Record<string, readonly number[]>;

/** Immutable; carries the history that its rules and its row need. */
export interface Position {
  /** 0 if the first player (White, Red) is to move, else 1. */
  readonly turn: number;
  readonly ply: number;
  /** How often this position occurred before in the game. */
  readonly repeats: number;
  /** Whether some repetitions lose, as for perpetual check. */
  readonly forbidsRepetition: boolean;
  /** All moves since the game's first position. */
  readonly moves: readonly number[];
  readonly end: End | undefined;
  /** Ascending numbers; also in a drawn position, since records of games go on after such. */
  legal(): readonly number[];
  /** After a legal move. */
  play(move: number): Position;
  /** All columns but those of the past and of the players. */
  row(): Row;
  fen(): string;
  inCheck(): boolean;
  /** The move as people write it here: SAN, WXF. */
  notation(move: number): string;
  /** The move as records of games have it: SAN, ICCS. */
  recorded(move: number): string;
  /** The legal move that a person means, in any notation that people use here. */
  number(text: string): number;
}

export interface Game {
  readonly name: string;
  readonly files: number;
  readonly ranks: number;
  /** For people; also the names of their tags in records. */
  readonly sides: readonly [string, string];
  /** In small letters, how tags of records name it. */
  readonly titles: readonly string[];
  /** Tags that every record of this game has. */
  readonly recordTags: Readonly<Record<string, string>>;
  readonly table: MoveTable;
  start(fen?: string): Position;
}

/** The next step where a FEN has as many ranks as a board of the other game; src/zeroply/games/mistaken.py. */
export function otherGame(fen: string, game: string, ranks: number): string | undefined {
  const found = (fen.trim().split(/\s+/)[0] ?? '').split('/').length;
  return found === ranks ? `${ranks} ranks are a board of ${game}: choose that game (--game ${game})` : undefined;
}

/** A row counts earlier occurrences up to here. */
export const MOST_REPEATS = 127;

/** Each position, the move that is made in it, and where it leads; a wrong one is named with its ply. */
export function* steps(position: Position, texts: readonly string[]): Generator<[Position, number, Position]> {
  for (const [place, text] of texts.entries()) {
    let move: number;
    try {
      move = position.number(text);
    } catch (error) {
      if (error instanceof Refused) throw new Refused(`ply ${place + 1}: ${error.message}`);
      throw error;
    }
    const after = position.play(move);
    yield [position, move, after];
    position = after;
  }
}

/** The position after moves. */
export function follow(position: Position, texts: readonly string[]): Position {
  for (const [, , after] of steps(position, texts)) position = after;
  return position;
}
