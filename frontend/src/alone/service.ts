/** What the server's API does, done here: the same questions, the same answers. */
import type { AnalysisPart, AnalysisQuestion, Attention, AttentionQuestion, Models, NewGame, Prediction, Question, Request, State } from '../protocol';
import { usualTemperature } from '../usual';
import { analysis } from './analysis';
import { attention } from './attention';
import type { Downloads } from './downloads';
import { Duel } from './duel';
import { type Game, follow } from './games/base';
import { gameNamed } from './games';
import type { Persona } from './glance';
import { look } from './look';
import { type Manifest, type NetAbout, type Sized, readManifest } from './manifest';
import { Net } from './net';
import { readPasted } from './pasted';
import { knownRating } from './ratings';
import { Refused } from './refused';

export class Service {
  private manifest: Promise<Manifest> | undefined;
  private readonly nets = new Map<string, Promise<Net>>();

  constructor(private readonly downloads: Downloads) {}

  async models(): Promise<Models> {
    this.manifest ??= readManifest();
    const { version, models, games } = await this.manifest;
    return { version, models, games };
  }

  async predict({ top = 5, ...question }: Partial<Question> & { top?: number }): Promise<Prediction> {
    const { game, persona } = await this.asked(question.model, question.rating);
    const position = follow(game.start(question.fen), question.moves ?? []);
    if (!position.legal().length) throw new Refused(`there is nothing to play in ${position.fen()}: ${position.end?.reason}`);
    const [glance] = await look(persona, [position]);
    const { moves, probabilities, wdl, expected } = glance!;
    const shown = moves.slice(0, top).map((move, place) => ({
      move: game.table.name(move),
      notation: position.notation(move),
      probability: probabilities[place]!,
    }));
    return { moves: shown, wdl, expected };
  }

  async attention(question: Partial<Question> & Pick<AttentionQuestion, 'layer' | 'head'>): Promise<Attention> {
    const { game, persona } = await this.asked(question.model, question.rating);
    const position = follow(game.start(question.fen), question.moves ?? []);
    return attention(game, persona, position, question.layer, question.head);
  }

  async *analyse({ model, record, rating }: AnalysisQuestion): AsyncGenerator<AnalysisPart> {
    const { game, persona } = await this.asked(model, rating);
    const pasted = readPasted(game, record);
    if (!pasted.moves.length) throw new Refused('it has no moves. Paste a game');
    yield* analysis(game, persona, pasted);
  }

  /** What the person asks for in a game, and what comes of it: a new one, or the same with a change. */
  async *play(duel: Duel | undefined, request: Request): AsyncGenerator<{ duel: Duel; state: State }> {
    const played = request.type === 'new' ? await this.begin(request) : duel;
    if (!played) throw new Refused("there is no game yet. Send a message of type 'new' first");
    if (request.type === 'move') played.play(request.move);
    if (request.type === 'undo') played.undo();
    if (request.type === 'resign') played.resign();
    yield { duel: played, state: played.state() };
    if (!played.awaitsNet) return;
    await played.reply();
    yield { duel: played, state: played.state() };
  }

  private async begin(request: NewGame): Promise<Duel> {
    const { game, persona } = await this.asked(request.model, request.rating);
    const pasted = request.record ? readPasted(game, request.record) : undefined;
    const start = pasted?.start ?? game.start(request.fen);
    const moves = pasted?.moves ?? follow(start, request.moves ?? []).moves;
    const temperature = request.temperature ?? usualTemperature(request.rating);
    return new Duel({ game, persona, temperature, side: sideNamed(game, request.side) }, start, moves);
  }

  /** The model by its name, the first where none is named; its net begins to load. */
  private async asked(name: string | undefined, rating: number | undefined): Promise<{ game: Game; persona: Persona }> {
    this.manifest ??= readManifest();
    const { models, nets, wasm } = await this.manifest;
    const model = models.find(known => known.name === (name ?? models[0]?.name));
    const about = model && nets[model.name];
    if (!model || !about) throw new Refused(`there is no model '${name}' here. Known: ${models.map(known => known.name).join(', ')}`);
    const known = knownRating(model, rating ?? null);
    const net = (): Promise<Net> => this.net(model.name, about, wasm);
    void net(); // begins to load
    return { game: gameNamed(model.game), persona: { model, about, net, rating: known } };
  }

  private net(name: string, about: NetAbout, wasm: Sized): Promise<Net> {
    const known = this.nets.get(name);
    if (known) return known;
    const loading = Net.load(about, wasm, this.downloads);
    this.nets.set(name, loading);
    loading.catch(() => this.nets.delete(name)); // another try may find it; once for each, or it would drop that
    return loading;
  }
}

/** 0 for who moves first; a name is one of the game's, or "random". */
function sideNamed(game: Game, wanted: string | undefined): number {
  const names = game.sides.map(name => name.toLowerCase());
  if (wanted === 'random') return Math.floor(2 * Math.random());
  const side = wanted === undefined ? 0 : names.indexOf(wanted);
  if (side < 0) throw new Refused(`'${wanted}' is no side of ${game.name}. Known: ${names.join(', ')}, random`);
  return side;
}
