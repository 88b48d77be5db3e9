/** One game between a person and a net in messages, as src/zeroply/apps/duel.py and web/session.py have it. */
import type { Because, Candidate, State } from '../protocol';
import type { Game, Position } from './games/base';
import type { Glance, Persona } from './glance';
import { look } from './look';
import { decide } from './player';
import { resultOf, written } from './record';
import { Refused } from './refused';

/** How many of the net's candidates the page is told. */
const CANDIDATES = 5;

interface Ply {
  before: Position;
  move: number;
  notation: string;
  recorded: string;
  /** After the move. */
  fen: string;
  check: boolean;
  /** The net's look at the board, if the net made the move. */
  glance: Glance | undefined;
  /** Likewise: why it is not the net's likeliest. */
  because: Because | null;
}

export interface Rules {
  game: Game;
  persona: Persona;
  temperature: number;
  /** The person's: 0 moves first. */
  side: number;
}

export class Duel {
  private readonly plies: Ply[] = [];
  private now: Position;
  private resigned = false;
  private readonly date = new Date();

  constructor(
    private readonly rules: Rules,
    private readonly start: Position,
    moves: readonly number[],
  ) {
    this.now = start;
    for (const move of moves) this.make(move);
  }

  get awaitsNet(): boolean {
    return this.points === null && this.now.turn !== this.rules.side;
  }

  /** The person's move, by its name in the table. */
  play(name: string): void {
    this.refuseIfOver();
    if (this.awaitsNet) throw new Refused('it is not your turn');
    this.make(this.rules.game.table.number(name));
  }

  /** The net's move: one look. */
  async reply(): Promise<void> {
    const [glance] = await look(this.rules.persona, [this.now]);
    const { move, because } = decide(this.now, glance!, this.rules.temperature);
    this.make(move, glance, because);
  }

  /** Take back the last thing that the person did, and the net's answer to it. */
  undo(): void {
    if (this.resigned) {
      this.resigned = false;
      return;
    }
    const own = this.lastOwn();
    if (own < 0) throw new Refused('there is no move of yours to take back');
    this.now = this.plies[own]!.before;
    this.plies.splice(own);
  }

  resign(): void {
    this.refuseIfOver();
    this.resigned = true;
  }

  state(): State {
    const { game, persona, side } = this.rules;
    const { now, points } = this;
    const names = game.sides.map(name => name.toLowerCase());
    return {
      type: 'state',
      game: game.name,
      model: persona.model.name,
      fen: now.fen(),
      start: this.start.fen(),
      start_check: this.start.inCheck(),
      turn: names[now.turn]!,
      side: names[side]!,
      moves: this.plies.map(({ move, notation, fen, check }) => ({ move: game.table.name(move), notation, fen, check })),
      legal: points === null && now.turn === side ? now.legal().map(move => ({ move: game.table.name(move), notation: now.notation(move) })) : [],
      undoable: this.resigned || this.lastOwn() >= 0,
      check: now.inCheck(),
      result: points === null ? null : resultOf(points),
      reason: this.reason,
      resigned: this.resigned,
      candidates: this.candidates(),
      because: this.lastLook()?.because ?? null,
      wdl: this.wdl(),
      record: this.record(),
    };
  }

  /** The first player's; null while the game goes on. */
  private get points(): number | null {
    return this.resigned ? this.rules.side : (this.now.end?.points ?? null);
  }

  private get reason(): string | null {
    return this.resigned ? 'you resigned' : (this.now.end?.reason ?? null);
  }

  private make(move: number, glance?: Glance, because: Because | null = null): void {
    const before = this.now;
    this.now = before.play(move);
    this.plies.push({
      before,
      move,
      notation: before.notation(move),
      recorded: before.recorded(move),
      fen: this.now.fen(),
      check: this.now.inCheck(),
      glance,
      because,
    });
  }

  private lastOwn(): number {
    return this.plies.findLastIndex(({ before }) => before.turn === this.rules.side);
  }

  private refuseIfOver(): void {
    if (this.points !== null) throw new Refused('the game is over. Start a new one');
  }

  private lastLook(): (Ply & { glance: Glance }) | undefined {
    return this.plies.findLast((ply): ply is Ply & { glance: Glance } => ply.glance !== undefined);
  }

  private candidates(): Candidate[] {
    const ply = this.lastLook();
    if (!ply) return [];
    return ply.glance.moves
      .map((move, place) => ({ move, place, probability: ply.glance.probabilities[place]! }))
      .filter(({ move, place }) => place < CANDIDATES || move === ply.move) // a sampled move may stand far down
      .map(({ move, probability }) => ({
        move: this.rules.game.table.name(move),
        notation: ply.before.notation(move),
        probability,
        played: move === ply.move,
      }));
  }

  /** For the person: how the game ended, or what the net saw at its last move, from its own side. */
  private wdl(): [number, number, number] | null {
    if (this.points !== null) {
      const own = this.rules.side === 0 ? this.points : 1 - this.points;
      return [Number(own === 1), Number(own === 0.5), Number(own === 0)];
    }
    const seen = this.lastLook()?.glance.wdl;
    return seen ? [seen[2], seen[1], seen[0]] : null;
  }

  private record(): string {
    const { game, persona, side } = this.rules;
    const players = ['you', `zeroply ${persona.model.name}`];
    const tags = {
      Event: 'zeroply',
      Site: '?',
      Date: [this.date.getFullYear(), this.date.getMonth() + 1, this.date.getDate()].map(part => String(part).padStart(2, '0')).join('.'),
      Round: '-',
      [game.sides[0]]: players[side]!,
      [game.sides[1]]: players[1 - side]!,
      Result: this.points === null ? '*' : resultOf(this.points),
    };
    return written(game, tags, this.start, this.plies.map(({ recorded }) => recorded), this.reason);
  }
}
