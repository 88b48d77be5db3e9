/** The page's elements by their id; index.html and this program are one thing, so a missing one is a bug. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

export function make(tag: string, className: string, ...children: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

export function percent(share: number): string {
  const value = share * 100;
  const shown = value > 0 && value < 1 ? '<1' : Math.round(value);
  return `${shown}\u00a0%`; // never at the beginning of a line
}

export function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

export const points = (value: number): string => value.toFixed(2);
