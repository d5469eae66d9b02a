import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '../../stores/documents/port.ts';
import { StoreError } from '../../stores/errors.ts';
import { beginning, type EventStore, type Position } from '../../stores/event-store/port.ts';
import type { Leases } from '../../stores/leases/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { nameOf, type AnyProjection } from './define.ts';
import { countForeignEvents } from './foreign-events.ts';
import { Failures, type FailedWork } from './failures.ts';
import { openGenerations, newGeneration, type NewGeneration } from './generations.ts';
import { acquireProjecting } from './projecting-lease.ts';
import { RebuildRequests, tellSwitched } from './rebuild-requests.ts';
import { UnknownEvents } from './unknown-events.ts';
import { Tail, type Member } from './tail.ts';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly projections: readonly AnyProjection[];
  readonly signal: AbortSignal;
  /** Told what cannot be noted as a failure, because the stores are away. */
  readonly onFault?: (what: string, error: unknown) => void;
  readonly now?: () => Date;
  /** First wait after a failure; it doubles up to a minute. */
  readonly retryMs?: number;
}

const longestWaitMs = 60_000;

/**
 * Keeps every read model, while this process has the lease. Whoever loses it stops and waits for it again.
 * Resolves when the signal aborts.
 *
 * @throws StoreError replaced, when the read models' files were exchanged under us
 */
export async function project(options: ProjectorOptions): Promise<void> {
  const { signal: ends, onFault = () => undefined, retryMs = 1_000 } = options;
  while (!ends.aborted) {
    const lease = await acquireProjecting(options, ends).catch(async (error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
      onFault('waiting to project', error);
      await sleep(retryMs, undefined, { signal: ends }).catch(() => undefined);
      return 'store away' as const;
    });
    if (lease === 'store away') continue;
    if (!lease) return;
    const signal = AbortSignal.any([options.signal, lease.lost]);
    try {
      await new Projector({ ...options, signal, epoch: lease.epoch }).work();
    } finally {
      await lease.release();
    }
  }
}

/** A projection on its way to a tail. */
interface Joining {
  readonly member: Member;
  readonly work: FailedWork;
  /** How often it could not fold an event in a row. */
  readonly failures: number;
  /** Joins its tail; false when it is not near enough. */
  readonly join: () => Promise<boolean>;
}

/** What one process does under one lease. */
class Projector {
  readonly #options: ProjectorOptions & { readonly epoch: number };
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #failures: Failures;
  readonly #requests: RebuildRequests;
  readonly #unknown: UnknownEvents;
  readonly #jobs = new Set<Promise<void>>();
  /** Serving generations that follow the log apart from the tails, for now. */
  readonly #apart = new Map<string, Member>();
  /** What decides who may do what, and is shown at once; and what is dear and may be shown later. */
  readonly #tails: { prompt?: Tail; deferred?: Tail } = {};
  #fatal: { readonly error: unknown } | undefined;

