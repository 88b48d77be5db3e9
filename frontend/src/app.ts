import { Board } from './board';
import type { Connection, GameLine } from './connection';
import { LOOKS } from './looks';
import { element } from './page';
import { showCandidates, showExpectation, showMoves, showSeats, showStatus, speak } from './panels';
import { choosePromotion } from './promotion';
import { type GameShape, type Models, type NewGame, type State, sideNumber } from './protocol';
import { forget, keepChoice, remember, remembered, resumption } from './memory';
import { download } from './record';
import { Setup, manner } from './setup';
import './board.css'; // after the widget's own styles, which it adapts
import './style.css';

/** The game on the page: what the server last said of it, and how the person looks at it. */
class Game {
  private state: State | undefined;
  /** What the person asked for when this game began, and what was asked of the server and not yet granted. */
  private asked: NewGame;
  private pending: NewGame | undefined;
  /** The side at the bottom: 0 is who moves first. */
  private facing = 0;
  private board: Board | undefined;
  private readonly setup: Setup;
  private readonly line: GameLine;

  constructor(
    connection: Connection,
    private readonly models: Models,
  ) {
    this.setup = new Setup(models, game => this.begin(game));
    this.asked = this.setup.wanted();
    this.line = connection.game({
      opened: () => this.connected(),
      state: state => this.receive(state),
      refused: text => this.refuse(text),
      lost: () => this.lose(),
    });
    this.listen();
    this.line.open();
  }

  private begin(game: NewGame): void {
    element<HTMLInputElement>('typed-move').value = '';
    this.pending = game;
    this.line.send(game);
  }

  /** A first game, or the one that was under way when the connection broke. */
  private connected(): void {
    element('lost').hidden = true;
    const before = this.state;
    if (!before) return this.begin(remembered() ?? this.asked);
    this.line.send(resumption(this.asked, before));
  }

  private lose(): void {
    element('lost').hidden = false;
    this.enableButtons(false);
    this.draw();
  }

  private refuse(text: string): void {
    this.pending = undefined;
    if (!this.state && remembered()) {
      forget(); // a game that this server does not know how to take up
      return this.begin(this.asked);
    }
    const problem = element('problem');
    problem.textContent = text;
    problem.hidden = false;
    this.draw(); // takes back what the board showed in advance
  }

  private receive(state: State): void {
    if (this.pending) {
      this.asked = this.pending;
      this.pending = undefined;
      this.facing = sideNumber(this.shape(state), state.side);
    }
    this.state = state;
    if (state.result) forget();
    else remember(resumption(this.asked, state));
    element('problem').hidden = true;
    showStatus(state);
    showSeats(state, this.shape(state), manner(this.models, this.asked));
    element<HTMLInputElement>('typed-move').placeholder = `Type a move: ${examples(state).join(', ')}`;
    showExpectation(state);
    showCandidates(state.candidates);
    showMoves(state.start, state.moves);
    speak(state);
    this.enableButtons(true);
    this.draw();
  }

  private draw(): void {
    if (!this.state) return;
    const arrows = element<HTMLInputElement>('arrows').checked ? this.state.candidates : [];
    const shape = this.shape(this.state);
    if (this.board?.shape !== shape) {
      this.board?.remove();
      this.board = new Board(element('board'), shape, (from, to) => void this.moved(from, to));
    }
    this.board.show(this.state, this.facing, arrows);
    element('table').classList.toggle('turned', this.facing !== sideNumber(shape, this.state.side));
  }

  private shape({ game }: State): GameShape {
    const found = this.models.games.find(({ name }) => name === game);
    if (!found) throw new Error(`the server did not describe ${game}`);
    return found;
  }

  private async moved(from: string, to: string): Promise<void> {
    if (!this.state) return;
    const meant = this.state.legal.filter(({ move }) => move.startsWith(from + to));
    const move = meant.length > 1 ? await choosePromotion(meant, sideNumber(this.shape(this.state), this.state.side)) : meant[0]?.move;
    if (move) this.line.send({ type: 'move', move });
    else this.draw();
  }

  private typed(): void {
    const field = element<HTMLInputElement>('typed-move');
    const text = field.value.trim();
    if (!text || !this.state) return;
    // People leave out the mark of a check, and write C2=5 as well as C2.5.
    const bare = (notation: string): string => notation.replace(/[+#]$/, '').replace('=', '.');
    const { legal } = this.state;
    // Small letters only where nothing else fits: bxc3 is a pawn's move, Bxc3 a bishop's.
    const meant =
      legal.find(({ move, notation }) => [move, bare(notation)].includes(bare(text))) ??
      legal.find(({ move, notation }) => [move, bare(notation).toLowerCase()].includes(bare(text).toLowerCase()));
    if (!meant) return this.refuse(`'${text}' is not a move here. Write it as ${examples(this.state).join(' or ')}.`);
    field.value = '';
    this.line.send({ type: 'move', move: meant.move });
  }

  private enableButtons(connected: boolean): void {
    const state = this.state;
    const waits = state !== undefined && !state.result && state.turn !== state.side;
    element<HTMLButtonElement>('new').disabled = !connected;
    element<HTMLInputElement>('typed-move').disabled = !connected || !state || state.result !== null;
    element<HTMLButtonElement>('undo').disabled = !connected || !state?.undoable || waits;
    element<HTMLButtonElement>('download').disabled = !state?.moves.length;
    element<HTMLButtonElement>('resign').disabled = !connected || !state || state.result !== null || waits;
  }

  private listen(): void {
    element('new').onclick = () => this.setup.ask();
    element('download').onclick = () => this.state && download(this.state);
    element('undo').onclick = () => this.line.send({ type: 'undo' });
    element('resign').onclick = () => this.resign();
    element('resign').onblur = () => this.askToResign(false);
    element('reconnect').onclick = () => this.line.open();
    element('arrows').onchange = () => this.draw();
    keepChoice('letters', on => document.documentElement.classList.toggle('lettered', on));
    element('flip').onclick = () => {
      this.facing = 1 - this.facing;
      this.draw();
    };
    element('typed').onsubmit = event => {
      event.preventDefault();
      this.typed();
    };
  }

  /** Twice, because a slip of the finger should not end a game. */
  private resign(): void {
    const sure = element('resign').dataset.asked === 'yes';
    this.askToResign(!sure);
    if (sure) this.line.send({ type: 'resign' });
  }

  private askToResign(asked: boolean): void {
    element('resign').dataset.asked = asked ? 'yes' : 'no';
    element('resign').textContent = asked ? 'Really resign?' : 'Resign';
  }
}

const examples = ({ game }: State): string[] => LOOKS[game]?.examples ?? [];

export async function start(connection: Connection): Promise<void> {
  try {
    new Game(connection, await connection.models());
  } catch (error) {
    element('status').textContent = 'There is nothing to play against.';
    element('detail').textContent = (error as Error).message;
  }
}
