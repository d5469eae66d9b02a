import { setImmediate as nextTick } from 'node:timers/promises';
import type { CollectionWrite, CollectionWriter, Documents } from '../../stores/documents/port.ts';
import { StoreError } from '../../stores/errors.ts';
import type {
  EventBatch,
  EventFilter,
  EventStore,
  Position,
  RecordedEvent,
} from '../../stores/event-store/port.ts';
import { filterOf, nameOf, type AnyProjection } from './define.ts';
import { foldBatch, SharedEvent } from './fold-batch.ts';

/** A projection that follows the log with others, and the generation that it writes. */
export interface Member {
  readonly projection: AnyProjection;
  readonly writer: CollectionWriter<object>;
}

export interface TailOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  /** Where it begins. A member whose checkpoint is later is not given what it has folded already. */
  readonly from: Position;
  /** Undefined: everything, so that `onBatch` sees all there is. */
  readonly filter?: EventFilter | undefined;
  /** Told of each batch before it is folded. */
  readonly onBatch?: (batch: EventBatch) => Promise<void>;
  /** Told after each round, and once before the first. */
  readonly onRound?: (position: Position) => Promise<void>;
  /** Told that a member could not go on. The others do. */
  readonly onExpelled: (member: Member, error: unknown) => void;
}

/** Events asked for at a time: a store parses so many in the time of one round. */
const batchSize = 5_000;

/** A round takes about so long, so that a change waits for no more than what stands before it. */
const roundMs = 50;
const smallestRound = 50;

/** Events that a projection may be behind and still join: folded while the tail waits. */
const joinsWithin = 1_000;

