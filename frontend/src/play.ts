import type { Connection, GameLine } from './connection';
import type { Gaze } from './gaze';
import type { Inside } from './inside';
import { LOOKS } from './looks';
import { forget, keepChoice, remember, remembered, resumption } from './memory';
import type { Mode } from './mode';
import { moveNumber, showMoves } from './moves';
import { element } from './page';
import { seats, showLookingBack, showStatus, speak } from './panels';
import { choosePromotion } from './promotion';
import { type GameShape, type Models, type NewGame, type State, shapeOf, sideNumber } from './protocol';
import type { Scene } from './scene';
import { Setup, isRated, manner } from './setup';
import { enableButtons } from './steps';
import type { Table } from './table';
import { meantBy } from './typed';

/** The game on the page: what was last said of it, and which of its positions the person looks at. */
export class Play implements Mode {
  at = 0;
  private state: State | undefined;
  /** What the person asked for when this game began, and what was asked and not yet granted. */
  private asked: NewGame;
  private pending: NewGame | undefined;
  /** Why the game that was under way when the page was left is not taken up. */
  private notResumed = '';
  private hints = false;
  private isConnected = false;
  private readonly setup: Setup;
  private readonly line: GameLine;

  constructor(
    connection: Connection,
    private readonly models: Models,
    private readonly table: Table,
    private readonly inside: Inside,
    private readonly gaze: Gaze,
    /** Tells the page that something happened in the game. */
    private readonly changed: () => void,
  ) {
    this.setup = new Setup(models, game => this.begin(game));
    this.asked = this.setup.wanted();
    this.line = connection.game({
      opened: () => this.connected(),
      state: state => this.receive(state),
      refused: text => this.refuse(text),
      lost: why => this.lose(why),
    });
    this.listen();
    this.line.open();
  }

  get length(): number {
    return this.state?.moves.length ?? 0;
  }

  go(at: number): void {
    this.at = at;
    this.show();
  }

  show(): void {
    const state = this.state;
    if (!state) return;
    const now = this.at === this.length;
    if (now) showStatus(state);
    else showLookingBack(this.whereWeAre(state));
    const scene = this.scene(state);
    this.table.seat(seats(state, scene.shape, manner(this.models, this.asked)));
    this.table.show(scene);
    const hinted = this.hints && state.legal.length > 0;
    this.inside.show(scene, now && !hinted ? state : undefined);
    this.gaze.show(scene);
    enableButtons(this);
    this.enableButtons();
    showMoves(state.start, state.moves, this.at, at => this.go(at));
  }

  fen(): string {
    return (this.at ? this.state?.moves[this.at - 1]?.fen : this.state?.start) ?? '';
  }

  record(): { game: string; text: string } | undefined {
    return this.state && this.length ? { game: this.state.game, text: this.state.record } : undefined;
  }

  pasted(text: string): void {
    this.setup.ask(text);
  }

  /** Offers a game against a model from a position or a game. */
  offer(record: string, model: string): void {
    this.setup.ask(record, model);
  }

  /** The position on the board, without anything to play. */
  still(): Scene | undefined {
    if (!this.state) return undefined;
    const scene = this.scene(this.state);
    const { sides } = scene.shape;
    return { ...scene, legal: [], wins: scene.side === 0 ? sides : [sides[1], sides[0]] };
  }

  private scene(state: State): Scene {
    const shape = this.shape(state);
    const now = this.at === this.length;
    return {
      shape,
      model: state.model,
      rating: isRated(this.models, state.model) ? this.asked.rating : undefined,
      start: state.start,
      moves: state.moves,
      at: this.at,
      fen: this.fen(),
      check: now ? state.check : (state.moves[this.at - 1]?.check ?? false),
      over: now && state.result !== null,
      legal: now ? state.legal : [],
      side: sideNumber(shape, state.side),
      wins: ['You win', 'Net wins'],
    };
  }

  private whereWeAre({ start, moves }: State): string {
    const made = moves[this.at - 1];
    return made ? `After ${moveNumber(start, this.at - 1)} ${made.notation}.` : 'At the beginning.';
  }

