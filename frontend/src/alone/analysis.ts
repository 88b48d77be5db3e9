/** A whole game looked at, part by part. */
import type { AnalysedPly, AnalysisPart } from '../protocol';
import type { Game, Position } from './games/base';
import type { Glance, Persona } from './glance';
import { look } from './look';
import { type Pasted, pastedRecord } from './pasted';

/** Positions in a part: enough for the net to be quick, few enough for progress to be seen. */
const PART = 8;

export async function* analysis(game: Game, persona: Persona, pasted: Pasted): AsyncGenerator<AnalysisPart> {
  const { start, moves, result, names } = pasted;
  const positions = [start];
  for (const move of moves) positions.push(positions.at(-1)!.play(move));
  const total = moves.length;
  const last = positions.at(-1)!;
  for (let first = 0; first < total; first += PART) {
    const isLast = first + PART >= total;
    const shown = positions.slice(first, Math.min(first + PART, total));
    const glances = await look(persona, shown);
    yield {
      type: 'analysis',
      game: game.name,
      model: persona.model.name,
      start: start.fen(),
      start_check: start.inCheck(),
      result,
      names,
      total,
      first,
      plies: shown.map((before, place) => judged(game, before, moves[first + place]!, positions[first + place + 1]!, glances[place]!)),
      last_expected: isLast ? await lastExpected(persona, last) : null,
      ended: isLast && last.end !== undefined,
      record: isLast ? pastedRecord(game, pasted) : null,
    };
  }
}

function judged(game: Game, before: Position, move: number, after: Position, glance: Glance): AnalysedPly {
  const place = glance.moves.indexOf(move);
  const best = glance.moves[0]!;
  return {
    move: game.table.name(move),
    notation: before.notation(move),
    fen: after.fen(),
    check: after.inCheck(),
    probability: glance.probabilities[place]!,
    rank: place + 1,
    best: { move: game.table.name(best), notation: before.notation(best), probability: glance.probabilities[0]! },
    expected: ofFirst(before, glance.expected),
  };
}

/** What the first side may expect, from what the mover may. */
function ofFirst({ turn }: Position, expected: number | null): number | null {
  return expected === null || turn === 0 ? expected : 1 - expected;
}

async function lastExpected(persona: Persona, last: Position): Promise<number | null> {
  if (last.end) return last.end.points;
  const [glance] = await look(persona, [last]);
  return ofFirst(last, glance!.expected);
}
