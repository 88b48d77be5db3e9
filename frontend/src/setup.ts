import { BOARDS } from './board';
import { element } from './page';
import type { Models, NewGame } from './protocol';

/** The dialog that asks for a new game, and the words for its numbers. */
export class Setup {
  private readonly dialog = element<HTMLDialogElement>('setup');
  private readonly form = element<HTMLFormElement>('setup-form');

  constructor(models: Models, start: (game: NewGame) => void) {
    const playable = models.models.filter(({ game }) => game in BOARDS);
    element<HTMLSelectElement>('model').replaceChildren(...playable.map(({ name }) => new Option(name)));
    element('model-field').hidden = playable.length < 2;
    this.form.oninput = () => this.describe();
    this.describe();
    element('cancel').onclick = () => this.dialog.close();
    this.dialog.onclose = () => {
      if (this.dialog.returnValue === 'start') start(this.wanted());
    };
  }

  ask(): void {
    this.dialog.returnValue = '';
    this.dialog.showModal();
  }

  wanted(): NewGame {
    const fields = new FormData(this.form);
    const text = (name: string): string => String(fields.get(name) ?? '');
    const fen = text('fen').trim();
    return {
      type: 'new',
      side: text('side') as NewGame['side'],
      model: text('model'),
      rating: Number(text('rating')),
      temperature: Number(text('temperature')),
      ...(fen && { fen }),
    };
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

/** The net is asked to move like players of this rating; the titles are those that usually go with it. */
export function ratingWords(rating: number): string {
  if (rating >= 2800) return 'at its best';
  if (rating >= 2700) return `like the world's elite, ${rating}`;
  if (rating >= 2600) return `like a strong grandmaster, ${rating}`;
  if (rating >= 2500) return `like a grandmaster, ${rating}`;
  if (rating >= 2400) return `like an international master, ${rating}`;
  return `like a master, ${rating}`;
}

export function varietyWords(temperature: number): string {
  if (temperature === 0) return 'always its best move';
  if (temperature <= 0.3) return 'now and then another move';
  if (temperature <= 0.7) return 'often another good move';
  return 'as freely as people choose';
}
