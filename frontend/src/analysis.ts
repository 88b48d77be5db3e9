import { type Connection, Lost } from './connection';
import type { Gaze } from './gaze';
import { Graph } from './graph';
import type { Inside } from './inside';
import { type Judged, LEAST, judge, levelled, worst } from './judgement';
import type { Mode } from './mode';
import { MARKS, type Note, moveNumber, showMoves } from './moves';
import { element, make, ordinal, percent, points } from './page';
import type { Play } from './play';
import { type AnalysisPart, type AnalysisQuestion, type Models, shapeOf } from './protocol';
import { modelFor } from './recognise';
import type { Scene } from './scene';
import { options } from './setup';
import { enableSteps } from './steps';
import { keep, kept } from './storage';
import type { Table } from './table';
import { ending, expectations } from './whole';

/** Both sides are people of no known rating: a net that is told the mover's alone favours whoever is to move. */
const NOBODYS_RATING = 0;
const KEY = 'zeroply-analysis';
const HOW_TO_STEP = {
  keys: 'Step with ← and →, or click the graph or a move.',
  touch: 'Tap the graph or a move, or step with the buttons below the board.',
};
/** Whether fingers are what points here: then there are no keys to speak of. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches;

/** A game that was played elsewhere or here, seen move by move by a net. */
export class Analysis implements Mode {
  at = 0;
  /** All parts that have come, as one. */
  private whole: AnalysisPart | undefined;
  private judged: Judged[] = [];
  private running: AbortController | undefined;
  /** What was asked and not answered to its end. */
  private unfinished: AnalysisQuestion | undefined;
  private readonly text = element<HTMLTextAreaElement>('analysis-record');
  private readonly model = element<HTMLSelectElement>('analysis-model');
  private readonly graph = new Graph(element('graph'), at => this.go(Math.min(at, this.length)));

  constructor(
    private readonly connection: Connection,
    private readonly models: Models,
    private readonly table: Table,
    private readonly inside: Inside,
    private readonly gaze: Gaze,
    private readonly play: Play,
    /** Tells the page that more of the game has come. */
    private readonly changed: () => void,
  ) {
    this.model.replaceChildren(...options(models));
    element('analysis-model-field').hidden = this.model.options.length < 2;
    this.text.value = kept('sessionStorage', KEY) ?? '';
    element('analysis-form').onsubmit = event => {
      event.preventDefault();
      void this.start();
    };
    element('analysis-current').onclick = () => this.takeCurrent();
    element('analysis-another').onclick = () => this.openForm();
    element('analysis-cancel').onclick = () => this.showForm(false);
    element('analysis-go-on').onclick = () => this.goOn();
    element('play-here').onclick = () => this.whole && play.offer(this.fen(), this.whole.model);
  }

  get length(): number {
    return this.judged.length;
  }

  go(at: number): void {
    this.at = at;
    this.show();
  }

  fen(): string {
    return (this.whole ? (this.judged[this.at - 1]?.fen ?? this.whole.start) : this.play.still()?.fen) ?? '';
  }

  record(): { game: string; text: string } | undefined {
    return this.whole?.record ? { game: this.whole.game, text: this.whole.record } : undefined;
  }

  pasted(text: string): void {
    this.text.value = text;
    void this.start();
  }

  /** Looks at the game that is played on the page. */
  takeCurrent(): void {
    const current = this.play.record();
    const model = this.play.still()?.model;
    if (!current || model === undefined) return this.refuse('There is no move in the current game yet.');
    this.text.value = current.text;
    this.model.value = model;
    void this.start();
  }

  show(): void {
    const scene = this.whole ? this.scene(this.whole) : this.play.still();
    if (!scene) return;
    element<HTMLButtonElement>('play-here').disabled = !this.whole || scene.over;
    const names = this.whole?.names ?? scene.shape.sides;
    this.table.seat([
      { name: names[0], detail: names[0] === scene.shape.sides[0] ? '' : scene.shape.sides[0] },
      { name: names[1], detail: names[1] === scene.shape.sides[1] ? '' : scene.shape.sides[1] },
    ]);
    this.table.show(scene);
    this.inside.show(scene, scene.over ? { candidates: [], because: null, wdl: this.whole ? ending(this.whole) : null } : undefined);
    this.gaze.show(scene);
    enableSteps(this);
    showMoves(scene.start, this.whole ? scene.moves : [], this.at, at => this.go(at), this.judged.map(note), 'No game to look at yet.');
    if (this.whole) this.showWhole(this.whole);
  }

  private async start(): Promise<void> {
    const record = this.text.value.trim();
    if (!record) return this.refuse('Paste a game first: a PGN, or its moves.');
    keep('sessionStorage', KEY, record);
    this.model.value = modelFor(this.models, this.model.value, record);
    this.whole = undefined;
    this.judged = [];
    this.at = 0;
    await this.ask({ model: this.model.value, record, rating: NOBODYS_RATING });
  }

  /** Takes up what was cut off, unless the person wants something else by now. */
  goOn(): void {
    const question = this.unfinished;
    if (!question) return;
    if (this.whole || this.text.value.trim() === question.record) void this.ask(question);
    else element('analysis-problem').hidden = true;
  }

  private async ask(question: AnalysisQuestion): Promise<void> {
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.unfinished = undefined;
    element('analysis-problem').hidden = element('analysis-cut').hidden = true;
    this.progress(this.share());
    try {
      await this.connection.analyse(
        question,
        part => this.running === running && this.receive(part),
        running.signal,
      );
    } catch (error) {
      if (this.running === running) this.fail(error as Error, question);
    }
    if (this.running === running) this.progress(1);
  }

