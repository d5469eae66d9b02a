import { pause } from '../../ground/back-off.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { StoreError } from '../../stores/errors.ts';
import { beginning, type EventStore, type Position } from '../../stores/event-store/port.ts';
import type { Leases } from '../../stores/leases/port.ts';
import type { Nodes } from '../../stores/leases/nodes-port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { CatchUp, type Joining } from './catch-up.ts';
import { nameOf, typesOf, type AnyProjection } from './read-model.ts';
import { Failures } from './stalled-projections.ts';
import { countForeignEvents } from './foreign-events.ts';
import { openGenerations, type OpenGeneration } from './rebuild/generations.ts';
import { levelCheck } from './level-check.ts';
import { leisurely, type Pace } from './pace.ts';
import { acquireProjecting, KilledProjectors } from './projector-takeover.ts';
import { rebuildNotes } from './rebuild/rebuild-notes.ts';
import { RebuildRequests } from './rebuild/rebuild-requests.ts';
import { Rebuilds } from './rebuild/rebuilds.ts';
import { watchRetryRequests } from './retry-requests.ts';
import { retireUnread } from './retire.ts';
import { ProjectorTasks } from './projector-tasks.ts';
import { Tail, type Member, type TailOptions } from './tail.ts';
import { UnknownEvents } from './unknown-events.ts';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  /** Lists projectors of an older release. They update the read models of their release. */
  readonly nodes?: Nodes;
  readonly projections: readonly AnyProjection[];
  /** Of read models that follow the log. Default: `promptly`. */
  readonly pace?: Pace | undefined;
  readonly signal: AbortSignal;
  /** Called with failures that cannot be stored because the stores are down. */
  readonly onFault?: (what: string, error: unknown) => void;
  readonly now?: () => Date;
  /** The first wait after a failure. It doubles up to a minute. */
  readonly retryMs?: number;
}

/**
 * Updates the read models while this process holds the lease. After losing it, stops and waits for it again. Resolves
 * when the signal aborts.
 *
 * @throws StoreError replaced, when the read models' files were replaced while in use
 */
export async function project(options: ProjectorOptions): Promise<void> {
  const { signal: ends, onFault = () => undefined, retryMs = 1_000 } = options;
  const killed = new KilledProjectors();
  while (!ends.aborted) {
    const lease = await acquireProjecting({ ...options, killed }, ends).catch(async (error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
      onFault('waiting to project', error);
      await pause(retryMs, ends);
      return 'store away' as const;
    });
    if (lease === 'store away') continue;
    if (!lease) return;
    const over = new AbortController();
    const signal = AbortSignal.any([options.signal, lease.lost, over.signal]);
    let retiring: Promise<void> | undefined;
    try {
      const { epoch, isWhole } = lease;
      retiring = isWhole ? retireUnread({ ...options, signal, epoch }) : undefined;
      await new Projector({ ...options, projections: lease.projections, signal, epoch }).work();
    } finally {
      // All writes must have ended before the lease is released. A fenced projector stops while it still holds its lease.
      over.abort();
      await retiring;
      await lease.release();
    }
  }
}

/** The projector of one process, for the time of one lease. */
class Projector {
  readonly #options: ProjectorOptions & { readonly epoch: number };
  readonly #failures: Failures;
  readonly #tasks: ProjectorTasks;
  readonly #catchUp: CatchUp;
  readonly #requests: RebuildRequests;
  readonly #rebuilds: Rebuilds;
  readonly #unknown: UnknownEvents;
  /** The served generation of each read model. It follows the log in a tail, or catches up separately. */
  readonly #serving = new Map<string, OpenGeneration>();
  readonly #tails = new Map<TailKind, Tail>();

