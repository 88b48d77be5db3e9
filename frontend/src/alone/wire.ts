/** What goes between the page and the worker that answers it. */
import type { AnalysisPart, AnalysisQuestion, AttentionQuestion, Question, Refusal, Request, State } from '../protocol';

/** A question by its number, or what happens in a game by its number. */
export type ToWorker =
  | { call: number; ask: 'models'; question?: undefined }
  | { call: number; ask: 'predict'; question: Question & { top: number } }
  | { call: number; ask: 'attention'; question: AttentionQuestion }
  | { call: number; ask: 'analyse'; question: AnalysisQuestion }
  /** Nobody waits for the rest of an analysis any more. */
  | { call: number; ask: 'stop'; question?: undefined }
  /** A request in a game; null where nobody plays it any more. */
  | { game: number; request: Request | null };

export type FromWorker =
  | { call: number; answer: unknown }
  | { call: number; part: AnalysisPart }
  | { call: number; problem: string }
  | { game: number; message: State | Refusal }
  /** Bytes of what is being loaded. */
  | { done: number; total: number };
