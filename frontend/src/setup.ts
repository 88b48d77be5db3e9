import { LOOKS } from './looks';
import { element } from './page';
import { modelFor } from './recognise';
import type { GameShape, Model, Models, NewGame } from './protocol';
import { usualTemperature } from './usual';

/** The dialog that asks for a new game, and the words for its numbers. */
export class Setup {
  private readonly dialog = element<HTMLDialogElement>('setup');
  private readonly form = element<HTMLFormElement>('setup-form');
  private readonly playable: Model[];
  /** The model for which a variety was offered last. */
  private varied: Model | undefined;

  constructor(
    private readonly models: Models,
    start: (game: NewGame) => void,
  ) {
    this.playable = playable(models);
    element('model').replaceChildren(...options(models));
    element('model-field').hidden = this.playable.length < 2;
    element('model').onchange = () => this.changeModel();
    element('record').oninput = () => this.recognise(); // at once: else the dialog changes under a click on Start
    element('rating').oninput = () => this.vary();
    this.form.oninput = () => this.describe();
    this.changeModel();
    element('cancel').onclick = () => this.dialog.close();
    this.form.onsubmit = event => {
      event.preventDefault();
      this.dialog.close();
      start(this.wanted());
    };
  }

  /** `record`: a game or position to start from; `model`: whom to play against. Else what was asked last. */
  ask(record?: string, model?: string): void {
    if (model !== undefined) element<HTMLSelectElement>('model').value = model;
    if (record !== undefined) element<HTMLTextAreaElement>('record').value = record;
    this.recognise();
    element<HTMLDetailsElement>('start-details').open = element<HTMLTextAreaElement>('record').value !== '';
    this.open('');
  }

  /** What was asked for cannot be: here it can be asked for in another way. */
  refused(problem: string): void {
    this.open(problem);
  }

  private open(problem: string): void {
    element('setup-problem').textContent = problem;
    element('setup-problem').hidden = !problem;
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** The game that was asked for has begun: the next one starts from the usual position again. */
  granted(): void {
    element<HTMLTextAreaElement>('record').value = '';
  }

  wanted(): NewGame {
    const fields = new FormData(this.form);
    const text = (name: string): string => String(fields.get(name) ?? '');
    const record = text('record').trim();
    const side = this.game()?.sides[Number(text('side'))]; // of "random" there is none
    return {
      type: 'new',
      side: side?.toLowerCase() ?? 'random',
      model: text('model'),
      ...this.rating(Number(text('rating'))),
      temperature: Number(text('temperature')),
      ...(record && { record }),
    };
  }

  /** None of a net that knows no ratings; nor at the slider's end, which asks for its best. */
  private rating(chosen: number): { rating?: number } {
    const [, highest] = this.model()?.ratings ?? [];
    return highest !== undefined && chosen < highest ? { rating: chosen } : {};
  }

  private model(): Model | undefined {
    return this.playable[element<HTMLSelectElement>('model').selectedIndex];
  }

  private game(): GameShape | undefined {
    return this.models.games.find(({ name }) => name === this.model()?.game);
  }

  /** A text of another game asks for another model. */
  private recognise(): void {
    const chosen = element<HTMLSelectElement>('model');
    chosen.value = modelFor(this.models, chosen.value, element<HTMLTextAreaElement>('record').value);
    this.changeModel();
  }

  /** Another model may play another game, whose sides have other names. */
  private changeModel(): void {
    for (const [number, name] of (this.game()?.sides ?? []).entries())
      element(`side-${number}`).textContent = name;
    this.limitRating(this.model()?.ratings ?? null);
    if (this.model() !== this.varied) this.vary();
    this.describe();
  }

  /** As far as the net knows players; at first its best. */
  private limitRating(ratings: Model['ratings']): void {
    element('rating-field').hidden = !ratings;
    if (!ratings) return;
    const slider = element<HTMLInputElement>('rating');
    const isNew = !slider.max;
    [slider.min, slider.max] = [String(ratings[0]), String(ratings[1])];
    if (isNew) slider.value = slider.max;
  }

  /** Who asks for a rating is offered the variety that belongs to it, and may choose another. */
  private vary(): void {
    this.varied = this.model();
    element<HTMLInputElement>('temperature').value = String(usualTemperature(this.wanted().rating));
  }

  private describe(): void {
    const { rating, temperature } = this.wanted();
    const words: [string, string][] = [
      ['rating', ratingWords(rating)],
      ['temperature', varietyWords(temperature)],
    ];
    for (const [name, text] of words) {
      element(`${name}-words`).textContent = text;
      element(name).setAttribute('aria-valuetext', text);
    }
  }
}

/** The models whose games this page can draw. */
const playable = ({ models }: Models): Model[] => models.filter(({ game }) => game in LOOKS);

export const options = (models: Models): HTMLOptionElement[] =>
  playable(models).map(model => new Option(title(model), model.name));

/** Bundled models have the name of their game; others say which one they play. */
function title({ name, game }: Model): string {
  return name === game ? name : `${name} (${game})`;
}

/** How the net plays in the game that was asked for. */
export function manner(models: Models, { model, rating }: NewGame): string {
  const knowsRatings = models.models.some(({ name, ratings }) => name === model && ratings);
  return knowsRatings ? ratingWords(rating) : model;
}

/** The net is asked to move like players of this rating; the titles are those that usually go with it. */
function ratingWords(rating: number | undefined): string {
  if (rating === undefined) return 'at its best';
  if (rating >= 2700) return `like the world's elite, ${rating}`;
  if (rating >= 2600) return `like a strong grandmaster, ${rating}`;
  if (rating >= 2500) return `like a grandmaster, ${rating}`;
  if (rating >= 2400) return `like an international master, ${rating}`;
  return `like a master, ${rating}`;
}

function varietyWords(temperature = 0): string {
  if (temperature === 0) return 'always its best move';
  if (temperature <= 0.3) return 'now and then another move';
  if (temperature <= 0.7) return 'often another good move';
  return 'as freely as people choose';
}
