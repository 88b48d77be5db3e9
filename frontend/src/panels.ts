/** What the page says of a game that is played: how it stands, and who plays. */
import { moveNumber } from './moves';
import { element } from './page';
import type { GameShape, Request, State } from './protocol';
import type { Seat } from './table';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `awaited`: what the person did, where the answer to it is to come. */
function headline(state: State, awaited?: Request): string {
  if (state.result === '1/2-1/2') return 'Draw, ½–½';
  if (state.result) {
    const won = state.wdl?.[0] === 1; // once a game is over, how it ended for the person
    return `${won ? 'You won' : 'The net won'}, ${state.result.replace('-', '–')}`;
  }
  if (state.turn !== state.side) return awaited ? 'The net looks…' : 'The net has not answered';
  if (!awaited) return 'Your move';
  return awaited.type === 'move' ? 'The net looks…' : 'One moment…';
}

/** `takenBack`: the person's move that is no longer made, if that is what came last. */
function detail(state: State, takenBack: string): string {
  if (state.reason) return `${capital(state.reason)}.`;
  if (state.check && state.turn === state.side) return 'You are in check.';
  return takenBack ? `You took back ${takenBack}.` : `You play ${capital(state.side)}.`;
}

export function showStatus(state: State, awaited: Request | undefined, takenBack: string): void {
  element('status').textContent = headline(state, awaited);
  element('detail').textContent = detail(state, takenBack);
  element('status-card').classList.toggle('over', state.result !== null);
  element('return').hidden = true;
}

export function showLookingBack({ start, moves }: State, at: number): void {
  const made = moves[at - 1];
  element('status').textContent = 'Looking back';
  element('detail').textContent = made ? `After ${moveNumber(start, at - 1)} ${made.notation}.` : 'At the beginning.';
  element('return').hidden = false;
}

export function seats(state: State, { sides }: GameShape, manner: string): [Seat, Seat] {
  const seat = (name: string): Seat =>
    name.toLowerCase() === state.side ? { name: 'You', detail: name } : { name: 'The net', detail: `${name} · ${manner}` };
  return [seat(sides[0]), seat(sides[1])];
}

/** For people who hear the page. */
export function speak(state: State, takenBack: string): void {
  const made = state.moves.at(-1);
  const words: string[] = [];
  if (takenBack) words.push(`You took back ${takenBack}.`);
  else if (made) words.push(`${state.turn === state.side ? 'The net' : 'You'}: ${made.notation}.`);
  if (state.result || state.turn === state.side) words.push(`${headline(state)}.`);
  if (state.result || state.check) words.push(detail(state, ''));
  element('spoken').textContent = words.join(' ');
}
