/** The net is shown the position and nothing else: src/zeroply/players/policy.py. */
import { expectedPoints, sharesOf } from './expectation';
import type { Position } from './games/base';
import { type Glance, type Persona, likeliestFirst, toldOf } from './glance';

/** Its policy is renormalised over the legal moves, which only a player does. */
export async function policyLook(persona: Persona, positions: readonly Position[]): Promise<Glance[]> {
  const net = await persona.net();
  const answers = await net.run(positions, toldOf(persona), persona.about.outputs);
  return positions.map((position, place) => {
    const answer = answers[place]!;
    const legal = position.legal();
    const { order, probabilities } = likeliestFirst(legal.map(move => answer.policy![move]!));
    return {
      moves: order.map(at => legal[at]!),
      probabilities,
      wdl: sharesOf(answer),
      expected: expectedPoints(answer),
    };
  });
}
