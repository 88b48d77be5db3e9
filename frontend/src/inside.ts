import { Asked } from './asked';
import type { Connection } from './connection';
import { keepChoice } from './memory';
import { element, make, percent } from './page';
import type { Because, Candidate, Prediction, Question } from './protocol';
import { type Glance, type Scene, last, question, turn } from './scene';
import type { Table } from './table';

const SHOWN = 5;
const REASONS: Record<Because, (played: string) => string> = {
  wins_at_once: played => `${played} wins at once: played by the rules’ help.`,
  gives_nothing_away: played => `A winning side neither draws nor repeats: ${played} was played by the rules’ help.`,
  forbidden: played => `The rules forbid its likeliest move: ${played} was played instead.`,
};

/** What the net expects and weighs: what it saw before its last move, or how it sees the position on the board. */
export class Inside {
  private readonly predictions: Asked<Question & { top: number }, Prediction>;
  private pointed: Candidate[] = [];
  private arrows = true;
  private game = '';

  constructor(
    connection: Connection,
    private readonly table: Table,
  ) {
    this.predictions = new Asked(asked => connection.predict(asked));
    keepChoice('arrows', true, on => {
      this.arrows = on;
      this.point();
    });
  }

  /** `given`: what it saw when it moved; where there is none it is asked about the scene. */
  show(scene: Scene, given?: Glance): void {
    if (this.game !== scene.shape.name) this.nothing('Looking …'); // the answer to come is of another game
    this.game = scene.shape.name;
    if (given) {
      this.predictions.forget();
      return this.showGiven(scene, given);
    }
    element('expectation').textContent = 'What it expects';
    element('weighed').textContent = 'What it would play';
    this.predictions.want(
      { ...question(scene), top: SHOWN },
      prediction => this.showPrediction(scene, prediction),
      text => this.nothing(text),
    );
  }

  private showGiven(scene: Scene, { candidates, because, wdl }: Glance): void {
    element('expectation').textContent = scene.over ? 'How it ended' : 'What it expects';
    element('weighed').textContent = 'What it weighed';
    const mute = candidates.length > 0 && !wdl;
    showExpectation(wdl, scene.wins, mute ? 'This net does not say what it expects' : 'The net has not looked yet');
    // Arrows tell of the move that was just made; of one before the person's they would only confuse.
    const fresh = candidates.some(({ move, played }) => played && move === last(scene)?.move);
    const none = scene.over ? 'The game is over.' : 'Its candidates appear after its next move.';
    this.list(candidates, none, fresh ? candidates : []);
    showReason(because, candidates);
  }

  private showPrediction(scene: Scene, { moves, wdl }: Prediction): void {
    const next = scene.moves[scene.at]?.move;
    const [win, draw, loss] = wdl ?? [0, 0, 0];
    const seen: Glance['wdl'] = wdl && (turn(scene) === scene.side ? [win, draw, loss] : [loss, draw, win]);
    showExpectation(seen, scene.wins, 'This net does not say what it expects');
    this.list(
      moves.map(found => ({ ...found, played: found.move === next })),
      'Nothing to play here.',
    );
  }

  private nothing(text: string): void {
    showExpectation(null, ['', ''], text);
    this.list([], text);
  }

  private list(candidates: Candidate[], none: string, pointed = candidates): void {
    this.pointed = pointed;
    showCandidates(candidates, none);
    showReason(null, candidates);
    this.point();
  }

  private point(): void {
    this.table.point(this.arrows ? this.pointed : []);
  }
}

function showExpectation(wdl: Glance['wdl'], [own, other]: [string, string], none: string): void {
  const bar = element('wdl');
  const shares = wdl ?? [0, 0, 0];
  for (const [number, name] of ['win', 'draw', 'loss'].entries()) {
    const share = shares[number] ?? 0;
    (bar.children[number] as HTMLElement).style.flexGrow = String(share);
    element(`wdl-${name}`).textContent = wdl ? percent(share) : '–';
  }
  if (own) element('wdl-win-name').textContent = own;
  if (other) element('wdl-loss-name').textContent = other;
  const [win, draw, loss] = shares;
  bar.setAttribute('aria-label', wdl ? `${own} ${percent(win)}, draw ${percent(draw)}, ${other} ${percent(loss)}` : none);
  bar.title = wdl ? '' : none;
}

function showCandidates(candidates: Candidate[], none: string): void {
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
  element('candidates').replaceChildren(...(rows.length ? rows : [make('li', 'none', none)]));
}

/** Without it, a move far down the list looks like one that chance chose. */
function showReason(because: Because | null, candidates: Candidate[]): void {
  const played = candidates.find(each => each.played)?.notation ?? '';
  element('because').textContent = because && REASONS[because](played);
  element('because').hidden = !because;
}