  private receive(part: AnalysisPart): void {
    const known = this.whole?.plies ?? [];
    // What was cut off is looked at again from its beginning; what was known of it stays until then.
    const plies = [...known.slice(0, part.first), ...part.plies, ...known.slice(part.first + part.plies.length)];
    if (!this.whole) {
      this.showForm(false, true);
      this.table.unflip();
    }
    this.whole = { ...part, first: 0, plies };
    const first = part.start.split(' ')[1] === 'b' ? 1 : 0;
    this.judged = judge(plies, first, expectations(this.whole));
    this.progress(this.share());
    this.changed();
  }

  private scene(whole: AnalysisPart): Scene {
    const made = this.judged[this.at - 1];
    const shape = shapeOf(this.models, whole.game);
    return {
      shape,
      model: whole.model,
      rating: NOBODYS_RATING,
      start: whole.start,
      moves: this.judged,
      at: this.at,
      fen: this.fen(),
      check: made?.check ?? whole.start_check,
      over: this.at === whole.total && whole.ended,
      legal: [],
      side: 0,
      wins: shape.sides,
    };
  }

  private showWhole(whole: AnalysisPart): void {
    const shape = shapeOf(this.models, whole.game);
    element('analysis-title').textContent = (whole.names ?? shape.sides).join(' – ');
    const result = whole.result?.replace('1/2-1/2', '½–½').replace('-', '–').replace('*', 'unfinished');
    const count = Math.ceil(whole.total / 2);
    element('analysis-result').textContent = [result, `${count} ${count === 1 ? 'move' : 'moves'}`, whole.model].filter(Boolean).join(' · ');
    const values = levelled(expectations(whole), whole.ended);
    const { judged } = this;
    const bad = worst(judged);
    this.graph.draw({ judged, worst: bad, total: whole.total, values, start: whole.start, side: shape.sides[0] }, this.at);
    this.showVerdict(whole);
    this.showWorst(whole, bad);
  }

  private showVerdict({ start }: AnalysisPart): void {
    const made = this.judged[this.at - 1];
    const host = element('verdict');
    if (!made) {
      host.replaceChildren(make('span', 'quiet', HOW_TO_STEP[isTouched() ? 'touch' : 'keys']));
      return;
    }
    const lines = [
      make('strong', '', `${moveNumber(start, this.at - 1)} ${made.notation}`),
      made.mark ? make('b', `mark ${MARKS[made.mark]}`, made.mark) : '',
      ` ${percent(made.probability)}, its ${ordinal(made.rank)} choice`,
      made.rank === 1 ? '. ' : `; likeliest ${made.best.notation}, ${percent(made.best.probability)}. `,
      made.loss !== null && made.loss >= LEAST ? make('span', 'loss', `Costs ${points(made.loss)} points.`) : '',
    ];
    host.replaceChildren(...lines);
  }

  private showWorst({ start, plies, total }: AnalysisPart, bad: Judged[]): void {
    const chips = bad.map(({ ply, notation, mark, loss, probability }) => {
      const chip = make(
        'button',
        `chip ${this.at === ply + 1 ? 'current' : ''}`,
        `${moveNumber(start, ply)} ${notation}`,
        make('b', `mark ${MARKS[mark] ?? ''}`, mark),
        make('small', '', loss === null ? percent(probability) : `−${points(loss)}`),
      ) as HTMLButtonElement;
      chip.type = 'button';
      chip.onclick = () => this.go(ply + 1);
      return chip;
    });
    const isPart = plies.length < total;
    const none = make('span', 'none', !isPart ? 'No bad moment.' : this.unfinished ? 'None.' : 'Looking …');
    element('worst').replaceChildren(make('span', 'name', isPart ? 'Worst moments so far' : 'Worst moments'), ...(chips.length ? chips : [none]));
  }

  private openForm(): void {
    this.showForm(true);
    this.text.select();
  }

  /** The form, or what came of it. */
  private showForm(open: boolean, found = this.whole !== undefined): void {
    element('analysis-form').hidden = !open && found;
    element('analysis').hidden = open || !found;
    element('analysis-cancel').hidden = !found;
    element('analysis-problem').hidden = true;
  }

  /** Of the game, how much has come. */
  private share(): number {
    return this.whole ? this.whole.plies.length / Math.max(this.whole.total, 1) : 0;
  }

  private progress(share: number): void {
    const bar = element<HTMLProgressElement>('analysis-progress');
    bar.hidden = share >= 1;
    if (share > 0) bar.value = share;
    else bar.removeAttribute('value'); // no part has come yet
  }

  /** With nobody to answer, or in the middle of the game: then it can go on later. */
  private fail(error: Error, question: AnalysisQuestion): void {
    const last = this.judged.at(-1);
    if (last || error instanceof Lost) this.unfinished = question;
    if (!this.whole || !last) return this.refuse(error.message);
    element('analysis-cut-words').textContent = `It came as far as ${moveNumber(this.whole.start, last.ply)} ${last.notation}. ${error.message}`;
    element('analysis-cut').hidden = false;
    this.changed();
  }

  private refuse(text: string): void {
    this.progress(1);
    if (!this.whole) this.showForm(true, false);
    element('analysis-problem').textContent = text;
    element('analysis-problem').hidden = false;
    this.changed();
  }
}

function note({ mark, probability, rank, best }: Judged): Note {
  const title = `${percent(probability)}, its ${ordinal(rank)} choice`;
  return {
    mark,
    text: `${ordinal(rank)} ${percent(probability)}`,
    title: rank === 1 ? title : `${title}; likeliest ${best.notation}, ${percent(best.probability)}`,
  };
}