/**
 * Several projections that stand level, and follow the log together: each event is read, parsed and upcast once,
 * and the documents of all are written with their checkpoints in one commit.
 *
 * One subscription for each of sixteen projections was tried first. It cost half a millisecond of CPU for every
 * event, most of it for waking, looking and committing sixteen times.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #members = new Map<string, Member>();
  #byType = new Map<string, readonly Member[]>();
  #position: Position;
  #roundSize = batchSize;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#position = options.from;
  }

  /** Everything up to here is folded and committed by every member. */
  get position(): Position {
    return this.#position;
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** Takes a projection in before the tail runs, wherever it stands. */
  begin(member: Member): void {
    this.#members.set(nameOf(member.projection), member);
    this.#index();
  }

  /**
   * Takes a projection in between two rounds, after it has folded what it lacks. Replaces a member of the same
   * name. `switching` runs when it is level, while the tail waits.
   * Answers false when it lacks too much: it must come nearer by itself first.
   */
  admit(member: Member, switching?: () => Promise<void>): Promise<boolean> {
    return this.#betweenRounds(async () => {
      if (!(await this.#level(member))) return false;
      await switching?.();
      this.begin(member);
      return true;
    });
  }

  /**
   * Follows the log until the signal aborts.
   *
   * @throws StoreError when a store fails all members alike; called again, it goes on where it was
   */
  async run(signal: AbortSignal): Promise<void> {
    const { store, filter, onRound } = this.#options;
    await onRound?.(this.#position);
    if (signal.aborted) return;
    const subscription = store.subscribe({
      after: this.#position,
      ...(filter ? { filter } : {}),
      signal,
      batchSize,
    });
    for await (const batch of subscription) {
      await this.#options.onBatch?.(batch);
      await this.#take(batch, signal);
    }
  }

  /** One batch in rounds of about `roundMs`. */
  async #take({ events, position }: EventBatch, signal: AbortSignal): Promise<void> {
    let taken = 0;
    do {
      const round = events.slice(taken, taken + this.#roundSize);
      taken += round.length;
      const upTo = taken < events.length ? (round.at(-1)?.position ?? position) : position;
      const began = performance.now();
      await this.#betweenRounds(() => this.#round(round, upTo));
      this.#adapt(round.length, performance.now() - began);
      await this.#options.onRound?.(this.#position);
      // Others in this thread have their turn: another tail, and who tells us to stop.
      if (taken < events.length) await nextTick();
    } while (taken < events.length && !signal.aborted);
  }

  async #round(events: readonly RecordedEvent[], position: Position): Promise<void> {
    const wanted = new Map<Member, SharedEvent[]>();
    for (const recorded of events) {
      const members = this.#byType.get(recorded.type);
      if (!members) continue;
      const event = new SharedEvent(recorded);
      for (const member of members) {
        if (recorded.position <= member.writer.checkpoint) continue;
        const list = wanted.get(member);
        if (list) list.push(event);
        else wanted.set(member, [event]);
      }
    }
    await this.#commit(await this.#fold(wanted), position);
    this.#position = position;
  }

  /** What each member has to write. One that cannot fold is expelled. */
  async #fold(wanted: ReadonlyMap<Member, readonly SharedEvent[]>): Promise<Map<Member, CollectionWrite>> {
    const writes = new Map<Member, CollectionWrite>();
    const folded = await Promise.allSettled(
      this.members.map(async (member) => {
        writes.set(member, await foldedFor(member, wanted.get(member) ?? []));
      }),
    );
    for (const [index, member] of this.members.entries()) {
      const outcome = folded[index];
      if (outcome?.status !== 'rejected') continue;
      if (failsAll(outcome.reason)) throw outcome.reason;
      this.#expel(member, outcome.reason);
    }
    return writes;
  }

  async #commit(writes: ReadonlyMap<Member, CollectionWrite>, position: Position): Promise<void> {
    if (writes.size === 0) return;
    try {
      await this.#options.documents.commit([...writes.values()], position);
    } catch (error) {
      if (failsAll(error)) throw error;
      // One of them has something that cannot be written; each by itself tells which.
      for (const [member, write] of writes) {
        try {
          await this.#options.documents.commit([write], position);
        } catch (own) {
          if (failsAll(own)) throw own;
          this.#expel(member, own);
        }
      }
    }
  }

  #expel(member: Member, error: unknown): void {
    this.#members.delete(nameOf(member.projection));
    this.#index();
    this.#options.onExpelled(member, error);
  }

  /** Folds what a projection lacks up to the tail's position; false when that is too much. */
  async #level(member: Member): Promise<boolean> {
    const { store, documents } = this.#options;
    const { projection, writer } = member;
    let after = writer.checkpoint;
    for (let read = 0; after < this.#position;) {
      const batch = await store.readAll({ after, ...filterOf(projection), limit: joinsWithin });
      read += batch.events.length;
      if (read >= joinsWithin) return false;
      const events = batch.events.filter((event) => event.position <= this.#position);
      after = batch.position < this.#position ? batch.position : this.#position;
      const shared = events.map((event) => new SharedEvent(event));
      await documents.commit([await foldedFor(member, shared)], after);
    }
    return true;
  }

  #index(): void {
    const byType = new Map<string, Member[]>();
    for (const member of this.#members.values()) {
      for (const type of member.projection.events) byType.set(type, [...(byType.get(type) ?? []), member]);
    }
    this.#byType = byType;
  }

  /** The next round is of the size that this one would have had to take `roundMs`. */
  #adapt(events: number, tookMs: number): void {
    if (events < this.#roundSize && tookMs < roundMs) return;
    const fitting = Math.round((events * roundMs) / Math.max(tookMs, 1));
    this.#roundSize = Math.min(Math.max(fitting, smallestRound), batchSize);
  }

  #betweenRounds<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function foldedFor(
  { projection, writer }: Member,
  events: readonly SharedEvent[],
): Promise<CollectionWrite> {
  const changes = await foldBatch(projection, events, writer);
  const last = events.at(-1)?.recorded;
  return { writer, changes, ...(last ? { lastEvent: { position: last.position, id: last.id } } : {}) };
}

/** Whether a failure concerns every projection: the store is away, or somebody else projects by now. */
export const failsAll = (error: unknown): boolean =>
  error instanceof StoreError && ['unavailable', 'full', 'replaced', 'fenced'].includes(error.code);
