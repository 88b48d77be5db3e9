import { type Answer, type Connection, type GameLine, type Listener, Lost } from './connection';
import type { AnalysisPart, AnalysisQuestion, Attention, AttentionQuestion, Models, Prediction, Question, Request } from './protocol';
import { Reach } from './reach';

/** The server that sent this page. */
export class Server implements Connection {
  private readonly reach = new Reach();

  models(): Promise<Models> {
    return this.answer('api/models');
  }

  predict(question: Question & { top: number }): Promise<Prediction> {
    return this.answer('api/predict', question);
  }

  attention(question: AttentionQuestion): Promise<Attention> {
    return this.answer('api/attention', question);
  }

  /** On a socket of its own: a long game to look at keeps nobody from playing on. */
  analyse(question: AnalysisQuestion, received: (part: AnalysisPart) => void, signal: AbortSignal): Promise<void> {
    const request = JSON.stringify({ type: 'analyse', ...question });
    if (isTooLong(request)) return Promise.reject(new Error(TOO_LONG));
    return new Promise((resolve, reject) => {
      const socket = openSocket();
      let ended = false;
      const end = (): void => {
        ended = true;
        socket.close();
      };
      signal.onabort = end;
      socket.onopen = () => {
        this.reach.joined();
        socket.send(request);
      };
      socket.onclose = () => {
        if (!ended) this.reach.lost();
        reject(new Lost(LOST)); // of no consequence once it is resolved
      };
      socket.onmessage = event => {
        const message = JSON.parse(event.data as string) as Answer;
        if (message.type === 'error') reject(new Error(message.text));
        if (message.type === 'analysis') received(message);
        if (message.type === 'analysis' && message.first + message.plies.length < message.total) return;
        resolve(); // of no consequence once it is rejected
        end();
      };
    });
  }

  game(listener: Listener): GameLine {
    return new SocketLine(listener, this.reach);
  }

  onReturn(listener: () => void): void {
    this.reach.onReturn(listener);
  }

  private async answer<T>(path: string, question?: object): Promise<T> {
    let response: Response;
    try {
      response = await fetch(
        path,
        question && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question) },
      );
    } catch {
      this.reach.lost();
      throw new Lost(LOST);
    }
    if (response.ok) return (await response.json()) as T;
    const why = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(why.detail ?? `The server answers ${response.status} ${response.statusText}. Load the page again.`);
  }
}

/** The websocket of a game: opened on demand, never behind the person's back. */
class SocketLine implements GameLine {
  private socket: WebSocket | undefined;

  constructor(
    private readonly listener: Listener,
    private readonly reach: Reach,
  ) {}

  open(): void {
    this.socket?.close();
    const socket = openSocket();
    this.socket = socket;
    // A socket that another has replaced has nothing to say any more.
    const current = (): boolean => this.socket === socket;
    socket.onopen = () => {
      if (!current()) return;
      this.reach.joined();
      this.listener.opened();
    };
    let said = '';
    // Before it closes a socket for want of room, the server says so.
    socket.onclose = ({ code }) => {
      if (!current()) return;
      this.reach.lost();
      this.listener.lost(code === TRY_AGAIN_LATER ? said : undefined);
    };
    socket.onmessage = event => {
      if (!current()) return;
      const message = JSON.parse(event.data as string) as Answer;
      if (message.type === 'state') this.listener.state(message);
      if (message.type === 'error') this.listener.refused((said = message.text));
    };
  }

  send(request: Request): void {
    const text = JSON.stringify(request);
    if (isTooLong(text)) throw new Error(TOO_LONG);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.listener.lost();
  }
}

function openSocket(): WebSocket {
  const address = new URL('api/game', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address);
}

const TRY_AGAIN_LATER = 1013;
const LOST = 'The server does not answer. Start it with: zeroply serve';
const TOO_LONG = 'The record is too long for the server, which reads 60,000 characters: leave out comments and variations.';

/** The server closes a socket on which more comes at once (MESSAGE_LIMIT in messages.py). */
const isTooLong = (text: string): boolean => new TextEncoder().encode(text).length > 65_536;
