import { Board } from './board';
import { element, make } from './page';
import type { Candidate } from './protocol';
import type { Scene } from './scene';
import { Squares } from './squares';

/** Who sits at one side of the board. */
export interface Seat {
  name: string;
  detail: string;
}

type Moved = (from: string, to: string) => void;

/** What is painted on the squares, and who is told of a square that is chosen. */
export interface Painting {
  values: number[];
  chosen: number | undefined;
  choose: (square: number) => void;
}

/** The board with what is drawn on it, and the seats above and below. */
export class Table {
  private board: Board | undefined;
  private scene: Scene | undefined;
  private seats: [Seat, Seat] | undefined;
  /** Whether the person turned the board; else the scene's side sits below. */
  private flipped = false;
  private arrows: Candidate[] = [];
  private painting: Painting | undefined;
  private squares: { layer: Squares; drawn: string } | undefined;

  constructor(private readonly moved: Moved) {}

  seat(seats: [Seat, Seat]): void {
    this.seats = seats;
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Another game begins: its side sits below. */
  unflip(): void {
    this.flipped = false;
  }

  show(scene: Scene): void {
    if (scene.fen !== this.scene?.fen) this.arrows = []; // they belong to another position
    if (scene.shape !== this.scene?.shape) this.painting = undefined;
    this.scene = scene;
    this.draw();
  }

  point(arrows: Candidate[]): void {
    this.arrows = arrows;
    this.draw();
  }

  /** Puts a piece back that the person moved. */
  takeBack(): void {
    this.board?.takeBack();
    this.draw();
  }

  /** While squares are painted, the board is for looking: a slip must not make a move. */
  paint(painting: Painting | undefined): void {
    this.painting = painting;
    this.draw();
  }

  private draw(): void {
    const scene = this.scene;
    if (!scene) return;
    if (this.board?.shape !== scene.shape) this.lay(scene);
    const facing = this.flipped ? 1 - scene.side : scene.side;
    this.board?.show(this.painting ? { ...scene, legal: [] } : scene, facing, this.painting ? [] : this.arrows);
    this.drawPainting(scene, facing);
    this.drawSeats(scene, facing);
  }

  private lay({ shape }: Scene): void {
    this.board?.remove();
    const root = document.documentElement;
    root.dataset.game = shape.name;
    root.style.setProperty('--files', String(shape.files));
    root.style.setProperty('--ranks', String(shape.ranks));
    const host = make('div', 'host');
    element('board').replaceChildren(make('div', 'squares', host));
    this.squares = undefined;
    this.board = new Board(host, shape, this.moved);
  }

  private drawPainting({ shape }: Scene, facing: number): void {
    const host = element('board').firstElementChild as HTMLElement;
    const wanted = this.painting ? `${shape.name} ${facing}` : undefined;
    if (this.squares && this.squares.drawn !== wanted) {
      for (const layer of host.querySelectorAll('.heat, .picker')) layer.remove();
      this.squares = undefined;
    }
    if (!this.painting || !wanted) return;
    this.squares ??= { layer: new Squares(host, shape, facing, square => this.painting?.choose(square)), drawn: wanted };
    this.squares.layer.paint(this.painting.values, this.painting.chosen);
  }

  private drawSeats({ shape }: Scene, facing: number): void {
    for (const [place, side] of [['seat-below', facing], ['seat-above', 1 - facing]] as const) {
      const [disc, name, detail] = element(place).children as unknown as HTMLElement[];
      const seat = this.seats?.[side];
      if (!disc || !name || !detail || !seat) continue;
      disc.dataset.side = shape.sides[side];
      name.textContent = seat.name;
      detail.textContent = seat.detail;
      [name.title, detail.title] = [seat.name, seat.detail]; // of which the end may be cut off
    }
  }
}
