import type { SideStore } from '../../../stores/side/port.ts';
import type { CatchUp, CatchUpOptions, Joining } from '../catch-up.ts';
import { nameOf, type AnyProjection } from '../read-model.ts';
import {
  keptGeneration,
  newGeneration,
  type OpenGeneration,
  type OpenedGenerations,
  type ResumedGeneration,
} from './generations.ts';
import type { IndependentFold } from './independent-fold.ts';
import { KeptGenerations } from './kept-generations.ts';
import { tellEnd } from './rebuild-events.ts';
import { rebuildNotes, type RebuildNote, type RebuildNotes } from './rebuild-notes.ts';
import { ProgressNotes, type TrackedRebuild } from './rebuild-progress.ts';
import type { RebuildRequest, RebuildRequests } from './rebuild-requests.ts';
import type { Tail } from '../tail.ts';
import { DiffersFromLog, sampleOf, verifySample, verifyWhole, type Verified } from './verification.ts';

interface RebuildsOptions extends CatchUpOptions {
  readonly side: SideStore;
  readonly projections: readonly AnyProjection[];
  readonly epoch: number;
  readonly now: () => Date;
  readonly catchUp: CatchUp;
  readonly requests: RebuildRequests;
  /** The tail that the projection follows the log in. */
  readonly tailOf: (projection: AnyProjection) => Tail;
  /** The served generations, by stored name. */
  readonly serving: Map<string, OpenGeneration>;
}

/** A rebuild under way. */
interface Build extends OpenGeneration, TrackedRebuild {
  /** Undefined when it goes on where an earlier projector was. */
  readonly sample: IndependentFold | undefined;
  readonly joining: Joining;
  events: number;
  isCancelled: boolean;
  state: RebuildNote['state'];
  verified: Verified | undefined;
}

/** The rebuild was cancelled in the middle of its last steps. */
class Cancelled extends Error {}

/** Builds new generations beside those that serve, verifies them, and switches to them. */
export class Rebuilds {
  readonly #options: RebuildsOptions;
  readonly #notes: RebuildNotes;
  readonly #kept: KeptGenerations;
  readonly #builds = new Map<AnyProjection, Build>();
  /** Cancelled after they were asked for and before they began. */
  readonly #cancelledEarly = new Set<AnyProjection>();
  readonly #progress: ProgressNotes;

