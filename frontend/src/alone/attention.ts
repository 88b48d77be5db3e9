/** Where a net looks, on the board as everyone sees it, as src/zeroply/players/inside.py has it. */
import type { Attention } from '../protocol';
import type { Game, Position } from './games/base';
import { type Persona, toldOf } from './glance';
import { Refused } from './refused';

export async function attention(
  game: Game,
  persona: Persona,
  position: Position,
  layer: number,
  head: number | null,
): Promise<Attention> {
  const { layers } = persona.about;
  if (!layers.length) throw new Refused('this model does not show where it looks: none of its attention is on squares');
  const shown = layers[layer];
  if (!shown) throw new Refused(`there is no layer ${layer}. Layers are 0 to ${layers.length - 1}`);
  if (head !== null && !(head >= 0 && head < shown.heads))
    throw new Refused(`there is no head ${head}. Heads are 0 to ${shown.heads - 1}`);
  const net = await persona.net();
  const [answer] = await net.run([position], toldOf(persona), [shown.flipped, shown.output]);
  const weights = answer![shown.output]!;
  const length = Math.sqrt(weights.length / shown.heads);
  const squares = answer![shown.flipped]![0] ? shown.squares.map((_, square) => shown.squares[mirrored(game, square)]!) : shown.squares;
  const heads = head === null ? Array.from({ length: shown.heads }, (_, number) => number) : [head];
  const weight = (from: number, to: number): number =>
    heads.reduce((sum, number) => sum + weights[(number * length + from) * length + to]!, 0) / heads.length;
  return {
    layers: layers.length,
    heads: shown.heads,
    weights: squares.map(from => squares.map(to => weight(from, to))),
  };
}

/** A square as the other side sees it: ranks change, files stay. */
function mirrored({ files, ranks }: Game, square: number): number {
  return (ranks - 1 - Math.floor(square / files)) * files + (square % files);
}
