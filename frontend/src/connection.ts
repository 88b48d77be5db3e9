import type { Refusal, Request, State } from './protocol';

export interface Listener {
  opened(): void;
  state(state: State): void;
  refused(text: string): void;
  lost(): void;
}

/** The websocket to the server: opened on demand, never behind the person's back. */
export class Connection {
  private socket: WebSocket | undefined;

  constructor(private readonly listener: Listener) {}

  open(): void {
    this.socket?.close();
    const address = new URL('api/game', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    this.socket = socket;
    // A socket that another has replaced has nothing to say any more.
    const current = (): boolean => this.socket === socket;
    socket.onopen = () => current() && this.listener.opened();
    socket.onclose = () => current() && this.listener.lost();
    socket.onmessage = event => {
      if (!current()) return;
      const message = JSON.parse(event.data as string) as State | Refusal;
      if (message.type === 'state') this.listener.state(message);
      else this.listener.refused(message.text);
    };
  }

  send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    else this.listener.lost();
  }
}
