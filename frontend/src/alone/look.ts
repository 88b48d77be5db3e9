import { afterstateLook } from './afterstate';
import type { Position } from './games/base';
import type { Glance, Persona } from './glance';
import { policyLook } from './policy';

/** One look at each position. A policy is played; a net that only tells what the mover may expect looks ahead. */
export function look(persona: Persona, positions: readonly Position[]): Promise<Glance[]> {
  return persona.about.outputs.includes('policy') ? policyLook(persona, positions) : afterstateLook(persona, positions);
}
