/** Long enough that a key held down asks nothing, short enough to feel at once. */
const PAUSE = 90;
const KEPT = 200;

/** Answers to questions about positions: asked once, after a short pause, and only the newest one matters. */
export class Asked<Q, A> {
  private readonly known = new Map<string, A>();
  private newest = '';

  constructor(private readonly ask: (question: Q) => Promise<A>) {}

  want(question: Q, done: (answer: A) => void, failed: (text: string) => void): void {
    const key = JSON.stringify(question);
    this.newest = key;
    const known = this.known.get(key);
    if (known) return done(known);
    setTimeout(() => {
      if (this.newest !== key) return;
      this.ask(question).then(
        answer => {
          this.keep(key, answer);
          if (this.newest === key) done(answer);
        },
        (error: Error) => this.newest === key && failed(error.message),
      );
    }, PAUSE);
  }

  /** What was asked does not matter any more. */
  forget(): void {
    this.newest = '';
  }

  private keep(key: string, answer: A): void {
    this.known.set(key, answer);
    const [oldest] = this.known.keys();
    if (this.known.size > KEPT && oldest !== undefined) this.known.delete(oldest);
  }
}
