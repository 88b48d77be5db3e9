import type { Connection, GameLine } from './connection';
import type { Request, State } from './protocol';

/** What a game tells the page, each answer with the request that it is of. */
interface Reader {
  opened(): void;
  state(state: State, request: Request): void;
  /** Of no request where the other side broke down. */
  refused(text: string, request: Request | undefined): void;
  lost(why?: string): void;
}

/** The line of a game, on which requests are answered in their order: by a refusal; or by a state, and another one
 *  where the net is to move in the first. */
export class Correspondence {
  private readonly line: GameLine;
  /** In their order. */
  unanswered: readonly Request[] = [];

  constructor(
    connection: Connection,
    private readonly reader: Reader,
  ) {
    this.line = connection.game({
      opened: () => reader.opened(),
      state: state => {
        const [request] = this.unanswered;
        if (state.result !== null || state.turn === state.side) this.unanswered = this.unanswered.slice(1);
        if (request) reader.state(state, request);
      },
      refused: text => {
        const [request, ...others] = this.unanswered;
        this.unanswered = others;
        reader.refused(text, request);
      },
      lost: why => {
        this.unanswered = [];
        reader.lost(why);
      },
    });
  }

  open(): void {
    this.unanswered = [];
    this.line.open();
  }

  send(request: Request): void {
    this.unanswered = [...this.unanswered, request];
    try {
      this.line.send(request);
    } catch (error) {
      this.unanswered = this.unanswered.slice(0, -1);
      this.reader.refused((error as Error).message, request);
    }
  }
}
