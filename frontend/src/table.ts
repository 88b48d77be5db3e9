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
  /** The side at the bottom: 0 is who moves first. */
  private facing = 0;
  private arrows: Candidate[] = [];
  private painting: Painting | undefined;
  private squares: { layer: Squares; drawn: string } | undefined;

  constructor(private readonly moved: Moved) {}

  seat(seats: [Seat, Seat]): void {
    this.seats = seats;
  }

  /** Who sits below from the next scene on. */
  face(side: number): void {
    this.facing = side;
  }

  flip(): void {
    this.facing = 1 - this.facing;
    this.draw();
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

  /** While squares are painted, the board is for looking: a slip must not make a move. */
  paint(painting: Painting | undefined): void {
    this.painting = painting;
    this.draw();
  }

  draw(): void {
    const scene = this.scene;
    if (!scene) return;
    if (this.board?.shape !== scene.shape) this.lay(scene);
    this.board?.show(this.painting ? { ...scene, legal: [] } : scene, this.facing, this.painting ? [] : this.arrows);
    this.drawPainting(scene);
    this.drawSeats(scene);
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

  private drawPainting({ shape }: Scene): void {
    const host = element('board').firstElementChild as HTMLElement;
    const wanted = this.painting ? `${shape.name} ${this.facing}` : undefined;
    if (this.squares && this.squares.drawn !== wanted) {
      for (const layer of host.querySelectorAll('.heat, .picker')) layer.remove();
      this.squares = undefined;
    }
    if (!this.painting || !wanted) return;
    this.squares ??= { layer: new Squares(host, shape, this.facing, square => this.painting?.choose(square)), drawn: wanted };
    this.squares.layer.paint(this.painting.values, this.painting.chosen);
  }

  private drawSeats({ shape }: Scene): void {
    for (const [place, side] of [['seat-below', this.facing], ['seat-above', 1 - this.facing]] as const) {
      const [disc, name, detail] = element(place).children as unknown as HTMLElement[];
      const seat = this.seats?.[side];
      if (!disc || !name || !detail || !seat) continue;
      disc.dataset.side = shape.sides[side];
      name.textContent = seat.name;
      detail.textContent = seat.detail;
    }
  }
}
