import { element } from './page';

/** What had the focus when it was disabled: browsers take it away then. */
let left: HTMLElement | undefined;

/** Whether a button or field can be used. Who acts by keys finds it again where it was. */
export function enable(id: string, on: boolean): void {
  const found = element<HTMLButtonElement | HTMLInputElement>(id);
  if (!on && document.activeElement === found) left = found;
  found.disabled = !on;
  if (!on || left !== found) return;
  left = undefined;
  if (document.activeElement === document.body) found.focus({ preventScroll: true });
}
