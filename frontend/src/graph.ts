import { MARKS, moveNumber } from './moves';
import type { Judged } from './judgement';
import { element, make, points as asPoints } from './page';

const SVG = 'http://www.w3.org/2000/svg';

export interface Curve {
  judged: Judged[];
  worst: Judged[];
  /** The game's length, of which a part may not have come yet. */
  total: number;
  /** What the first side may expect before each move and after the last, as far as it is known. */
  values: (number | null)[];
  start: string;
  side: string;
}

/** What the first side may expect over a game, as an area below a line; a click leads to that place. */
export class Graph {
  private readonly svg = document.createElementNS(SVG, 'svg');
  private readonly tip = make('output', 'tip');
  private curve: Curve | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly go: (at: number) => void,
  ) {
    this.svg.setAttribute('preserveAspectRatio', 'none');
    this.svg.setAttribute('role', 'img');
    host.append(this.svg, this.tip);
    this.tip.hidden = true;
    host.onpointerdown = event => {
      host.setPointerCapture(event.pointerId);
      this.go(this.place(event));
    };
    host.onpointermove = event => {
      if (event.buttons) this.go(this.place(event));
      this.tell(this.place(event));
    };
    host.onpointerleave = () => (this.tip.hidden = true);
  }

  draw(curve: Curve, at: number): void {
    this.curve = curve;
    const { total, values } = curve;
    const known = values.filter(value => value !== null).length;
    this.host.classList.toggle('mute', known === 0);
    this.svg.setAttribute('viewBox', `0 0 ${Math.max(total, 1)} 100`);
    this.svg.setAttribute('aria-labelledby', 'graph-name');
    element('graph-name').textContent = `${curve.side}’s expected points, smoothed`;
    const points = values.flatMap((value, ply) => (value === null ? [] : [`${ply} ${round(height(value))}`]));
    const line = points.length ? `M ${points.join(' L ')}` : '';
    const [first, end] = [points[0]?.split(' ')[0] ?? '0', points.at(-1)?.split(' ')[0] ?? '0'];
    this.svg.replaceChildren(
      path('area', line && `${line} L ${end} 100 L ${first} 100 Z`),
      path('unknown', `M ${end} 0 H ${Math.max(total, 1)} V 100 H ${end} Z`),
      path('middle', `M 0 50 H ${Math.max(total, 1)}`),
      path('line', line),
      path('place', `M ${at} 0 V 100`),
      ...curve.worst.map(({ ply, mark }) => path(`dot ${MARKS[mark] ?? 'doubtful'}`, this.dot(ply + 1, values))),
    );
  }

  private dot(at: number, values: (number | null)[]): string {
    return `M ${at} ${round(height(values[at] ?? 0.5))} h 0`; // a line of no length, with round ends
  }

  private place(event: PointerEvent): number {
    const box = this.host.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return Math.round(Math.min(Math.max(share, 0), 1) * (this.curve?.total ?? 0));
  }

  private tell(at: number): void {
    const { values, judged, start, side, total } = this.curve ?? {};
    const value = values?.[at];
    this.tip.hidden = value === null || value === undefined;
    if (this.tip.hidden || !judged || !start || !total) return;
    const made = judged[at - 1];
    const move = made ? `${moveNumber(start, at - 1)} ${made.notation}${made.mark}` : 'Beginning';
    this.tip.textContent = `${move} · ${side} ${asPoints(value ?? 0)}`;
    this.tip.style.left = `${(at / total) * 100}%`;
    this.tip.style.transform = `translateX(-${(at / total) * 100}%)`;
  }
}

function path(name: string, d: string): SVGPathElement {
  const made = document.createElementNS(SVG, 'path');
  made.setAttribute('class', name);
  made.setAttribute('d', d || 'M 0 0');
  made.setAttribute('vector-effect', 'non-scaling-stroke');
  return made;
}

/** A little room above and below, so that the line is seen at its ends. */
const height = (value: number): number => 96 - 92 * value;
const round = (value: number): number => Math.round(value * 10) / 10;
