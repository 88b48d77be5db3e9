/** The column beside the board: status, expectation, candidates, moves. Each shows one part of a state. */
import { element, make, percent } from './page';
import type { Candidate, GameShape, MadeMove, State } from './protocol';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function headline(state: State): string {
  if (state.result === '1/2-1/2') return 'Draw, ½–½';
  if (state.result) {
    const won = state.wdl?.[0] === 1; // once a game is over, how it ended for the person
    return `${won ? 'You won' : 'The net won'}, ${state.result.replace('-', '–')}`;
  }
  return state.turn === state.side ? 'Your move' : 'The net looks…';
}

export function showStatus(state: State): void {
  const check = state.check && state.turn === state.side;
  element('status').textContent = headline(state);
  element('detail').textContent = state.reason
    ? `${capital(state.reason)}.`
    : check
      ? 'You are in check.'
      : `You play ${capital(state.side)}.`;
  element('status-card').classList.toggle('over', state.result !== null);
}

export function showSeats(state: State, { sides }: GameShape, manner: string): void {
  const own = capital(state.side);
  const other = sides.find(side => side !== own) ?? '';
  element('own-disc').dataset.side = own;
  element('net-disc').dataset.side = other;
  element('own-side').textContent = own;
  element('net-manner').textContent = `${other} · ${manner}`;
}

export function showExpectation({ wdl, result }: State): void {
  element('expectation').textContent = result ? 'How it ended' : 'What it expects';
  const bar = element('wdl');
  const shares = wdl ?? [0, 0, 0];
  for (const [number, name] of ['win', 'draw', 'loss'].entries()) {
    const share = shares[number] ?? 0;
    (bar.children[number] as HTMLElement).style.flexGrow = String(share);
    element(`wdl-${name}`).textContent = wdl ? percent(share) : '–';
  }
  const [win, draw, loss] = shares;
  const spoken = `You win ${percent(win)}, draw ${percent(draw)}, the net wins ${percent(loss)}`;
  bar.setAttribute('aria-label', wdl ? spoken : 'The net has not looked yet');
}

export function showCandidates(candidates: Candidate[]): void {
  const rows = candidates.map(({ notation, probability, played }) => {
    const fill = make('span', 'fill');
    fill.style.width = `${Math.max(probability * 100, 0.5)}%`;
    const row = make(
      'li',
      played ? 'played' : '',
      make('span', 'notation', notation),
      make('span', 'track', fill),
      make('span', 'share', percent(probability)),
    );
    if (played) row.setAttribute('aria-label', `${notation}, ${percent(probability)}, played`);
    return row;
  });
  const none = make('li', 'none', 'Its candidates appear after its first move.');
  element('candidates').replaceChildren(...(rows.length ? rows : [none]));
}

/** Pairs with their numbers; a game from another position may begin at any number and with either side. */
export function showMoves(start: string, moves: MadeMove[]): void {
  const fields = start.split(' ');
  const skipped = fields[1] === 'b' ? 1 : 0;
  const first = Number(fields.at(-1)) || 1;
  const cells = [...Array<MadeMove | undefined>(skipped), ...moves];
  const parts: HTMLElement[] = [];
  for (const [place, made] of cells.entries()) {
    if (place % 2 === 0) parts.push(make('span', 'number', `${first + place / 2}.`));
    const latest = place === cells.length - 1 && made !== undefined;
    parts.push(make('span', latest ? 'made latest' : 'made', made?.notation ?? '…'));
  }
  const list = element('moves');
  list.replaceChildren(...(moves.length ? parts : [make('span', 'none', 'No move yet.')]));
  list.scrollTop = list.scrollHeight;
}

/** For people who hear the page. */
export function speak(state: State): void {
  const last = state.moves.at(-1);
  const words: string[] = [];
  if (last) words.push(`${state.turn === state.side ? 'The net' : 'You'}: ${last.notation}.`);
  if (state.result || state.turn === state.side) words.push(`${headline(state)}.`);
  if (state.result || state.check) words.push(element('detail').textContent ?? '');
  element('spoken').textContent = words.join(' ');
}
