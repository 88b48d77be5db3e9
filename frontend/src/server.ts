import type { Answer, Connection, GameLine, Listener } from './connection';
import type { AnalysisPart, AnalysisQuestion, Attention, AttentionQuestion, Models, Prediction, Question, Request } from './protocol';

/** The server that sent this page. */
export class Server implements Connection {
  models(): Promise<Models> {
    return answer('api/models');
  }

  predict(question: Question & { top: number }): Promise<Prediction> {
    return answer('api/predict', question);
  }

  attention(question: AttentionQuestion): Promise<Attention> {
    return answer('api/attention', question);
  }

  /** On a socket of its own: a long game to look at keeps nobody from playing on. */
  analyse(question: AnalysisQuestion, received: (part: AnalysisPart) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = openSocket();
      signal.onabort = () => socket.close();
      socket.onopen = () => socket.send(JSON.stringify({ type: 'analyse', ...question }));
      socket.onclose = ({ code }) => reject(new Error(code === TOO_BIG ? RECORD_TOO_LONG : LOST));
      socket.onmessage = event => {
        const message = JSON.parse(event.data as string) as Answer;
        if (message.type === 'error') reject(new Error(message.text));
        if (message.type === 'analysis') received(message);
        if (message.type === 'analysis' && message.first + message.plies.length < message.total) return;
        resolve(); // of no consequence after a rejection
        socket.close();
      };
    });
  }

  game(listener: Listener): GameLine {
    return new SocketLine(listener);
  }
}

/** The websocket of a game: opened on demand, never behind the person's back. */
class SocketLine implements GameLine {
  private socket: WebSocket | undefined;

  constructor(private readonly listener: Listener) {}

  open(): void {
    this.socket?.close();
    const socket = openSocket();
    this.socket = socket;
    // A socket that another has replaced has nothing to say any more.
    const current = (): boolean => this.socket === socket;
    socket.onopen = () => current() && this.listener.opened();
    socket.onclose = () => current() && this.listener.lost();
    socket.onmessage = event => {
      if (!current()) return;
      const message = JSON.parse(event.data as string) as Answer;
      if (message.type === 'state') this.listener.state(message);
      if (message.type === 'error') this.listener.refused(message.text);
    };
  }

  send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    else this.listener.lost();
  }
}

function openSocket(): WebSocket {
  const address = new URL('api/game', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address);
}

async function answer<T>(path: string, question?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(
      path,
      question && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question) },
    );
  } catch {
    throw new Error(LOST);
  }
  if (response.ok) return (await response.json()) as T;
  const why = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(why.detail ?? `The server answers ${response.status} ${response.statusText}. Load the page again.`);
}

const LOST = 'The server does not answer. Start it with: zeroply serve';
const RECORD_TOO_LONG = 'The record is too long for the server: leave out comments and variations.';
const TOO_BIG = 1009;
