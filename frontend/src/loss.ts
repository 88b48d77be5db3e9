import { element } from './page';

/** The bar that says that the connection is lost, and by which it is sought again. */
export class Loss {
  private isSought = false;

  constructor(seek: () => void) {
    element('reconnect').onclick = () => {
      this.isSought = true;
      element('lost-words').textContent = 'Looking for the server…';
      seek();
    };
  }

  /** `why`: what the server said. */
  show(why?: string): void {
    element('lost-words').textContent = this.words(why);
    element('lost').hidden = false;
  }

  hide(): void {
    this.isSought = false;
    element('lost').hidden = true;
  }

  /** The time tells one try from the next. */
  private words(why?: string): string {
    if (!this.isSought) return why ?? 'The connection to the server is lost.';
    const now = new Date().toLocaleTimeString();
    return why ? `${now}: ${why}` : `Still no answer, ${now}. Start the server again: zeroply serve`;
  }
}
