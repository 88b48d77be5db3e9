/** A net in an .onnx file, run by onnxruntime-web: the file takes rows and contains the encoding. */
import type * as Runtime from 'onnxruntime-common';

import type { Downloads } from './downloads';
import type { Position, Row } from './games/base';
import type { NetAbout, Sized } from './manifest';
import { Refused } from './refused';

const ARRAYS = { int8: Int8Array, int16: Int16Array } as const;
/** What stands in a row of the past before the first move. */
const NO_MOVE = -1;

/** What a net answers for one position, by output. */
export type Answer = Record<string, Float32Array>;

/** onnxruntime is no part of the page's own build: `zeroply serve --static` puts it into this folder. */
async function loadRuntime({ file, size }: Sized, downloads: Downloads): Promise<typeof Runtime> {
  const wasm = new URL(file, self.location.href);
  const [runtime, binary] = await Promise.all([
    import(/* @vite-ignore */ new URL('ort.wasm.bundle.min.js', wasm).href) as Promise<typeof Runtime>,
    downloads.fetch(wasm, size),
  ]);
  runtime.env.wasm.numThreads = 1; // more would need headers that plain file servers do not send
  runtime.env.wasm.wasmBinary = binary.buffer;
  return runtime;
}

let runtime: Promise<typeof Runtime> | undefined;
/** The end of the last run: onnxruntime-web does one thing at a time. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

export class Net {
  private constructor(
    private readonly runtime: typeof Runtime,
    private readonly session: Runtime.InferenceSession,
  ) {}

  static async load({ file, size }: NetAbout, wasm: Sized, downloads: Downloads): Promise<Net> {
    try {
      runtime ??= loadRuntime(wasm, downloads);
      const [loaded, bytes] = await Promise.all([runtime, downloads.fetch(new URL(file, self.location.href), size)]);
      const session = await inTurn(() => loaded.InferenceSession.create(bytes, { executionProviders: ['wasm'] }));
      return new Net(loaded, session);
    } catch (error) {
      runtime = undefined; // another try may find it
      const why = error instanceof Error ? error.message : String(error);
      throw new Refused(`${file} cannot be loaded: ${why}. Load this page again`);
    }
  }

  /** These outputs for each position, with what the net is told of the players; all in one batch. */
  async run(positions: readonly Position[], told: Readonly<Record<string, number>>, outputs: readonly string[]): Promise<Answer[]> {
    const inputs = this.session.inputMetadata.filter(input => input.isTensor);
    const feeds = Object.fromEntries(
      inputs.map(({ name, type, shape }) => {
        const width = shape[1];
        const rows = positions.map(position => columns(position, told, typeof width === 'number' ? width : 0)[name]);
        const values = rows.flatMap(row => row ?? fail(`the net reads '${name}', which no position has`));
        const made = ARRAYS[type as keyof typeof ARRAYS] ?? fail(`the net reads '${name}' as ${type}`);
        const dimensions = [positions.length, ...shape.slice(1).map(Number)];
        return [name, new this.runtime.Tensor(type as 'int8', made.from(values) as Int8Array, dimensions)];
      }),
    );
    const found = await inTurn(() => this.session.run(feeds, [...outputs]));
    return positions.map((_, place) =>
      Object.fromEntries(
        outputs.map(name => {
          const { data, dims } = found[name] ?? fail(`the net does not return '${name}'`);
          const size = dims.slice(1).reduce((product, length) => product * length, 1);
          return [name, Float32Array.from((data as Float32Array).subarray(place * size, (place + 1) * size))];
        }),
      ),
    );
  }
}

/** All columns of a row; `width` is that of the one asked for, by which the past knows how far it goes back. */
function columns(position: Position, told: Readonly<Record<string, number>>, width: number): Row {
  const players = Object.fromEntries(Object.entries(told).map(([name, value]) => [name, [value]]));
  const padded = [...Array.from({ length: width }, () => NO_MOVE), ...position.moves];
  return { ...position.row(), ...players, past: padded.slice(position.moves.length) };
}

function fail(text: string): never {
  throw new Error(text);
}
