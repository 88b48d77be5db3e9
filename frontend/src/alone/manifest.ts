/** models.json of the folder, as src/zeroply/apps/web/alone.py writes it. */
import type { Models } from '../protocol';
import { Refused } from './refused';

/** A layer whose attention can be shown on a board. */
export interface Layer {
  /** Of the net, its attention. */
  output: string;
  /** Of the net, whether the board was turned for the mover. */
  flipped: string;
  heads: number;
  /** By square, its token on a board that is not turned; on one that is, that of its mirror image. */
  squares: number[];
}

/** A file of the folder, and its bytes. */
export interface Sized {
  file: string;
  size: number;
}

export interface NetAbout extends Sized {
  outputs: string[];
  /** What the net is told of the players where it shall play as well as it can, by column. */
  best: Record<string, number>;
  /** The same where it shall play like a person, but for ratings. */
  person: Record<string, number>;
  layers: Layer[];
}

export interface Manifest extends Models {
  /** By the models' names. */
  nets: Record<string, NetAbout>;
  /** What runs them. */
  wasm: Sized;
}

export async function readManifest(): Promise<Manifest> {
  const answer = await fetch(new URL('models.json', self.location.href));
  if (!answer.ok) throw new Refused('models.json is missing beside this page. Make the folder again: zeroply serve --static');
  return (await answer.json()) as Manifest;
}
