/** Which ratings a net can be asked to play like, as src/zeroply/players/ratings.py has it. */
import type { Model } from '../protocol';
import { Refused } from './refused';

const [LOWEST, HIGHEST] = [2300, 2850];
/** A person of no known rating. */
const UNRATED = 0;

/** The rating, if this net can play like that; null is for as well as it can. */
export function knownRating({ rated }: Model, rating: number | null): number | null {
  if (rating === null || rating === UNRATED) return rating;
  if (!rated) throw new Refused(`rating ${rating} will not do: this model has not learnt from ratings. Leave it out`);
  if (rating < LOWEST || rating > HIGHEST)
    throw new Refused(`rating ${rating} will not do: the model knows players from ${LOWEST} to ${HIGHEST}`);
  return rating;
}
