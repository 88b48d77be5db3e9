/** Long enough that a key held down asks nothing, short enough to feel at once. */
const PAUSE = 90;
const KEPT = 200;

interface Wanted<A> {
  key: string;
  done: (answer: A) => void;
  failed: (text: string) => void;
}

/** Answers to questions about positions: asked once, after a short pause, and only the newest one matters. */
export class Asked<Q, A> {
  private readonly known = new Map<string, A>();
  /** Questions whose answers are to come. */
  private readonly asking = new Set<string>();
  private newest: Wanted<A> | undefined;

  constructor(private readonly ask: (question: Q) => Promise<A>) {}

  want(question: Q, done: (answer: A) => void, failed: (text: string) => void): void {
    const key = JSON.stringify(question);
    this.newest = { key, done, failed };
    const known = this.known.get(key);
    if (known) return done(known);
    setTimeout(() => this.newest?.key === key && this.fetch(key, question), PAUSE);
  }

  /** What was asked does not matter any more. */
  forget(): void {
    this.newest = undefined;
  }

  private fetch(key: string, question: Q): void {
    if (this.asking.has(key)) return; // its answer is for whoever wants it when it comes
    this.asking.add(key);
    this.ask(question)
      .then(
        answer => {
          this.keep(key, answer);
          if (this.newest?.key === key) this.newest.done(answer);
        },
        (error: Error) => {
          if (this.newest?.key === key) this.newest.failed(error.message);
        },
      )
      .finally(() => this.asking.delete(key));
  }

  private keep(key: string, answer: A): void {
    this.known.set(key, answer);
    const [oldest] = this.known.keys();
    if (this.known.size > KEPT && oldest !== undefined) this.known.delete(oldest);
  }
}
