import { element, make } from './page';

/** Hands a record to the browser, which keeps it where downloads go. */
export function download(game: string, record: string): void {
  const address = URL.createObjectURL(new Blob([record], { type: 'application/x-chess-pgn' }));
  const link = make('a', '') as HTMLAnchorElement;
  link.href = address;
  link.download = `zeroply-${game}.pgn`;
  link.click();
  URL.revokeObjectURL(address);
}

/** Copies a text, and says so on the button that was pressed. */
export async function copy(id: string, text: string): Promise<void> {
  const label = element(id).querySelector('span');
  const before = label?.textContent ?? '';
  const done = await toClipboard(text);
  if (!label || label.dataset.busy) return;
  label.dataset.busy = 'yes';
  label.textContent = done ? 'Copied' : 'Not allowed';
  setTimeout(() => {
    delete label.dataset.busy;
    label.textContent = before;
  }, 1500);
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text); // a page over plain http from another machine has no clipboard
  }
}

function copyBySelecting(text: string): boolean {
  const field = make('textarea', 'unseen') as HTMLTextAreaElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