  constructor(options: ProjectorOptions & { readonly epoch: number }) {
    const { store, documents, side, projections, signal, retryMs } = options;
    const { now = () => new Date(), onFault = () => undefined } = options;
    this.#options = options;
    const failures = new Failures({ side, now, onFault });
    const tasks = new ProjectorTasks({ signal, failures, retryMs });
    this.#failures = failures;
    this.#tasks = tasks;
    this.#catchUp = new CatchUp({ store, documents, failures, tasks });
    this.#unknown = new UnknownEvents(side, now);
    this.#requests = new RebuildRequests(projections, {
      onRequest: (requests) => this.#rebuilds.begin(requests),
      onCancel: (projection) => this.#rebuilds.cancel(projection),
      onUnknown: (name, error) => failures.note(name, 'watching', error),
    });
    this.#rebuilds = new Rebuilds({
      ...options,
      now,
      failures,
      tasks,
      catchUp: this.#catchUp,
      requests: this.#requests,
      serving: this.#serving,
      tailOf: (projection) => this.#tailOf(projection),
    });
  }

  async work(): Promise<void> {
    this.#tasks.start(() => this.#start());
    this.#tasks.start(() =>
      watchRetryRequests({
        side: this.#options.side,
        signal: this.#tasks.signal,
        isFailing: () => this.#failures.any,
        onRequest: (name) => this.#tasks.hurry(name),
      }),
    );
    await this.#tasks.ended();
  }

  async #start(): Promise<void> {
    const { store, documents, side, projections, epoch } = this.#options;
    const names = projections.map(nameOf);
    const opened = await this.#tasks.retried(
      () => names,
      'following',
      async () => {
        await this.#failures.load(names);
        const requests = await this.#requests.unfinished(store);
        const parts = { documents, notes: rebuildNotes(side), epoch };
        const generations = await openGenerations(parts, projections, requests);
        return { ...generations, requests, head: await store.head() };
      },
    );
    if (!opened) return;
    const { serving, head, requests } = opened;
    for (const member of serving) this.#serving.set(nameOf(member.projection), member);
    this.#openTails(serving, head);
    const behind: Joining[] = [];
    for (const member of serving) {
      const joining = this.#returning(member);
      if (!(await this.#catchUp.join(joining))) behind.push(joining);
    }
    for (const [kind, tail] of this.#tails)
      if (kind === 'prompt' || projections.some((each) => tailKindOf(each) === kind))
        this.#tasks.start(() => this.#follow(tail));
    for (const together of Map.groupBy(behind, deferredOf).values())
      this.#tasks.start(() => this.#catchUp.run(together));
    this.#rebuilds.start(opened, requests);
  }

  #openTails(serving: readonly OpenGeneration[], head: Position): void {
    const { side, projections } = this.#options;
    const of = (kind: TailKind) => serving.filter(({ projection }) => tailKindOf(projection) === kind);
    const prompt = this.#tail(of('prompt'), head, {
      // No filter: it also sees foreign events, events of newer releases, and rebuild requests.
      onBatch: async ({ events, foreign }) => {
        await countForeignEvents(side, foreign);
        await this.#unknown.look(events);
        await this.#requests.look(events);
      },
    });
    this.#tails.set('prompt', prompt);
    for (const kind of ['deferred', 'leisurely'] as const) {
      const types = typesOf(projections.filter((each) => tailKindOf(each) === kind));
      const pace = kind === 'leisurely' ? { pace: leisurely } : {};
      this.#tails.set(kind, this.#tail(of(kind), head, { filter: { types }, ...pace }));
    }
  }

  /** A tail that begins at its most advanced member. The others fold the missing events when they join. */
  #tail(
    members: readonly Member[],
    head: Position,
    { pace: usual, ...rest }: Pick<TailOptions, 'onBatch' | 'filter' | 'pace'>,
  ): Tail {
    const { store, documents, pace = usual } = this.#options;
    const isLevel = levelCheck(store);
    let unfinished = members;
    const tail: Tail = new Tail({
      ...rest,
      store,
      documents,
      pace,
      isTraced: true,
      from:
        members.length === 0
          ? head
          : members.reduce((newest, { writer }) => later(newest, writer.checkpoint), beginning),
      onRound: async (position) => {
        if (unfinished.length === 0 && !this.#failures.any) return;
        if (!(await isLevel(position))) return;
        for (const member of unfinished) if (tail.members.includes(member)) await member.writer.finish();
        unfinished = [];
        for (const { projection } of tail.members)
          await this.#failures.clear(nameOf(projection), 'following');
      },
      onExpelled: (member, error) => this.#catchUp.again(this.#returning(member), error),
    });
    return tail;
  }

  /** Runs a tail until the signal aborts. When a store is down, all members of the tail fail. */
  async #follow(tail: Tail): Promise<void> {
    const { signal } = this.#tasks;
    const names = () => tail.members.map(({ projection }) => nameOf(projection));
    while (!signal.aborted) await this.#tasks.retried(names, 'following', () => tail.run(signal));
  }

  /** A served generation that joins its tail when it has caught up. */
  #returning(member: Member): Joining {
    return {
      member,
      work: 'following',
      join: async () => ((await this.#tailOf(member.projection).admit(member)) ? 'joined' : 'behind'),
      isWanted: () => this.#serving.get(nameOf(member.projection)) === member,
    };
  }

  #tailOf(projection: AnyProjection): Tail {
    const tail = this.#tails.get(tailKindOf(projection));
    if (!tail) throw new Error('The projector has not started.');
    return tail;
  }
}

/**
 * `prompt` must show changes at once, such as permissions. `deferred` is expensive and may lag. `leisurely` is expensive
 * too, and nobody waits for it: one commit holds what comes within a while.
 */
type TailKind = 'prompt' | 'deferred' | 'leisurely';

function tailKindOf({ deferred, awaited }: AnyProjection): TailKind {
  if (!deferred) return 'prompt';
  return awaited === false ? 'leisurely' : 'deferred';
}

const deferredOf = ({ member }: Joining): boolean => member.projection.deferred ?? false;

const later = (one: Position, other: Position): Position => (one > other ? one : other);
