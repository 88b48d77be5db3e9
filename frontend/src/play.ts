import type { Connection } from './connection';
import { Correspondence } from './correspondence';
import { enableDeeds } from './deeds';
import type { Gaze } from './gaze';
import type { Inside } from './inside';
import { Loss } from './loss';
import { keepChoice, remember, remembered, resumption } from './memory';
import type { Mode } from './mode';
import { moveNumber, showMoves } from './moves';
import { element } from './page';
import { seats, showLookingBack, showStatus, speak } from './panels';
import { choosePromotion } from './promotion';
import { type Models, type NewGame, type Request, type State, shapeOf, sideNumber } from './protocol';
import type { Scene } from './scene';
import { Setup, manner } from './setup';
import { enableSteps } from './steps';
import type { Table } from './table';
import { askTwice } from './twice';
import { hint, meantBy, notMeant } from './typed';

/** The game on the page: what was last said of it, and which of its positions the person looks at. */
export class Play implements Mode {
  at = 0;
  private state: State | undefined;
  /** The move that the person took back just now. */
  private takenBack = '';
  /** What the person asked for when this game began. */
  private asked: NewGame;
  /** The request that takes up a game which the person had given up. */
  private givenUp: Request | undefined;
  /** Why the game that was on the page when it was left is not taken up. */
  private notResumed = '';
  private hints = false;
  /** Whether the other side can be asked for a game, and whether it has this one. */
  private isOpen = false;
  private isHeld = false;
  private readonly setup: Setup;
  private readonly line: Correspondence;
  private readonly loss = new Loss(() => this.line.open());

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
    this.line = new Correspondence(connection, {
      opened: () => this.connected(),
      state: (state, request) => this.receive(state, request),
      refused: (text, request) => this.refuse(text, request),
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
    if (now) showStatus(state, this.line.unanswered[0], this.takenBack);
    else showLookingBack(state, this.at);
    const scene = this.scene(state);
    this.table.seat(seats(state, scene.shape, manner(this.models, this.asked)));
    this.table.show(scene);
    const hinted = this.hints && state.legal.length > 0;
    this.inside.show(scene, now && !hinted ? state : undefined);
    this.gaze.show(scene);
    enableSteps(this);
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
    const shape = shapeOf(this.models, state.game);
    const now = this.at === this.length;
    return {
      shape,
      model: state.model,
      rating: this.asked.rating,
      start: state.start,
      moves: state.moves,
      at: this.at,
      fen: this.fen(),
      check: now ? state.check : (state.moves[this.at - 1]?.check ?? state.start_check),
      over: now && state.result !== null,
      legal: now && this.mayAct() ? state.legal : [],
      side: sideNumber(shape, state.side),
      wins: ['You win', 'Net wins'],
    };
  }

  private begin(game: NewGame): void {
    element<HTMLInputElement>('typed-move').value = '';
    location.hash = 'play';
    this.send(game);
  }

  private send(request: Request): void {
    this.line.send(request);
    this.update();
  }

  /** What is known of the game has changed, or what can be done in it; whichever mode the page is in. */
  private update(): void {
    this.enableButtons();
    this.changed();
  }

  /** Not while something is unanswered: it would be done in a position that nobody has seen. That holds for a game
   *  that is taken up again, too, which the other side may not have. */
  private mayAct(): boolean {
    return this.isHeld && this.line.unanswered.length === 0;
  }

  /** A first game, or the one that was on the page when the connection broke or the page was left. */
  private connected(): void {
    this.loss.hide();
    this.notResumed = '';
    this.isOpen = true;
    if (this.state) this.asked = resumption(this.asked, this.state);
    const kept = this.state ? { game: this.asked, resigned: this.state.resigned } : remembered();
    this.givenUp = kept?.resigned ? kept.game : undefined;
    this.send(kept?.game ?? this.asked);
  }

  private lose(why?: string): void {
    this.loss.show(why);
    this.isOpen = this.isHeld = false;
    this.takeBack();
  }

  private refuse(text: string, request: Request | undefined): void {
    // A server that was started anew may not have this game's model any more.
    const again = this.state !== undefined && request === this.asked;
    const another = request?.type === 'new' && request !== this.asked;
    if (this.state && another) this.setup.refused(text);
    else this.complain(again ? `This game cannot be taken up: ${text}` : text);
    this.takeBack();
    if (this.state || !another) return;
    // The saved game gives way only to another: a server that was merely full may take it up later.
    this.notResumed = `Your last game cannot be taken up: ${text}`;
    this.send(this.asked);
  }

  /** The board as it is known to be, not as the person moved a piece on it. */
  private takeBack(): void {
    this.table.takeBack();
    this.update();
  }

  private complain(text: string): void {
    element('problem').textContent = text;
    element('problem').hidden = !text;
  }

  private receive(state: State, request: Request): void {
    if (request.type === 'new' && request !== this.asked) {
      this.asked = request;
      this.setup.granted();
      this.table.unflip();
    }
    if (request === this.givenUp) {
      this.givenUp = undefined;
      this.isHeld = true;
      return this.send({ type: 'resign' });
    }
    const gone = request.type === 'undo' ? this.state?.moves[state.moves.length] : undefined;
    this.takenBack = gone ? `${moveNumber(state.start, state.moves.length)} ${gone.notation}` : '';
    this.state = state;
    this.at = state.moves.length;
    remember({ game: resumption(this.asked, state), resigned: state.resigned });
    this.complain(this.notResumed);
    this.notResumed = '';
    element<HTMLInputElement>('typed-move').placeholder = hint(state);
    this.isHeld = true;
    this.update();
    speak(state, this.takenBack);
  }

  /** The person moved a piece on the board. */
  async moved(from: string, to: string): Promise<void> {
    const { state } = this;
    if (!state) return;
    const meant = state.legal.filter(({ move }) => move.startsWith(from + to));
    const side = sideNumber(shapeOf(this.models, state.game), state.side);
    const move = meant.length > 1 ? await choosePromotion(meant, side) : meant[0]?.move;
    // While the person chose a piece, the game may have changed or been lost.
    if (move && this.mayAct() && this.state === state) this.send({ type: 'move', move });
    else this.table.takeBack();
  }

  private typed(): void {
    const field = element<HTMLInputElement>('typed-move');
    const text = field.value.trim();
    if (!text || !this.state || !this.mayAct()) return;
    const meant = meantBy(text, this.state);
    if (!meant) return this.complain(notMeant(text, this.state));
    field.value = '';
    this.send({ type: 'move', move: meant.move });
  }

  /** Who looks back acts on nothing: a move would be made in a position that is not on the board. */
  private enableButtons(): void {
    const back = this.at < this.length;
    element('table').ariaBusy = String(this.line.unanswered.length > 0);
    enableDeeds(this.state, { begin: this.isOpen, type: this.isHeld && !back, act: this.mayAct() && !back });
  }

  private listen(): void {
    element('new').onclick = () => this.setup.ask();
    element('undo').onclick = () => {
      element<HTMLInputElement>('typed-move').value = ''; // what was refused there was meant for another position
      this.send({ type: 'undo' });
    };
    askTwice('resign', 'Sure?', 'Really resign?', () => this.send({ type: 'resign' }));
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
}
