import { Analysis } from './analysis';
import type { Connection } from './connection';
import { Gaze } from './gaze';
import { Inside } from './inside';
import { keepChoice } from './memory';
import type { Mode } from './mode';
import { element } from './page';
import { Play } from './play';
import type { Models } from './protocol';
import { copy, download } from './record';
import { listenForSteps, occupied } from './steps';
import { Table } from './table';
import { offerThemes } from './theme';
import './theme.css';
import './layout.css';
import './controls.css';
import './cards.css';
import './dialogs.css';
import './analysis.css';
import './board.css'; // after the widget's own styles, which it adapts

/** The page, with answers from anywhere. */
export async function start(connection: Connection): Promise<void> {
  offerThemes();
  try {
    build(connection, await connection.models());
  } catch (error) {
    element('status').textContent = 'There is nothing to play against.';
    element('detail').textContent = (error as Error).message;
  }
}

function build(connection: Connection, models: Models): void {
  const analysing = (): boolean => location.hash === '#analyse';
  const table = new Table((from, to) => void play.moved(from, to));
  const inside = new Inside(connection, table);
  const gaze = new Gaze(connection, models, table);
  const play = new Play(connection, models, table, inside, gaze, () => show());
  const analysis = new Analysis(connection, models, table, inside, gaze, play, () => show());
  const current = (): Mode => (analysing() ? analysis : play);

  const show = (): void => {
    document.documentElement.dataset.mode = analysing() ? 'analyse' : 'play';
    element('to-play').ariaCurrent = analysing() ? null : 'page';
    element('to-analyse').ariaCurrent = analysing() ? 'page' : null;
    current().show();
  };
  addEventListener('hashchange', show);
  connection.onReturn(() => {
    analysis.goOn();
    show(); // what was not answered is asked again
  });
  show();

  element('analyse-this').onclick = () => {
    location.hash = 'analyse';
    analysis.takeCurrent();
  };
  keepChoice('letters', false, on => document.documentElement.classList.toggle('lettered', on));
  listenForSteps(current, () => table.flip());
  element('copy-fen').onclick = () => void copy('copy-fen', current().fen());
  element('copy-pgn').onclick = () => void copy('copy-pgn', current().record()?.text ?? '');
  element('download').onclick = () => {
    const record = current().record();
    if (record) download(record.game, record.text);
  };
  document.addEventListener('paste', event => {
    const text = event.clipboardData?.getData('text').trim();
    if (!text || (occupied() && !(isForMoves(event.target) && /\s/.test(text)))) return;
    event.preventDefault();
    current().pasted(text);
  });
}

/** The field for one move: several words there are a game. */
const isForMoves = (target: EventTarget | null): boolean => target === element('typed-move');
