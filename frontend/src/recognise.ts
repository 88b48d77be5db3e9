import type { Models } from './protocol';

/** Signs of a game in a text that someone pasted: tags, as many ranks as a FEN has, moves as they are written. */
const SIGNS: readonly [string, RegExp][] = [
  ['xiangqi', /"(?:Chinese Chess|[Xx]iangqi)"|\[Red "|^(?:[^/\s]+\/){9}[^/\s]+\s|\b[A-I]\d-[A-I]\d\b|\b[KAEHRCP]\d[.=+-]\d\b|[平進进退]|\b(?=(?:[a-i]\d){2}\b)[a-h1-8]*[i09]/],
  ['chess', /^(?:[^/\s]+\/){7}[^/\s]+\s|(?:^|[\s.])(?:O-O|[NBRQK][a-h]?[1-8]?x?[a-h][1-8]|[a-h]x?[a-h]?[1-8])[\s+#]/],
];

/** The model that a text is for: the chosen one, or the first of the game that the text is of. */
export function modelFor({ models }: Models, chosen: string, text: string): string {
  const game = SIGNS.find(([, sign]) => sign.test(`${text} `))?.[0];
  const plays = models.find(({ name }) => name === chosen)?.game;
  return (game !== plays && models.find(model => model.game === game)?.name) || chosen;
}
