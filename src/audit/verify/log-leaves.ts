import { setImmediate } from 'node:timers/promises';
import {
  beginning,
  pagesOf,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { LeafBatch } from './compare-leaves.ts';
import type { EventName } from './finding.ts';
import type { HashedRange, LogRange } from './hash-range.ts';
import { StreamRevisions } from './stream-revisions.ts';

/** Where an event is in the log: the first of ours after a position. */
export interface LogPlace {
  readonly position: Position;
  readonly after: Position;
}

/** A revision that is not the next one of its stream. */
export interface WrongRevision extends LogPlace {
  readonly due: number;
  readonly revision: number;
}

export interface LogScan {
  readonly hash: (range: LogRange) => Promise<HashedRange>;
  /** Parts that are hashed at the same time. */
  readonly parallel: number;
  readonly until: Position;
  readonly onProgress: (events: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Bundles between two places at which the log is divided: 4,096 events, some 30 ms of a thread. */
const bundlesInPart = 16;
const mostWrongRevisions = 1_000;

/** Reads the log once from its first event, in parts, and gives the leaves in order. */
export class LogLeaves {
  readonly #proofLog: ProofLog;
  readonly #scan: LogScan;
  readonly #revisions = new StreamRevisions();
  readonly wrongRevisions: WrongRevision[] = [];
  events = 0;
  foreign = 0;
  /** Why the log cannot be read on, and what was read last. */
  unreadable: { readonly why: string; readonly last: LogPlace | undefined } | undefined;
  #last: LogPlace | undefined;

  constructor(proofLog: ProofLog, scan: LogScan) {
    this.#proofLog = proofLog;
    this.#scan = scan;
  }

  async *batches(): AsyncGenerator<LeafBatch<LogPlace>> {
    for await (const [range, hashed] of this.#hashed()) {
      this.#scan.signal?.throwIfAborted();
      this.#checkRevisions(range, hashed);
      this.events += hashed.positions.length;
      this.foreign += hashed.foreign;
      this.#scan.onProgress(this.events);
      const { hashes } = hashed;
      const count = hashed.positions.length;
      if (count > 0) {
        yield {
          hashes: Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength),
          refOf: (place) => placeIn(range, hashed, place),
        };
        this.#last = placeIn(range, hashed, count - 1);
      }
      if (hashed.unreadable !== undefined) {
        this.unreadable = { why: hashed.unreadable, last: this.#last };
        return;
      }
      // Messages of threads and of the caller have their turn.
      await setImmediate();
    }
  }

  /** Several parts at a time, in order. A part that is too long for one answer is asked for again. */
  async *#hashed(): AsyncGenerator<readonly [LogRange, HashedRange]> {
    const { hash, parallel } = this.#scan;
    const ahead: (readonly [LogRange, Promise<HashedRange>])[] = [];
    const ranges = this.#ranges();
    const ask = (range: LogRange) => {
      const hashed = hash(range);
      // It is awaited later; an earlier part may fail first.
      hashed.catch(() => undefined);
      return [range, hashed] as const;
    };
    for (;;) {
      while (ahead.length < parallel) {
        const range = await ranges.next();
        if (range.done === true) break;
        ahead.push(ask(range.value));
      }
      const next = ahead.shift();
      if (!next) return;
      const [range, hashing] = next;
      const hashed = await hashing;
      yield [range, hashed];
      if (hashed.unreadable === undefined && hashed.end < range.until)
        ahead.unshift(ask({ after: hashed.end, until: range.until }));
    }
  }

  /** The places of bundles are only used to divide the log: wrong ones would change no result. */
  async *#ranges(): AsyncGenerator<LogRange> {
    const { until } = this.#scan;
    let after = beginning;
    for (let index = bundlesInPart; ; index += bundlesInPart) {
      const place = await this.#proofLog.bundleAtOrBefore(index);
      if (place?.index !== index) break;
      if (place.after <= after || place.after >= until) continue;
      yield { after, until: place.after };
      after = place.after;
    }
    if (after < until) yield { after, until };
  }

  #checkRevisions(range: LogRange, hashed: HashedRange): void {
    const { streams, revisions } = hashed;
    for (let at = 0; at < revisions.length; at += 1) {
      const revision = revisions[at] as number;
      const due = this.#revisions.take(streams[2 * at] as number, streams[2 * at + 1] as number, revision);
      if (due !== undefined && this.wrongRevisions.length < mostWrongRevisions)
        this.wrongRevisions.push({ ...placeIn(range, hashed, at), due, revision });
    }
  }
}

const placeIn = ({ after }: LogRange, { positions }: HashedRange, at: number): LogPlace => ({
  position: positions[at] as Position,
  after: at === 0 ? after : (positions[at - 1] as Position),
});

/** The event at a place. Undefined when it cannot be read. */
export async function eventAt(
  store: EventStore,
  { position, after }: LogPlace,
): Promise<RecordedEvent | undefined> {
  for await (const { events } of pagesOf(store, { after, upTo: position, limit: 1 })) {
    const event = events.find((each) => each.position === position);
    if (event) return event;
  }
  return undefined;
}

export const nameOf = ({ id, stream, revision, type }: EventName): EventName => ({
  id,
  stream,
  revision,
  type,
});
