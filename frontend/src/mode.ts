/** What a person does with the page: play a game, or look at one that was played. */
export interface Mode {
  /** How many moves there are to step through, and how many of them are on the board. */
  readonly length: number;
  readonly at: number;
  go(at: number): void;
  /** Puts all that belongs to it on the page. */
  show(): void;
  /** The position on the board and the game, to copy and keep. */
  fen(): string;
  record(): { game: string; text: string } | undefined;
  /** What a person pasted somewhere on the page. */
  pasted(text: string): void;
}
