import { setTimeout as sleep } from 'node:timers/promises';
import { projectionStream } from '../../events/projection.ts';
import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { newEvent } from '../../events/new-event.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CollectionWriter, Documents } from '../../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { StoreError } from '../../stores/errors.ts';
import type { Leases } from '../../stores/leases/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { nameOf, projected, type AnyProjection } from './define.ts';
import { countForeignEvents } from './foreign-events.ts';
import { CannotFold, run } from './runner.ts';

/** Why a projection stands still; kept until it moves again. */
export interface ProjectionFailure {
  /** For operators: it may name streams. */
  readonly error: string;
  readonly since: string;
  /** The type of the event that cannot be folded, where that is why. */
  readonly event?: string;
  /** Whether a newer release has written it. */
  readonly unknown?: boolean;
}

export const failuresTable = 'projection-failures';

/** The lease under which one projection runs: on one node of all that share the stores. */
export const leaseOf = (projection: AnyProjection): string => `projection-${nameOf(projection)}`;

const longestWaitMs = 60_000;

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly projections: readonly AnyProjection[];
  readonly signal: AbortSignal;
  /** Told what cannot be written down beside the failure itself, as the stores are away. */
  readonly onFault?: (what: string, error: unknown) => void;
  readonly now?: () => Date;
  /** First wait after a failure; it doubles up to a minute. */
  readonly retryMs?: number;
}

/**
 * Runs every projection of which it gets the lease. Each runs for itself; one that fails stands still, says so,
 * and tries again, and the others go on. Who loses a lease stops that projection and waits for it again.
 * Resolves when the signal aborts.
 *
 * @throws StoreError replaced, when the read models' files were exchanged under us
 */
export async function project(options: ProjectorOptions): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const turns = options.projections.map((projection) => turnByTurn({ ...options, signal }, projection));
  try {
    await Promise.all(turns);
  } finally {
    stop.abort();
    await Promise.allSettled(turns);
  }
}

/** Runs one projection for as long as its lease is ours, again and again. */
async function turnByTurn(options: ProjectorOptions, projection: AnyProjection): Promise<void> {
  while (!options.signal.aborted) {
    const lease = await options.leases.acquire(leaseOf(projection), options.signal);
    if (!lease) return;
    const signal = AbortSignal.any([options.signal, lease.lost]);
    try {
      await new Life({ ...options, signal, epoch: lease.epoch }, projection).live();
    } finally {
      // Whoever gets the lease next must not find this one still writing.
      await lease.release();
    }
  }
}

interface LifeOptions extends ProjectorOptions {
  /** Of the lease: a store with several machines refuses an older one. */
  readonly epoch: number;
}

/** The life of one read model: the generation that serves, and at times one being built beside it. */
class Life {
  readonly #options: LifeOptions;
  /** Aborts when somebody else was seen to hold our lease, of which we had not heard. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  readonly #projection: AnyProjection;
  readonly #name: string;
  #serving:
    | {
        readonly writer: CollectionWriter<object>;
        readonly stop: AbortController;
        readonly ended: Promise<void>;
      }
    | undefined;

  constructor(options: LifeOptions, projection: AnyProjection) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#over.signal]);
    this.#projection = projection;
    this.#name = nameOf(projection);
  }

  async live(): Promise<void> {
    const fatal = new Promise<never>((_, reject) => {
      this.#fatal = reject;
    });
    await Promise.race([this.#live(), fatal]);
  }

  #fatal: (error: unknown) => void = () => undefined;

  async #live(): Promise<void> {
    const signal = this.#signal;
    await this.#keepTrying(() => this.#start(), signal);
    await this.#keepTrying(() => this.#watch(), signal);
    await this.#serving?.ended;
  }

  /** Rebuilds when somebody asks for it, or has asked a process that did not live to do it. */
  async #watch(): Promise<void> {
    const { store } = this.#options;
    const signal = this.#signal;
    const stream = streamName(projectionStream, this.#name);
    const asked = (event: RecordedEvent) =>
      event.stream === stream && projected(event).type === 'RebuildStarted';
    const from = await store.head();
    const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (newest && newest.position <= from && asked(newest)) await this.#rebuild();
    for await (const batch of store.subscribe({
      after: from,
      filter: { streamPrefixes: [stream] },
      signal,
    })) {
      if (batch.events.some(asked)) await this.#rebuild();
    }
  }

