/** Tells how many bytes have come of how many; of none when all are here. */
export type Progress = (done: number, total: number) => void;

/** Large files, which take a while to come. */
export class Downloads {
  private running = 0;
  private done = 0;
  private total = 0;

  constructor(private readonly tell: Progress) {}

  /** `size`: of the file as it is kept; on its way it may be packed. */
  async fetch(url: URL, size: number): Promise<Uint8Array<ArrayBuffer>> {
    this.running += 1;
    this.total += size;
    this.tell(this.done, this.total);
    try {
      const answer = await fetch(url);
      if (!answer.ok || !answer.body) throw new Error(`the server answers ${answer.status}`);
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, out) => {
          this.tell((this.done += piece.length), this.total);
          out.enqueue(piece);
        },
      });
      return new Uint8Array(await new Response(answer.body.pipeThrough(counted)).arrayBuffer());
    } finally {
      this.running -= 1;
      if (!this.running) this.tell((this.done = 0), (this.total = 0));
    }
  }
}
