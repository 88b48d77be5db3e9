/** How a move is picked from a look, as src/zeroply/players has it: drawing.py, rules.py and net.py. */
import type { Because } from '../protocol';
import type { Position } from './games/base';
import { type Glance, TINY, only } from './glance';

/** Expected points from which a side counts as winning. */
const WINNING = 0.8;

/** A move that is played, and why the likeliest is not; null where it is, and where chance alone decided otherwise. */
export interface Decision {
  move: number;
  because: Because | null;
}

/**
 * The likeliest move, or the one that is drawn, of those that the rules' two helps leave; or of all, where these are
 * forbidden; a forbidden one only where there is no other.
 */
export function decide(position: Position, glance: Glance, temperature: number): Decision {
  const winning = mateInOne(position, glance);
  const helped = nothingGivenAway(position, winning);
  const move = allowed(position, [helped, glance], temperature);
  const [likeliest] = glance.moves;
  // A move that no help left is played where all others are forbidden: then none had its way.
  const by = ({ moves }: Glance): boolean => !moves.includes(likeliest!) && moves.includes(move);
  if (move === likeliest) return { move, because: null };
  if (by(winning)) return { move, because: 'wins_at_once' };
  if (by(helped)) return { move, because: 'gives_nothing_away' };
  return { move, because: forbidden(position, likeliest!) ? 'forbidden' : null };
}

function allowed(position: Position, choices: [Glance, Glance], temperature: number): number {
  for (const choice of choices)
    for (const move of drawn(choice, temperature)) if (!forbidden(position, move)) return move;
  return choices[0].moves[0]!;
}

/** Where a move wins at once, only such moves are left: mates, and in xiangqi stalemates too. */
function mateInOne(position: Position, glance: Glance): Glance {
  return only(glance, move => position.play(move).end?.points === 1 - position.turn);
}

/** A winning side neither ends the game in a draw nor repeats a position, unless there is no other move. */
function nothingGivenAway(position: Position, glance: Glance): Glance {
  if (glance.expected === null || glance.expected < WINNING) return glance;
  return only(glance, move => {
    const after = position.play(move);
    return after.end?.points !== 0.5 && after.repeats === 0;
  });
}

/** Whether the rules make the mover lose for what came again: by this move, or by a reply to it. */
function forbidden(position: Position, move: number): boolean {
  if (!position.forbidsRepetition) return false;
  const after = position.play(move);
  if (after.end) return after.end.points === position.turn;
  return after.legal().some(reply => {
    const last = after.play(reply);
    return last.repeats > 0 && last.end?.points === position.turn; // a mate never came before
  });
}

/** All moves one after the other: likeliest first, or as they are drawn. */
function* drawn(glance: Glance, temperature: number): Generator<number> {
  if (temperature <= 0) return yield* glance.moves;
  const left = glance.moves.map((move, place) => ({ move, share: Math.max(glance.probabilities[place]!, TINY) }));
  while (left.length) {
    const most = Math.max(...left.map(({ share }) => share)); // so that a low temperature does not underflow
    const weights = left.map(({ share }) => (share / most) ** (1 / temperature));
    let chance = Math.random() * weights.reduce((total, weight) => total + weight, 0);
    const found = weights.findIndex(weight => (chance -= weight) < 0);
    const [chosen] = left.splice(found < 0 ? left.length - 1 : found, 1);
    yield chosen!.move;
  }
}
