/** A net that judges positions looks one ply ahead, at all that it could do: src/zeroply/players/afterstate.py. */
import { expectedPoints, sharesOf } from './expectation';
import type { Position } from './games/base';
import { type Glance, type Persona, type Wdl, likeliestFirst, toldOf } from './glance';

/** The shares of moves are softmax(points / SPREAD). */
const SPREAD = 0.1;

/** What a position is worth to the side that has just moved. */
interface Worth {
  points: number;
  wdl: Wdl | null;
}

export async function afterstateLook(persona: Persona, positions: readonly Position[]): Promise<Glance[]> {
  const glances: Glance[] = [];
  for (const position of positions) {
    const legal = position.legal();
    const worths = await judge(persona, legal.map(move => position.play(move)));
    const { order, probabilities } = likeliestFirst(worths.map(({ points }) => points / SPREAD));
    const best = worths[order[0]!]!;
    glances.push({ moves: order.map(at => legal[at]!), probabilities, wdl: best.wdl, expected: best.points });
  }
  return glances;
}

/** Where a game is over the rules tell; the others the net is shown, all in one batch. */
async function judge(persona: Persona, successors: readonly Position[]): Promise<Worth[]> {
  const open = successors.filter(after => !after.end);
  const net = await persona.net();
  const answers = open.length ? await net.run(open, toldOf(persona), persona.about.outputs) : [];
  const tellsWdl = persona.about.outputs.includes('wdl');
  return successors.map(after => {
    if (after.end) return ended(after.turn === 1 ? after.end.points : 1 - after.end.points, tellsWdl);
    const answer = answers[open.indexOf(after)]!;
    const shares = sharesOf(answer);
    return { points: 1 - expectedPoints(answer)!, wdl: shares && [shares[2], shares[1], shares[0]] };
  });
}

function ended(points: number, tellsWdl: boolean): Worth {
  return { points, wdl: tellsWdl ? [Number(points === 1), Number(points === 0.5), Number(points === 0)] : null };
}