  constructor(options: RebuildsOptions) {
    this.#options = options;
    this.#notes = rebuildNotes(options.side);
    this.#progress = new ProgressNotes(this.#notes, options.tasks);
    this.#kept = new KeptGenerations({
      ...options,
      notes: this.#notes,
      isWanted: (name, generation) =>
        [...this.#builds.values()].some(
          (each) => nameOf(each.projection) === name && each.generation === generation,
        ),
    });
  }

  /** Goes on with what an earlier projector left, and begins what it did not begin. */
  start(opened: OpenedGenerations, requests: ReadonlyMap<AnyProjection, RebuildRequest>): void {
    const { tasks } = this.#options;
    const { resumed, outdated, untold } = opened;
    for (const { request, generation } of untold)
      tasks.start(() => this.#tellSwitched(request, { generation }));
    for (const each of resumed)
      if (!requests.has(each.projection)) this.#options.requests.began(each.projection);
    for (const projection of outdated) this.#options.requests.began(projection);
    const goingOn = new Set([
      ...resumed.map(({ projection }) => projection),
      ...untold.map(({ request }) => request.projection),
    ]);
    const begun = [...requests.values()].filter(({ projection }) => !goingOn.has(projection));
    for (const together of Map.groupBy(resumed, deferredOf).values())
      tasks.start(() => this.#resume(together, requests));
    const fresh = [...begun, ...outdated.map((projection) => ({ projection }))];
    for (const together of Map.groupBy(fresh, deferredOf).values()) tasks.start(() => this.#build(together));
    tasks.start(() => this.#kept.watch(this.#options.projections.map(nameOf)));
  }

  /** Begins what was asked for. Deferred read models are built apart, so that the others do not wait for them. */
  begin(requests: readonly RebuildRequest[]): void {
    for (const together of Map.groupBy(requests, deferredOf).values())
      this.#options.tasks.start(() => this.#build(together));
  }

  cancel(projection: AnyProjection): void {
    const build = this.#builds.get(projection);
    // Not begun yet: it is seen there that it was cancelled.
    if (!build) this.#cancelledEarly.add(projection);
    else {
      build.isCancelled = true;
      this.#options.tasks.start(() => this.#options.catchUp.leave(build.joining));
    }
  }

  async #resume(
    resumed: readonly ResumedGeneration[],
    requests: ReadonlyMap<AnyProjection, RebuildRequest>,
  ): Promise<void> {
    const builds = resumed.map((each) => this.#building(each, requests.get(each.projection), each.note));
    await this.#options.catchUp.run(builds.map(({ joining }) => joining));
  }

  /** Builds new generations in one pass over the log. */
  async #build(wanted: readonly (RebuildRequest | { readonly projection: AnyProjection })[]): Promise<void> {
    const { documents, epoch } = this.#options;
    const joining: Joining[] = [];
    for (const each of wanted) {
      const { projection } = each;
      const request = 'id' in each ? each : undefined;
      const made = await this.#retried(projection, async () => {
        const parts = { documents, notes: this.#notes, epoch };
        if (request?.back) return (await keptGeneration(parts, projection)) ?? ('none kept' as const);
        return newGeneration(parts, projection);
      });
      if (made === undefined) return;
      if (request && made === 'none kept') {
        this.#cancelledEarly.delete(projection);
        await this.#end(request, { reason: 'No earlier generation is kept.' });
        continue;
      }
      const build = this.#building(made as OpenGeneration, request);
      joining.push(build.joining);
      await this.#retried(projection, () => this.#progress.note(build));
    }
    await this.#options.catchUp.run(joining);
  }

  #building(made: OpenGeneration, request: RebuildRequest | undefined, note?: RebuildNote): Build {
    const { projection, writer, generation } = made;
    const sample = note || request?.back || request?.full ? undefined : sampleOf(projection);
    const build: Build = {
      projection,
      writer,
      generation,
      request,
      since: note?.since ?? this.#options.now().toISOString(),
      sample,
      joining: {
        member: {
          projection,
          writer,
          onFolded: (events, upTo) => {
            build.events += events.length;
            for (const event of events) sample?.take(event.projected);
            sample?.advance(upTo);
          },
        },
        work: 'rebuilding',
        join: () => this.#join(build),
        isWanted: () => !build.isCancelled,
        abandon: () => this.#abandon(build),
      },
      events: note?.events ?? 0,
      isCancelled: this.#cancelledEarly.delete(projection),
      state: 'building',
      verified: undefined,
    };
    this.#builds.set(projection, build);
    this.#progress.track(build);
    return build;
  }

  /**
   * Verifies the new generation, and switches to it. The tail waits during the switch, so that no reader sees older data
   * than before. When the switch fails, the old generation stays.
   */
  async #join(build: Build): ReturnType<Joining['join']> {
    const { documents, epoch, serving, failures } = this.#options;
    const { projection, writer, generation, request } = build;
    const name = nameOf(projection);
    const tail = this.#options.tailOf(projection);
    const old = serving.get(name);
    try {
      if (!request?.back) build.verified ??= await this.#verify(build);
      const isApart = old && !tail.members.includes(old);
      if (isApart && old.writer.checkpoint > writer.checkpoint) return 'behind';
      const member: OpenGeneration = { projection, writer, generation };
      const keepMs = request?.keepMs ?? 0;
      const serve = async () => {
        if (build.isCancelled) throw new Cancelled();
        if (old && keepMs > 0) await this.#kept.keep(name, old.generation, keepMs);
        await documents.serve(name, generation, epoch, old && keepMs > 0 ? [old.generation] : []);
        serving.set(name, member);
      };
      if (!(await tail.admit(member, serve))) return 'behind';
    } catch (error) {
      if (error instanceof Cancelled) await this.#abandon(build);
      else if (error instanceof DiffersFromLog) await this.#stop(build, error);
      else throw error;
      return 'given up';
    }
    await failures.clear(name, 'following');
    if (request?.back && request.keepMs === 0) await this.#kept.forget(name);
    this.#forget(build);
    if (request) await this.#tellSwitched(request, { generation, ...build.verified });
    else {
      await this.#retried(projection, () => this.#notes.building.delete(name));
      this.#options.requests.ended(projection);
    }
    return 'joined';
  }

  async #verify(build: Build): Promise<Verified> {
    const { store } = this.#options;
    build.state = 'verifying';
    await this.#progress.note(build);
    const rest = async () => {
      if (build.isCancelled) throw new Cancelled();
    };
    const parts = { store, projection: build.projection, writer: build.writer, rest };
    if (build.request?.full) return verifyWhole(parts);
    return verifySample(parts, build.sample ?? sampleOf(build.projection));
  }

  #tellSwitched(
    request: RebuildRequest,
    data: { readonly generation: number } & Partial<Verified>,
  ): Promise<void> {
    return this.#tellEnd(request, { type: 'GenerationSwitched', data });
  }

  /** The new generation is wrong: it is dropped, and nothing is tried again before somebody asks for it. */
  async #stop(build: Build, error: DiffersFromLog): Promise<void> {
    const { projection, request } = build;
    await this.#drop(build);
    await this.#options.failures.note(nameOf(projection), 'rebuilding', error);
    const { document } = error;
    if (request) await this.#end(request, { reason: error.message, ...(document ? { document } : {}) });
    else this.#options.requests.ended(projection);
  }

  /** Somebody cancelled it, and the log says so. */
  async #abandon(build: Build): Promise<void> {
    const { projection, request } = build;
    await this.#drop(build);
    await this.#retried(projection, () => this.#options.failures.clear(nameOf(projection), 'rebuilding'));
    this.#options.requests.ended(projection, request?.position);
  }

  async #drop(build: Build): Promise<void> {
    const { projection, generation } = build;
    const { documents, epoch } = this.#options;
    const name = nameOf(projection);
    this.#forget(build);
    await this.#retried(projection, async () => {
      await this.#notes.building.delete(name);
      // A kept generation stays kept when nobody wants it back after all.
      if ((await this.#notes.kept.get(name))?.generation !== generation)
        await documents.drop(name, generation, epoch);
    });
  }

  #forget(build: Build): void {
    this.#progress.untrack(build);
    if (this.#builds.get(build.projection) === build) this.#builds.delete(build.projection);
  }

  #end(
    request: RebuildRequest,
    data: { readonly reason: string; readonly document?: string },
  ): Promise<void> {
    return this.#tellEnd(request, { type: 'RebuildCancelled', data });
  }

  async #tellEnd(request: RebuildRequest, end: Parameters<typeof tellEnd>[2]): Promise<void> {
    const { store, now, requests } = this.#options;
    const { projection } = request;
    const position = await this.#retried(projection, () => tellEnd(store, request, end, now()));
    await this.#retried(projection, () => this.#notes.building.delete(nameOf(projection)));
    requests.ended(projection, position);
  }

  #retried<Result>(projection: AnyProjection, attempt: () => Promise<Result>): Promise<Result | undefined> {
    return this.#options.tasks.retried(() => [nameOf(projection)], 'rebuilding', attempt);
  }
}

const deferredOf = ({ projection }: { readonly projection: AnyProjection }): boolean =>
  projection.deferred ?? false;
