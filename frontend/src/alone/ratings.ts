/** Which ratings a net can be asked to play like, as src/zeroply/players/ratings.py has it. */
import type { Model } from '../protocol';
import { Refused } from './refused';

/** A person of no known rating. */
const UNRATED = 0;

/** The rating, if this net can play like that; null is for as well as it can. */
export function knownRating({ ratings }: Model, rating: number | null): number | null {
  if (rating === null || rating === UNRATED) return rating;
  if (!ratings) throw new Refused(`rating ${rating} will not do: this model has not learnt from ratings. Leave it out`);
  const [lowest, highest] = ratings;
  if (rating < lowest || rating > highest)
    throw new Refused(`rating ${rating} will not do: the model knows players from ${lowest} to ${highest}`);
  return rating;
}
