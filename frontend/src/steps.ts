import type { Mode } from './mode';
import { element } from './page';

type Step = (mode: Mode) => number;

const STEPS: Readonly<Record<string, Step>> = {
  first: () => 0,
  previous: ({ at }) => at - 1,
  next: ({ at }) => at + 1,
  last: ({ length }) => length,
};
const KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  ArrowUp: 'first',
  ArrowDown: 'last',
  Home: 'first',
  End: 'last',
};

/** Buttons and keys that step through the game on the page, and F, which flips the board. */
export function listenForSteps(current: () => Mode, flip: () => void): void {
  const take = (name: string): void => {
    const mode = current();
    const to = STEPS[name]?.(mode) ?? mode.at;
    if (to >= 0 && to <= mode.length && to !== mode.at) mode.go(to);
  };
  for (const name of Object.keys(STEPS)) element(name).onclick = () => take(name);
  element('flip').onclick = flip;
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || occupied()) return;
    const step = KEYS[event.key];
    if (step) {
      event.preventDefault();
      take(step);
    } else if (event.key === 'f') flip();
  });
}

/** Only the buttons that lead somewhere, and those that take the record where there is one. */
export function enableSteps(mode: Mode): void {
  const enable = (name: string, on: boolean): void => {
    element<HTMLButtonElement>(name).disabled = !on;
  };
  for (const [name, step] of Object.entries(STEPS)) {
    const to = step(mode);
    enable(name, to >= 0 && to <= mode.length && to !== mode.at);
  }
  for (const name of ['copy-pgn', 'download']) enable(name, mode.record() !== undefined);
}

/** Whether keys and pasted text belong to a field or a dialog. */
export function occupied(): boolean {
  const active = document.activeElement;
  return document.querySelector('dialog[open]') !== null || (active?.matches('input:not([type=checkbox]), textarea, select') ?? false);
}
