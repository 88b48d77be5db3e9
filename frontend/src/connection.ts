import type {
  AnalysisPart,
  AnalysisQuestion,
  Attention,
  AttentionQuestion,
  Models,
  Prediction,
  Question,
  Refusal,
  Request,
  State,
} from './protocol';

/** What a game tells the page. */
export interface Listener {
  opened(): void;
  state(state: State): void;
  refused(text: string): void;
  /** `why`: in words, where the other side told. */
  lost(why?: string): void;
}

/** One game at a time, from `open` on; what happens in it comes to the listener. */
export interface GameLine {
  open(): void;
  /** Throws an Error, one line for people, at what cannot be sent at all. */
  send(request: Request): void;
}

/** There is no answer, and later there may be one. */
export class Lost extends Error {}

/** Where the answers come from: a server (server.ts), or the browser itself. The page knows only this.
 *
 * What cannot be answered is rejected with an Error whose message is one line for people; Lost where nobody is there.
 */
export interface Connection {
  models(): Promise<Models>;
  predict(question: Question & { top: number }): Promise<Prediction>;
  attention(question: AttentionQuestion): Promise<Attention>;
  /** `received` is told each part as it comes; the promise is kept after the last one. */
  analyse(question: AnalysisQuestion, received: (part: AnalysisPart) => void, signal: AbortSignal): Promise<void>;
  game(listener: Listener): GameLine;
  /** `listener` is told when there are answers again after there were none. */
  onReturn(listener: () => void): void;
}

export type Answer = State | AnalysisPart | Refusal;
