/** Whether the server answers, as far as the last attempt told. */
export class Reach {
  private gone = false;
  private readonly listeners: (() => void)[] = [];

  /** `listener` is told when there are answers again after there were none. */
  onReturn(listener: () => void): void {
    this.listeners.push(listener);
  }

  lost(): void {
    this.gone = true;
  }

  answered(): void {
    if (!this.gone) return;
    this.gone = false;
    // Later, when whoever asked has the answer that came: it need not be asked for again.
    for (const listener of this.listeners) setTimeout(listener);
  }
}
