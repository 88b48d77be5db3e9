import type { Connection, GameLine, Listener } from '../connection';
import type { AnalysisPart, AnalysisQuestion, Attention, AttentionQuestion, Models, Prediction, Question, Request } from '../protocol';
import type { Progress } from './downloads';
import type { FromWorker, ToWorker } from './wire';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  received?: (part: AnalysisPart) => void;
}

/** The browser itself: a worker of this page plays, and no server is asked for anything but files. */
export class Alone implements Connection {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<number, Listener>();
  /** Of calls and games. */
  private last = 0;

  constructor(private readonly progress: Progress) {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = () => {
      for (const { reject } of this.waiting.values()) reject(new Error(BROKEN));
      for (const listener of this.listeners.values()) listener.refused(BROKEN);
    };
  }

  models(): Promise<Models> {
    return this.ask<Models>({ call: ++this.last, ask: 'models' });
  }

  predict(question: Question & { top: number }): Promise<Prediction> {
    return this.ask<Prediction>({ call: ++this.last, ask: 'predict', question });
  }

  attention(question: AttentionQuestion): Promise<Attention> {
    return this.ask<Attention>({ call: ++this.last, ask: 'attention', question });
  }

  analyse(question: AnalysisQuestion, received: (part: AnalysisPart) => void, signal: AbortSignal): Promise<void> {
    const call = ++this.last;
    signal.onabort = () => {
      this.tell({ call, ask: 'stop' });
      this.waiting.get(call)?.reject(new Error('stopped'));
      this.waiting.delete(call);
    };
    return this.ask<void>({ call, ask: 'analyse', question }, received);
  }

  game(listener: Listener): GameLine {
    let number = 0;
    return {
      open: () => {
        if (this.listeners.delete(number)) this.tell({ game: number, request: null });
        number = ++this.last;
        this.listeners.set(number, listener);
        queueMicrotask(() => listener.opened());
      },
      send: (request: Request) => this.tell({ game: number, request }),
    };
  }

  onReturn(): void {} // it never goes away

  private ask<T>(message: Extract<ToWorker, { call: number }>, received?: Waiting['received']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(message.call, { resolve: answer => resolve(answer as T), reject, ...(received && { received }) });
      this.tell(message);
    });
  }

  private tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    if ('total' in message) return this.progress(message.done, message.total);
    if ('game' in message) {
      const listener = this.listeners.get(message.game);
      if (message.message.type === 'state') listener?.state(message.message);
      else listener?.refused(message.message.text);
      return;
    }
    const waiting = this.waiting.get(message.call);
    if ('part' in message) return waiting?.received?.(message.part);
    this.waiting.delete(message.call);
    if ('problem' in message) waiting?.reject(new Error(message.problem));
    else waiting?.resolve(message.answer);
  }
}

const BROKEN = 'The part of this page that plays could not be loaded. Load the page again.';
