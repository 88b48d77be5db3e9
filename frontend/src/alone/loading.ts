import { element } from '../page';

/** How much of a net, and of what runs it, has come; hidden when all is here. */
export function showLoading(done: number, total: number): void {
  element('loading').hidden = total === 0;
  if (!total) return;
  const bar = element<HTMLProgressElement>('loading-bar');
  [bar.max, bar.value] = [total, done];
  const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
  element('loading-words').textContent = `Loading the net: ${megabytes(done)} of ${megabytes(total)} MB`;
}
