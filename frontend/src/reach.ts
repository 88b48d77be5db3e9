/** Whether the server is there, as far as the last attempt told. */
export class Reach {
  private gone = false;
  private readonly listeners: (() => void)[] = [];

  /** `listener` is told when the server is there again. */
  onReturn(listener: () => void): void {
    this.listeners.push(listener);
  }

  lost(): void {
    this.gone = true;
  }

  /** A socket is open. An answer over HTTP would not do: where sockets fail, what goes on would be cut again at once,
   *  and so on. */
  joined(): void {
    if (!this.gone) return;
    this.gone = false;
    for (const listener of this.listeners) listener();
  }
}
