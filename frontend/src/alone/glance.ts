/** What one look at a position tells, as src/zeroply/players/base.py and net.py have it. */
import type { Model } from '../protocol';
import type { NetAbout } from './manifest';
import type { Net } from './net';

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
  /** On its way, perhaps: a game can begin before the net is there. One that did not come is fetched again. */
  net: () => Promise<Net>;
  rating: number | null;
}

/** What the net is told of the players, by column. */
export function toldOf({ about, rating }: Persona): Record<string, number> {
  return rating === null ? about.best : { ...about.person, rating, opponent_rating: rating };
}

/** Places by weight, among equals as they stand, and their shares in that order. */
export function likeliestFirst(logits: readonly number[]): { order: number[]; probabilities: number[] } {
  const highest = Math.max(...logits);
  const weights = logits.map(logit => Math.exp(logit - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const order = weights.map((_, place) => place).sort((a, b) => weights[b]! - weights[a]!);
  return { order, probabilities: order.map(place => weights[place]! / sum) };
}

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