  constructor(options: ProjectorOptions & { readonly epoch: number }) {
    const { side, projections, now = () => new Date(), onFault = () => undefined } = options;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#failures = new Failures({ side, now, onFault });
    this.#unknown = new UnknownEvents(side, now);
    this.#requests = new RebuildRequests(projections, {
      onRequest: (projection) => this.#job(() => this.#rebuild(projection)),
      onUnknown: (name, error) => this.#failures.note(name, 'watching', error),
    });
  }

  /** Resolves when everything has ended: whoever gets the lease next must not find this one still writing. */
  async work(): Promise<void> {
    this.#job(() => this.#start());
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
    if (this.#fatal) throw this.#fatal.error;
  }

  async #start(): Promise<void> {
    const { store, documents, projections, epoch } = this.#options;
    const names = projections.map(nameOf);
    const opened = await this.#retried(names, 'following', async () => {
      await this.#failures.load(names);
      return openGenerations({ documents, epoch }, projections);
    });
    if (!opened) return;
    const { serving, building } = opened;
    const prompt = serving.filter(({ projection }) => !projection.deferred);
    const deferred = serving.filter(({ projection }) => projection.deferred);
    const head = await this.#retried(names, 'following', () => store.head());
    if (head === undefined) return;
    this.#tails.prompt = this.#tail(prompt, head, {
      // Unfiltered: it meets what is not ours, what is newer than we are, and who asks for a rebuild.
      onBatch: async ({ events, passedOver }) => {
        await countForeignEvents(this.#options.side, passedOver);
        await this.#unknown.look(events);
        await this.#requests.look(events);
      },
    });
    this.#tails.deferred = this.#tail(deferred, head, {
      filter: { types: typesOf(projections.filter((each) => each.deferred)) },
    });
    const behind: Joining[] = [];
    for (const member of serving) {
      const joining = this.#returning(member);
      const joined = await this.#retried([nameOf(member.projection)], 'following', () => joining.join());
      if (joined === false) behind.push(joining);
    }
    const { prompt: promptTail, deferred: deferredTail } = this.#tails;
    this.#job(() => this.#follow(promptTail));
    if (projections.some((each) => each.deferred)) this.#job(() => this.#follow(deferredTail));
    this.#job(() => this.#catchUp(behind));
    this.#job(() => this.#catchUp(building.map((each) => this.#switching(each, async () => undefined))));
    await this.#retried([], 'watching', () => this.#requests.lookBack(store));
  }

  #tail(
    members: readonly Member[],
    head: Position,
    rest: Pick<ConstructorParameters<typeof Tail>[0], 'onBatch' | 'filter'>,
  ): Tail {
    const { store, documents } = this.#options;
    const isLevel = levelCheck(store);
    let unfinished: readonly Member[] = members;
    const tail: Tail = new Tail({
      ...rest,
      store,
      documents,
      // Where its most advanced member is; the others fold what they lack when they join.
      from:
        members.length === 0
          ? head
          : members.reduce((newest, { writer }) => later(newest, writer.checkpoint), beginning),
      onRound: async (position) => {
        if (unfinished.length === 0 && !this.#failures.any) return;
        if (!(await isLevel(position))) return;
        for (const { writer } of unfinished.filter((each) => tail.members.includes(each)))
          await writer.finish();
        unfinished = [];
        for (const { projection } of tail.members)
          await this.#failures.clear(nameOf(projection), 'following');
      },
      onExpelled: (member, error) => this.#again({ ...this.#returning(member), failures: 0 }, error),
    });
    return tail;
  }

  /** Follows the log with a tail until the signal aborts. A store that is away fails all of its members alike. */
  async #follow(tail: Tail): Promise<void> {
    while (!this.#over) {
      const names = () => tail.members.map(({ projection }) => nameOf(projection));
      await this.#retried(names, 'following', () => tail.run(this.#signal));
    }
  }

  /** A serving generation that joins its tail when it has caught up. */
  #returning(member: Member): Joining {
    const name = nameOf(member.projection);
    const join = async () => {
      if (!(await this.#tailOf(member).admit(member))) return false;
      this.#apart.delete(name);
      return true;
    };
    return { member, work: 'following', failures: 0, join };
  }

  /**
   * A new generation that takes the place of the one that serves when it has caught up. Its tail waits meanwhile, so
   * that nobody who has seen a change ever sees the time before it again; when the switch fails, the old one goes on.
   */
  #switching(building: NewGeneration, onSwitched: () => Promise<void>): Joining {
    const { documents, epoch } = this.#options;
    const name = nameOf(building.projection);
    const join = async () => {
      const old = this.#apart.get(name);
      if (old && old.writer.checkpoint > building.writer.checkpoint) return false;
      const serve = () => documents.serve(name, building.generation, epoch);
      if (!(await this.#tailOf(building).admit(building, serve))) return false;
      this.#apart.delete(name);
      await this.#failures.clear(name, 'following');
      await onSwitched();
      return true;
    };
    return { member: building, work: 'rebuilding', failures: 0, join };
  }

  #tailOf({ projection }: Member): Tail {
    const tail = projection.deferred ? this.#tails.deferred : this.#tails.prompt;
    if (!tail) throw new Error('The projector has not started.');
    return tail;
  }

  async #rebuild(projection: AnyProjection): Promise<void> {
    const { store, documents, epoch, now = () => new Date() } = this.#options;
    const name = nameOf(projection);
    const built = await this.#retried([name], 'rebuilding', () =>
      newGeneration({ documents, epoch }, projection),
    );
    if (!built) return;
    const onSwitched = async () => {
      await this.#retried([name], 'rebuilding', () => tellSwitched(store, name, built.generation, now()));
      this.#requests.done(projection);
    };
    await this.#catchUp([this.#switching(built, onSwitched)]);
  }

  /** Runs projections apart from the tails, together, until they are level, and lets them join. */
  async #catchUp(joining: readonly Joining[]): Promise<void> {
    for (let waiting = joining; waiting.length > 0 && !this.#over;) {
      const remaining: Joining[] = [];
      for (const each of await this.#untilLevel(waiting)) {
        const name = nameOf(each.member.projection);
        const joined = await this.#retried([name], each.work, async () => {
          await each.member.writer.finish();
          const answer = await each.join();
          if (answer) await this.#failures.clear(name, each.work);
          return answer;
        });
        if (joined === false) remaining.push(each);
      }
      waiting = remaining;
    }
  }

  /** Answers those that stand about at the head of the log; the others are tried again, each by itself. */
  async #untilLevel(joining: readonly Joining[]): Promise<readonly Joining[]> {
    const { store, documents } = this.#options;
    const members = joining.map(({ member }) => member);
    const isLevel = levelCheck(store);
    const level = new AbortController();
    const ends = AbortSignal.any([this.#signal, level.signal]);
    const tail: Tail = new Tail({
      store,
      documents,
      from: members.reduce((oldest, { writer }) => earlier(oldest, writer.checkpoint), farEnd),
      filter: { types: typesOf(members.map(({ projection }) => projection)) },
      onRound: async (position) => {
        if (tail.members.length === 0 || (await isLevel(position))) level.abort();
      },
      onExpelled: (member, error) => {
        const each = joining.find((one) => one.member === member);
        if (each) this.#again({ ...each, failures: each.failures + 1 }, error);
      },
    });
    for (const member of members) await tail.admit(member);
    while (!isAborted(ends)) {
      const names = () => tail.members.map(({ projection }) => nameOf(projection));
      await this.#retried(names, joining[0]?.work ?? 'following', () => tail.run(ends), ends);
    }
    return joining.filter(({ member }) => tail.members.includes(member));
  }

  /** After an event that could not be folded or written: says so, waits, and tries that event again. */
  #again(joining: Joining, error: unknown): void {
    const name = nameOf(joining.member.projection);
    if (joining.work === 'following') this.#apart.set(name, joining.member);
    this.#job(async () => {
      await this.#failures.note(name, joining.work, error);
      await this.#pause(joining.failures);
      // A rebuild may have replaced it meanwhile.
      if (joining.work === 'following' && this.#apart.get(name) !== joining.member) return;
      await this.#catchUp([joining]);
    });
  }

  /** Repeats work that fails, after ever longer waits. Undefined when the signal aborts before it has succeeded. */
  async #retried<Result>(
    names: readonly string[] | (() => readonly string[]),
    work: FailedWork,
    attempt: () => Promise<Result>,
    signal = this.#signal,
  ): Promise<Result | undefined> {
    for (let failures = 0; !isAborted(signal); failures++) {
      const began = performance.now();
      try {
        return await attempt();
      } catch (error) {
        if (isAborted(signal)) return undefined;
        if (error instanceof StoreError && error.code === 'replaced') throw error;
        if (error instanceof StoreError && error.code === 'fenced') {
          this.#stop.abort();
          return undefined;
        }
        for (const name of typeof names === 'function' ? names() : names)
          await this.#failures.note(name, work, error);
        // What has worked for long fails for a new reason.
        if (performance.now() - began > longestWaitMs) failures = 0;
        await this.#pause(failures, signal);
      }
    }
    return undefined;
  }

  async #pause(failures: number, signal = this.#signal): Promise<void> {
    const first = this.#options.retryMs ?? 1_000;
    const wait = Math.min(first * 2 ** Math.min(failures, 20), longestWaitMs);
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }

  /** Something that `work` waits for. An error that nothing can be done about ends everything else. */
  #job(work: () => Promise<void>): void {
    const job = work()
      .catch((error: unknown) => {
        this.#fatal ??= { error };
        this.#stop.abort();
      })
      .finally(() => this.#jobs.delete(job));
    this.#jobs.add(job);
  }

  get #over(): boolean {
    return this.#signal.aborted;
  }
}

/** Tells whether a position is past what stood in the log a look ago: nobody ever stands at the head of a busy one. */
function levelCheck(store: EventStore): (position: Position) => Promise<boolean> {
  let head: Position | undefined;
  return async (position) => {
    head ??= await store.head();
    if (position >= head) return true;
    head = await store.head();
    return false;
  };
}

const typesOf = (projections: readonly AnyProjection[]): string[] => [
  ...new Set(projections.flatMap(({ events }) => events)),
];

/** After every position there is. */
const farEnd: Position = 2n ** 63n - 1n;

const later = (one: Position, other: Position): Position => (one > other ? one : other);
const earlier = (one: Position, other: Position): Position => (one < other ? one : other);

/** Asked anew: the compiler takes what it saw before an await for what is true after it. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
