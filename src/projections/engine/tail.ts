import { channel } from 'node:diagnostics_channel';
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
import { recordRound } from '../../traces/rounds.ts';
import { filterOf, modelOf, nameOf, type AnyProjection } from './read-model.ts';
import { FirstEvents, foldBatch, SharedEvent } from './fold-batch.ts';
import { promptly, type Pace } from './pace.ts';

/** A projection in a tail, and the writer of its generation. */
export interface Member {
  readonly projection: AnyProjection;
  readonly writer: CollectionWriter<object>;
  /**
   * Called with the events that it has folded, before they are written, and the position up to which there were no
   * others. Called again with the same events when the write fails.
   */
  readonly onFolded?: (events: readonly SharedEvent[], upTo: Position) => void;
}

export interface TailOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  /** Where the tail begins. A member with a later checkpoint does not get events that it has folded already. */
  readonly from: Position;
  /** Undefined: all events, for `onBatch`. */
  readonly filter?: EventFilter | undefined;
  /** Default: `promptly`. */
  readonly pace?: Pace | undefined;
  /** Whether rounds are part of traces. A rebuild is none: what it folds happened long ago. */
  readonly isTraced?: boolean;
  /** Called with each batch before it is folded. */
  readonly onBatch?: (batch: EventBatch) => Promise<void>;
  /** Called after each round, and once before the first. */
  readonly onRound?: (position: Position) => Promise<void>;
  /** Called when a member has failed and was removed. The others continue. */
  readonly onExpelled: (member: Member, error: unknown) => void;
}

/** A round: folded and committed. */
export interface MeasuredRound {
  /** How many events each read model has folded, by its stored name. */
  readonly folded: ReadonlyMap<string, number>;
  readonly seconds: number;
}

/** Each round that folded something, for metrics. While nobody listens, nothing is published. */
export const rounds = channel('commonweal:projection-round');

const smallestRound = 50;

/** A projection with fewer missing events can join. They are folded while the tail waits. */
const joinsWithin = 1_000;

/**
 * Projections that follow the log together. Each event is read, parsed and upcast once, and the documents of all
 * projections are written in one commit with their checkpoints.
 *
 * The alternative, one subscription per projection, cost half a millisecond of CPU per event with sixteen projections,
 * mostly for sixteen wakeups, reads and commits.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #firsts: FirstEvents;
  readonly #members = new Map<string, Member>();
  #byType = new Map<string, readonly Member[]>();
  #position: Position;
  #roundSize: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#firsts = new FirstEvents(options.store);
    this.#position = options.from;
    this.#roundSize = options.pace?.batchSize ?? promptly.batchSize;
  }

  /** Every member has folded and committed all events up to here. */
  get position(): Position {
    return this.#position;
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** Adds a projection before the tail runs, whatever its checkpoint is. */
  begin(member: Member): void {
    this.#members.set(nameOf(member.projection), member);
    this.#index();
  }

  /**
   * Adds a projection between two rounds, after folding the events that it lacks. Replaces a member of the same name.
   * `switching` runs when it has caught up, while the tail waits. Returns false when it is too far behind: it must
   * catch up by itself first.
   */
  admit(member: Member, switching?: () => Promise<void>): Promise<boolean> {
    return this.#betweenRounds(async () => {
      if (!(await this.#level(member))) return false;
      await switching?.();
      this.begin(member);
      return true;
    });
  }

  /** Removes a projection between two rounds. False when it is no member. */
  dismiss(member: Member): Promise<boolean> {
    return this.#betweenRounds(async () => {
      if (this.#members.get(nameOf(member.projection)) !== member) return false;
      this.#members.delete(nameOf(member.projection));
      this.#index();
      return true;
    });
  }

  /**
   * Follows the log until the signal aborts.
   *
   * @throws StoreError when a store fails for all members. Call it again to continue at the same position.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { store, filter, onRound, pace = promptly } = this.#options;
    await onRound?.(this.#position);
    if (signal.aborted) return;
    const subscription = store.subscribe({
      after: this.#position,
      ...(filter ? { filter } : {}),
      signal,
      batchSize: pace.batchSize,
    });
    for await (const batch of subscription) {
      await this.#options.onBatch?.(batch);
      await this.#take(batch, signal);
      if (batch.events.length < pace.batchSize) await pace.rest(signal);
    }
  }

  /** Handles one batch in rounds of about the duration that the pace says. */
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
      // Lets other work of this thread run: the other tail, and the stop signal.
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
    const began = performance.now();
    await this.#commit(await this.#fold(wanted, position), position);
    this.#position = position;
    if (wanted.size > 0 && this.#options.isTraced)
      recordRound(() => [...wanted].map(recordedBy), performance.now() - began);
    if (wanted.size > 0 && rounds.hasSubscribers) {
      const folded = new Map([...wanted].map(([{ projection }, { length }]) => [nameOf(projection), length]));
      rounds.publish({ folded, seconds: (performance.now() - began) / 1_000 } satisfies MeasuredRound);
    }
  }

  /** Returns what each member has to write. Removes members that cannot fold. */
  async #fold(
    wanted: ReadonlyMap<Member, readonly SharedEvent[]>,
    upTo: Position,
  ): Promise<Map<Member, CollectionWrite>> {
    const writes = new Map<Member, CollectionWrite>();
    for (const member of this.#members.values()) {
      if (wanted.has(member)) continue;
      // Most events concern one or two read models. The others only move on.
      writes.set(member, { writer: member.writer, changes: [] });
      member.onFolded?.([], upTo);
    }
    const folding = [...wanted];
    const folded = await Promise.allSettled(
      folding.map(async ([member, events]) => {
        writes.set(member, await foldedFor(this.#firsts, member, events));
        member.onFolded?.(events, upTo);
      }),
    );
    for (const [index, [member]] of folding.entries()) {
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
      // One of the writes is invalid. Committing each one alone shows which.
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

  /** Folds the events that a projection lacks up to the tail's position. False when there are too many. */
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
      await documents.commit([await foldedFor(this.#firsts, member, shared)], after);
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

  /** Sets the size of the next round so that it takes about as long as the pace says, judging by this round. */
  #adapt(events: number, tookMs: number): void {
    const { roundMs, batchSize } = this.#options.pace ?? promptly;
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

/** The events that a member has folded, by its read model. */
const recordedBy = ([{ projection }, events]: readonly [Member, readonly SharedEvent[]]) =>
  [modelOf(projection), events.map(({ recorded }) => recorded)] as const;

async function foldedFor(
  firsts: FirstEvents,
  { projection, writer }: Member,
  events: readonly SharedEvent[],
): Promise<CollectionWrite> {
  const changes = await foldBatch(projection, events, writer, firsts);
  const last = events.at(-1)?.recorded;
  return { writer, changes, ...(last ? { lastEvent: { position: last.position, id: last.id } } : {}) };
}

/** Whether a failure concerns every projection: the store is down, or another process projects now. */
export const failsAll = (error: unknown): boolean =>
  error instanceof StoreError && ['unavailable', 'full', 'replaced', 'fenced'].includes(error.code);
