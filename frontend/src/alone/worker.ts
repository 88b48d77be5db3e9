/** Rules and nets, beside the page: a look takes long enough for a page that took it itself to stutter. */
import { Downloads } from './downloads';
import type { Duel } from './duel';
import { Refused } from './refused';
import { Service } from './service';
import type { FromWorker, ToWorker } from './wire';

const duels = new Map<number, Duel>();
/** Analyses under way for which somebody waits. */
const awaited = new Set<number>();
/** By game, the end of its last request: they are answered one after the other. */
const turns = new Map<number, Promise<void>>();

const say = (message: FromWorker): void => self.postMessage(message);
const service = new Service(new Downloads((done, total) => say({ done, total })));

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('game' in data) turns.set(data.game, (turns.get(data.game) ?? Promise.resolve()).then(() => play(data)));
  else void answer(data);
};

async function play({ game, request }: Extract<ToWorker, { game: number }>): Promise<void> {
  if (!request) {
    duels.delete(game);
    turns.delete(game);
    return;
  }
  try {
    for await (const { duel, state } of service.play(duels.get(game), request)) {
      duels.set(game, duel);
      say({ game, message: state });
    }
  } catch (error) {
    say({ game, message: { type: 'error', text: words(error) } });
  }
}

async function answer(asked: Exclude<ToWorker, { game: number }>): Promise<void> {
  const { call } = asked;
  try {
    switch (asked.ask) {
      case 'models':
        return say({ call, answer: await service.models() });
      case 'predict':
        return say({ call, answer: await service.predict(asked.question) });
      case 'attention':
        return say({ call, answer: await service.attention(asked.question) });
      case 'stop':
        return void awaited.delete(call);
      case 'analyse':
        awaited.add(call);
        for await (const part of service.analyse(asked.question)) {
          if (!awaited.has(call)) return;
          say({ call, part });
        }
        return say({ call, answer: undefined });
    }
  } catch (error) {
    say({ call, problem: words(error) });
  } finally {
    awaited.delete(call);
  }
}

/** What is refused is said as it is; all else is a flaw of ours, and says so. */
function words(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return `this page failed: ${error instanceof Error ? error.message : String(error)}. Load it again`;
}
