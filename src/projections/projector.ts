import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectionEvent } from '../events/projection.ts';
import { projectionStream } from '../events/projection.ts';
import { upcast } from '../events/catalogue.ts';
import { streamName } from '../events/define.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import { uuidOf } from '../events/ids.ts';
import type { CollectionWriter, Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { StoreError } from '../stores/errors.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import { nameOf, type AnyProjection } from './define.ts';
import { run } from './runner.ts';

/** Why a projection stands still; kept until it moves again. */
export interface ProjectionFailure {
  readonly error: string;
  readonly since: string;
}

export const failuresTable = 'projection-failures';
export const projectorLease = 'projector';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly projections: readonly AnyProjection[];
  readonly signal: AbortSignal;
  readonly now?: () => Date;
  /** First wait after a failure; it doubles up to a minute. */
  readonly retryMs?: number;
}

/**
 * Runs every projection while it holds the projector lease: one process of all that share the stores. Each runs
 * for itself; one that fails stands still, says so, and tries again, and the others go on. Resolves when the
 * signal aborts.
 *
 * @throws StoreError replaced, when the read models' files were exchanged under us
 */
export async function project(options: ProjectorOptions): Promise<void> {
  const lease = await options.leases.acquire(projectorLease, options.signal);
  if (!lease) return;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, lease.lost, stop.signal]);
  try {
    await Promise.all(
      options.projections.map((projection) => new Life({ ...options, signal }, projection).live()),
    );
  } finally {
    stop.abort();
    await lease.release();
  }
}

/** The life of one read model: the generation that serves, and at times one being built beside it. */
class Life {
  readonly #options: ProjectorOptions;
  readonly #projection: AnyProjection;
  readonly #name: string;
  #serving: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(options: ProjectorOptions, projection: AnyProjection) {
    this.#options = options;
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
    const { store, signal } = this.#options;
    const stream = streamName(projectionStream, this.#name);
    const from = await store.head();
    await this.#keepTrying(() => this.#start(), signal);
    const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (newest && newest.position <= from && upcast(newest).type === 'RebuildStarted') await this.#rebuild();
    for await (const batch of store.subscribe({ after: from, filter: { streamPrefixes: [stream] }, signal })) {
      const asked = batch.events.some(
        (event) => event.stream === stream && (upcast(event) as ProjectionEvent).type === 'RebuildStarted',
      );
      if (asked) await this.#rebuild();
    }
    await this.#serving?.ended;
  }

  async #start(): Promise<void> {
    const { documents } = this.#options;
    const { collection, version } = this.#projection;
    const { serving, building } = await documents.generations(this.#name);
    for (const { generation } of building) await documents.drop(this.#name, generation);
    if (serving?.version === version) return this.#serve(await documents.writer(collection, serving.generation));
    const { generation } = await documents.build(collection, version);
    await documents.serve(this.#name, generation);
    this.#serve(await documents.writer(collection, generation));
  }

  /** Runs the serving generation from now on, in the background. */
  #serve(writer: CollectionWriter<object>): void {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    let finished = false;
    const ended = this.#keepTrying(
      () =>
        run(this.#projection, {
          store: this.#options.store,
          writer,
          signal,
          onCaughtUp: async () => {
            if (!finished) await writer.finish();
            finished = true;
            await this.#well();
          },
        }),
      signal,
    );
    this.#serving = { stop, ended };
  }

  /** Builds a new generation from the first event while the old one serves, and then lets it take over. */
  async #rebuild(): Promise<void> {
    const { documents, store, signal } = this.#options;
    const { collection, version } = this.#projection;
    await this.#keepTrying(async () => {
      const { generation } = await documents.build(collection, version);
      const writer = await documents.writer(collection, generation);
      const caughtUp = new AbortController();
      await run(this.#projection, {
        store,
        writer,
        signal: AbortSignal.any([signal, caughtUp.signal]),
        onCaughtUp: async () => caughtUp.abort(),
      });
      if (signal.aborted) return;
      await writer.finish();
      this.#serving?.stop.abort();
      await this.#serving?.ended;
      await documents.serve(this.#name, generation);
      this.#serve(writer);
      await this.#tellSwitched(generation);
    }, signal);
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
    let wait = this.#options.retryMs ?? 1_000;
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StoreError && error.code === 'replaced') this.#fatal(error);
        await this.#unwell(error);
        await sleep(wait, undefined, { signal }).catch(() => undefined);
        wait = Math.min(wait * 2, 60_000);
      }
    }
  }

  async #unwell(error: unknown): Promise<void> {
    const failures = this.#options.side.table<ProjectionFailure>(failuresTable);
    const known = await failures.get(this.#name);
    await failures.put(this.#name, {
      error: error instanceof Error ? error.message : String(error),
      since: known?.since ?? this.#now().toISOString(),
    });
  }

  async #well(): Promise<void> {
    const failures = this.#options.side.table<ProjectionFailure>(failuresTable);
    if (await failures.get(this.#name)) await failures.delete(this.#name);
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}