  async #start(): Promise<void> {
    const { documents, epoch } = this.#options;
    const { collection, version } = this.#projection;
    await this.#dropUnfinished();
    const { serving } = await documents.generations(this.#name);
    if (serving?.version === version) {
      this.#serve(await documents.writer(collection, serving.generation, epoch));
      return;
    }
    const { generation } = await documents.build(collection, version, epoch);
    await documents.serve(this.#name, generation, epoch);
    this.#serve(await documents.writer(collection, generation, epoch));
  }

  /** Runs the serving generation from now on, in the background. */
  #serve(writer: CollectionWriter<object>): void {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    let finished = false;
    const ended = this.#keepTrying(
      () =>
        run(this.#projection, {
          store: this.#options.store,
          writer,
          signal,
          // The one that is shown everything meets what is not ours.
          ...(this.#projection.events
            ? {}
            : { onBatch: ({ passedOver }) => countForeignEvents(this.#options.side, passedOver) }),
          onCaughtUp: async () => {
            if (!finished) await writer.finish();
            finished = true;
            await this.#well();
          },
        }),
      signal,
    );
    this.#serving = { writer, stop, ended };
  }

  /** Builds a new generation from the first event while the old one serves, and then lets it take over. */
  async #rebuild(): Promise<void> {
    const { documents, epoch } = this.#options;
    const signal = this.#signal;
    const { collection, version } = this.#projection;
    let switched: number | undefined;
    await this.#keepTrying(async () => {
      await this.#dropUnfinished();
      const { generation } = await documents.build(collection, version, epoch);
      const writer = await documents.writer(collection, generation, epoch);
      await this.#catchUp(writer);
      if (signal.aborted) return;
      await writer.finish();
      await this.#catchUp(writer);
      if (await this.#takeOver(writer, generation)) switched = generation;
    }, signal);
    const generation = switched;
    if (generation !== undefined) await this.#keepTrying(() => this.#tellSwitched(generation), signal);
  }

  async #dropUnfinished(): Promise<void> {
    const { documents, epoch } = this.#options;
    const { building } = await documents.generations(this.#name);
    for (const { generation } of building) await documents.drop(this.#name, generation, epoch);
  }

  /** Folds what stands in the log. */
  async #catchUp(writer: CollectionWriter<object>): Promise<void> {
    const caughtUp = new AbortController();
    await run(this.#projection, {
      store: this.#options.store,
      writer,
      signal: AbortSignal.any([this.#signal, caughtUp.signal]),
      onCaughtUp: () => caughtUp.abort(),
    });
  }

  /**
   * Switches to a new generation. The old one stands still for the moment in which the new one comes level with
   * it, so that nobody who has seen a change ever sees the time before it again; when that fails, it goes on.
   */
  async #takeOver(writer: CollectionWriter<object>, generation: number): Promise<boolean> {
    const { documents, epoch } = this.#options;
    const signal = this.#signal;
    const old = this.#serving;
    old?.stop.abort();
    await old?.ended;
    try {
      await this.#catchUp(writer);
      if (signal.aborted) return false;
      await documents.serve(this.#name, generation, epoch);
    } catch (error) {
      if (old) this.#serve(old.writer);
      throw error;
    }
    this.#serve(writer);
    return true;
  }

  async #tellSwitched(generation: number): Promise<void> {
    const stream = streamName(projectionStream, this.#name);
    const context: CommandContext = {
      actor: { kind: 'system', id: 'projector' },
      commandId: uuidOf('generation-switched', this.#name, String(generation), crypto.randomUUID()),
      at: this.#now(),
    };
    const event = { type: 'GenerationSwitched', data: { projection: this.#name, generation } } as const;
    await this.#options.store.append(stream, [newEvent(stream, event, 0, context)], 'any');
  }

  /** Repeats work that fails, after ever longer waits, until it succeeds or the signal aborts. */
  async #keepTrying(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const first = this.#options.retryMs ?? 1_000;
    let wait = first;
    const ended = () => signal.aborted;
    while (!ended()) {
      const began = performance.now();
      try {
        await work();
        return;
      } catch (error) {
        if (ended()) return;
        if (error instanceof StoreError && error.code === 'replaced') this.#fatal(error);
        if (error instanceof StoreError && error.code === 'fenced') {
          this.#over.abort();
          return;
        }
        await this.#unwell(error);
        // What has worked for long fails for a new reason.
        if (performance.now() - began > longestWaitMs) wait = first;
        await sleep(wait, undefined, { signal }).catch(() => undefined);
        wait = Math.min(wait * 2, longestWaitMs);
      }
    }
  }

  async #unwell(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    try {
      const failures = this.#options.side.table<ProjectionFailure>(failuresTable);
      const known = await failures.get(this.#name);
      await failures.put(this.#name, {
        error: message,
        since: known?.since ?? this.#now().toISOString(),
        ...(error instanceof CannotFold ? { event: error.eventType, unknown: error.isUnknown } : {}),
      });
    } catch (away) {
      // Where it would be written down is away as well, and that is most likely why.
      this.#options.onFault?.(`projection ${this.#name}`, error);
      if (!(away instanceof StoreError)) throw away;
    }
  }

  async #well(): Promise<void> {
    const failures = this.#options.side.table<ProjectionFailure>(failuresTable);
    if (await failures.get(this.#name)) await failures.delete(this.#name);
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}
