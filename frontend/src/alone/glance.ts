/** One look at positions, as src/zeroply/players/policy.py takes it. */
import type { Position } from './games/base';
import type { Model } from '../protocol';
import type { NetAbout } from './manifest';
import type { Answer, Net } from './net';

export type Wdl = [win: number, draw: number, loss: number];

export interface Glance {
  /** Legal moves, likeliest first. */
  moves: number[];
  /** As `moves`; they sum to 1. */
  probabilities: number[];
  /** Win, draw, loss for the side to move, if the net tells. */
  wdl: Wdl | null;
  /** The points that the side to move may expect, 0 … 1, likewise. */
  expected: number | null;
}

/** A net under its name, and whom it plays like: null for as well as it can. */
export interface Persona {
  model: Model;
  about: NetAbout;
  /** On its way, perhaps: a game can begin before the net is there. */
  net: Promise<Net>;
  rating: number | null;
}

export function toldOf({ model, about, rating }: Persona): Record<string, number> {
  if (rating === null) return about.best;
  const known = model.rated ? rating : 0;
  return { ...about.person, rating: known, opponent_rating: known };
}

/** A policy is renormalised over the legal moves, which only a player does. */
export async function look(persona: Persona, positions: readonly Position[]): Promise<Glance[]> {
  const net = await persona.net;
  const answers = await net.run(positions, toldOf(persona), persona.about.outputs);
  return positions.map((position, place) => {
    const answer = answers[place]!;
    const { policy, wdl } = answer;
    if (!policy) throw new Error('this net proposes no moves');
    const legal = position.legal();
    const highest = Math.max(...legal.map(move => policy[move]!));
    const weights = new Map(legal.map(move => [move, Math.exp(policy[move]! - highest)]));
    const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
    const order = [...weights].sort(([, a], [, b]) => b - a);
    const shares = wdl ? ([...wdl].map(Math.exp) as Wdl) : null;
    return {
      moves: order.map(([move]) => move),
      probabilities: order.map(([, weight]) => weight / sum),
      wdl: shares,
      expected: expected(answer),
    };
  });
}

/** Points of the mover, 0 … 1, from whatever a net says of it: src/zeroply/players/expectation.py. */
function expected({ wdl, value, evaluation }: Answer): number | null {
  if (wdl) return Math.exp(wdl[0]!) + Math.exp(wdl[1]!) / 2;
  if (value) return value[0]!;
  if (!evaluation) return null;
  const result = Math.atan((CENTIPAWNS * evaluation[0]!) / LC0_SCALE) / LC0_BEND;
  return (1 + Math.min(1, Math.max(-1, result))) / 2;
}

const CENTIPAWNS = 1500;
const [LC0_SCALE, LC0_BEND] = [90, 1.5637541897];

/** The look at some of the moves alone, alike where none had any chance; at all where none is left. */
export function only(glance: Glance, keep: (move: number) => boolean): Glance {
  const places = glance.moves.flatMap((move, place) => (keep(move) ? [place] : []));
  if (places.length === 0 || places.length === glance.moves.length) return glance;
  const shares = places.map(place => Math.max(glance.probabilities[place]!, TINY));
  const sum = shares.reduce((total, share) => total + share, 0);
  return {
    ...glance,
    moves: places.map(place => glance.moves[place]!),
    probabilities: shares.map(share => share / sum),
  };
}

/** The least number of full precision. */
export const TINY = 2 ** -1022;
