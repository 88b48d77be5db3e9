/** What a browser keeps for the page. It may be told to keep nothing, or have no room left: then nothing is kept. */
type Place = 'sessionStorage' | 'localStorage';

export function kept(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function keep(place: Place, key: string, value: string | null): void {
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, value);
  } catch {
    // the page works all the same
  }
}
