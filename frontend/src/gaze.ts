import { Asked } from './asked';
import type { Connection } from './connection';
import { element, percent } from './page';
import type { Attention, AttentionQuestion, Models } from './protocol';
import { type Scene, question } from './scene';
import { squareName } from './squares';
import type { Table } from './table';

const NAMED = 3;

/** Where the net looks: the attention of a layer and a head, from or to a square, on the board. */
export class Gaze {
  private readonly answers: Asked<AttentionQuestion, Attention>;
  private scene: Scene | undefined;
  private weights: number[][] | undefined;
  private chosen: number | undefined;
  private readonly box = element<HTMLInputElement>('gaze');
  private readonly layer = element<HTMLInputElement>('layer');
  private readonly head = element<HTMLInputElement>('head');

  constructor(
    connection: Connection,
    private readonly models: Models,
    private readonly table: Table,
  ) {
    this.answers = new Asked(asked => connection.attention(asked));
    this.layer.oninput = this.head.oninput = () => this.ask();
    this.box.onchange = () => {
      this.ask();
      if (this.box.checked) element('table').scrollIntoView({ block: 'nearest' }); // on a phone it may be far above
    };
    for (const way of document.querySelectorAll<HTMLInputElement>('input[name=direction]')) way.onchange = () => this.draw();
  }

  show(scene: Scene): void {
    if (scene.shape !== this.scene?.shape) this.chosen = undefined;
    if (scene.model !== this.scene?.model) this.measure(scene.model);
    this.scene = scene;
    this.ask();
  }

  /** The knobs for a net: as many layers and heads as it has; at first the last layer, all heads. */
  private measure(name: string): void {
    const { layers, heads } = this.models.models.find(model => model.name === name) ?? {};
    this.layer.max = this.layer.value = String(layers ?? 1);
    this.head.max = String(heads ?? 0);
    this.head.value = '0';
    this.box.disabled = !layers;
    if (!layers) this.box.checked = false;
    this.say(layers ? '' : 'This net cannot be looked into.');
  }

  private ask(): void {
    element('gaze-controls').hidden = !this.box.checked;
    if (!this.box.checked || !this.scene) {
      this.answers.forget();
      this.weights = undefined;
      if (!this.box.disabled) this.say(''); // why there was no answer matters no more
      return this.table.paint(undefined);
    }
    const [layer, head] = [Number(this.layer.value), Number(this.head.value)];
    element('layer-words').textContent = `${layer} of ${this.layer.max}`;
    element('head-words').textContent = head ? `${head} of ${this.head.max}` : `mean of ${this.head.max}`;
    this.answers.want(
      { ...question(this.scene), layer: layer - 1, head: head ? head - 1 : null },
      ({ weights }) => {
        this.say('');
        this.weights = weights;
        this.draw();
      },
      text => {
        this.weights = undefined;
        this.say(text);
        this.table.paint(undefined);
      },
    );
  }

  private draw(): void {
    if (!this.weights || !this.scene) return;
    const values = this.values(this.weights);
    this.table.paint({
      values,
      chosen: this.chosen,
      choose: square => {
        this.chosen = square === this.chosen ? undefined : square;
        this.draw();
      },
    });
    element('gaze-words').textContent = this.words(values, this.scene);
  }

  /** What to paint: a row of the matrix, a column, or where no square is chosen, how much each is looked at. */
  private values(weights: number[][]): number[] {
    const { chosen } = this;
    if (chosen === undefined) return weights.map((_, at) => mean(weights.map(row => row[at] ?? 0)));
    return this.from() ? (weights[chosen] ?? []) : weights.map(row => row[chosen] ?? 0);
  }

  private words(values: number[], { shape }: Scene): string {
    const order = values.map((_, square) => square).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
    const named = order.slice(0, NAMED).map(square => `${squareName(shape, square)} ${percent(values[square] ?? 0)}`);
    if (this.chosen === undefined) return `All squares together look most at ${named.join(', ')}. Choose a square on the board.`;
    const name = squareName(shape, this.chosen);
    return this.from() ? `${name} looks most at ${named.join(', ')}.` : `${name} is looked at most by ${named.join(', ')}.`;
  }

  private from(): boolean {
    return document.querySelector<HTMLInputElement>('input[name=direction]:checked')?.value !== 'to';
  }

  private say(text: string): void {
    element('gaze-none').textContent = text;
    element('gaze-none').hidden = !text;
  }
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