  private begin(game: NewGame): void {
    element<HTMLInputElement>('typed-move').value = '';
    location.hash = 'play';
    this.pending = game;
    this.line.send(game);
  }

  /** A first game, or the one that was under way when the connection broke. */
  private connected(): void {
    element('lost').hidden = true;
    this.notResumed = '';
    const before = this.state;
    if (before) this.line.send(resumption(this.asked, before));
    else {
      this.pending = remembered() ?? this.asked;
      this.line.send(this.pending);
    }
  }

  private lose(why = 'The connection to the server is lost.'): void {
    element('lost-words').textContent = why;
    element('lost').hidden = false;
    this.isConnected = false;
    this.enableButtons();
    this.table.draw();
  }

  private refuse(text: string): void {
    const resumed = !this.state && this.pending !== undefined && this.pending !== this.asked;
    this.pending = undefined;
    this.complain(text);
    this.table.draw(); // takes back what the board showed in advance
    if (!resumed) return;
    // The saved game gives way only to another: a server that was merely full may take it up later.
    this.notResumed = `Your last game cannot be taken up: ${text}`;
    this.line.send((this.pending = this.asked));
  }

  private complain(text: string): void {
    element('problem').textContent = text;
    element('problem').hidden = !text;
  }

  private receive(state: State): void {
    if (this.pending) {
      this.asked = this.pending;
      this.pending = undefined;
      this.setup.granted();
      this.table.unflip();
    }
    this.state = state;
    this.at = state.moves.length;
    if (state.result) forget();
    else remember(resumption(this.asked, state));
    this.complain(this.notResumed);
    this.notResumed = '';
    element<HTMLInputElement>('typed-move').placeholder = `Type a move: ${examples(state).join(', ')}`;
    this.isConnected = true;
    this.changed();
    speak(state);
  }

  private shape({ game }: State): GameShape {
    return shapeOf(this.models, game);
  }

  /** The person moved a piece on the board. */
  async moved(from: string, to: string): Promise<void> {
    if (!this.state) return;
    const meant = this.state.legal.filter(({ move }) => move.startsWith(from + to));
    const side = sideNumber(this.shape(this.state), this.state.side);
    const move = meant.length > 1 ? await choosePromotion(meant, side) : meant[0]?.move;
    if (move) this.line.send({ type: 'move', move });
    else this.table.draw();
  }

  private typed(): void {
    const field = element<HTMLInputElement>('typed-move');
    const text = field.value.trim();
    if (!text || !this.state) return;
    const meant = meantBy(text, this.state.legal);
    if (!meant) return this.refuse(`'${text}' is not a move here. Write it as ${examples(this.state).join(' or ')}.`);
    field.value = '';
    this.line.send({ type: 'move', move: meant.move });
  }

  /** Who looks back acts on nothing: a move would be made in a position that is not on the board. */
  private enableButtons(): void {
    const { state, isConnected: connected } = this;
    const back = this.at < this.length;
    const over = state !== undefined && state.result !== null;
    const waits = state !== undefined && !over && state.turn !== state.side;
    element<HTMLButtonElement>('new').disabled = !connected;
    element<HTMLInputElement>('typed-move').disabled = !connected || !state || back;
    element<HTMLButtonElement>('undo').disabled = !connected || !state?.undoable || waits || back;
    element<HTMLButtonElement>('resign').disabled = !connected || !state || over || waits || back;
    element('typed').hidden = over;
    element('analyse-this').hidden = !over || !state.moves.length;
  }

  private listen(): void {
    element('new').onclick = () => this.setup.ask();
    element('undo').onclick = () => this.line.send({ type: 'undo' });
    element('resign').onclick = () => this.resign();
    element('resign').onblur = () => this.askToResign(false);
    element('reconnect').onclick = () => this.line.open();
    element('return').onclick = () => this.go(this.length);
    keepChoice('hints', false, on => {
      this.hints = on;
      this.show();
    });
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
