/** The temperature that belongs to a rating, as src/zeroply/players/drawing.py has it: the lower, the freer. */
export function usualTemperature(rating: number | null | undefined): number {
  if (!rating) return 0; // as well as it can, or a person of no known rating
  return 0.6 * Math.min(1, Math.max(0, (2800 - rating) / (2800 - 2300)));
}
