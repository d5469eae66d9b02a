import { isOurs } from '../events/catalogue.ts';
import {
  beginning,
  maximumEventBytes,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../stores/event-store/port.ts';
import { asLine, LogDigest } from './digest.ts';

/** What two stores hold cannot be brought together. Nothing was changed, or what was copied stands. */
export class TransferRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransferRefused';
  }
}

export interface CopiedLog {
  /** Events of the log, those that stood in the target before included. */
  readonly events: number;
  readonly copied: number;
  /** Another product's events, left where they are. */
  readonly foreign: number;
  /** SHA-256 in hex, the same of both stores (see LogDigest). */
  readonly digest: string;
}

export interface CopyOptions {
  readonly source: EventStore;
  readonly target: EventStore;
  readonly signal: AbortSignal;
  /** Told how many events are there or checked, and what is being done. */
  readonly onProgress?: (phase: 'comparing' | 'copying' | 'verifying', events: number) => void;
}

/** Neighbours of one stream that go in one append: well below the size at which a server refuses one. */
const batchEvents = 500;
const batchBytes = maximumEventBytes / 2;
const pageSize = 1_000;

/**
 * Copies a log into a store that holds nothing of ours or the beginning of this very log: ids, streams,
 * revisions, order and metadata (which carries the time) are kept. One append after another, so that the order
 * over all streams is the same; a run that was cut off is gone on with by the next. At the end both are read
 * from the first event and must have the same count and digest.
 *
 * @throws TransferRefused when the target holds anything else, or the source changed its mind meanwhile
 */
export async function copyLog({ source, target, signal, onProgress }: CopyOptions): Promise<CopiedLog> {
  const reading = new Reading(source);
  const already = await compare(reading, target, (events) => onProgress?.('comparing', events), signal);
  let copied = 0;
  for await (const batch of neighbours(reading.rest(signal))) {
    await append(target, batch);
    copied += batch.length;
    onProgress?.('copying', already + copied);
  }
  signal.throwIfAborted();
  const found = new LogDigest();
  for await (const event of ours(target, beginning, signal)) {
    found.add(event);
    if (found.events % pageSize === 0) onProgress?.('verifying', found.events);
  }
  signal.throwIfAborted();
  const { digest } = reading;
  if (found.events !== digest.events || found.value() !== digest.value()) {
    throw new TransferRefused(
      `The copy differs: ${digest.events} events with digest ${digest.value()} were read, ${found.events} with ${found.value()} are there. Do not use it; copy into an empty store.`,
    );
  }
  return { events: digest.events, copied, foreign: reading.foreign, digest: digest.value() };
}

/** The source, read once from its first event: compared as far as the target goes, copied from there. */
class Reading {
  readonly digest = new LogDigest();
  foreign = 0;
  readonly #source: EventStore;
  #position: Position = beginning;

  constructor(source: EventStore) {
    this.#source = source;
  }

  /** What has not been read yet, up to where the log ends when it is reached. */
  async *rest(signal: AbortSignal): AsyncGenerator<RecordedEvent> {
    while (!signal.aborted) {
      const page = await this.#source.readAll({ after: this.#position, limit: pageSize });
      if (page.position === this.#position) return;
      for (const event of page.events) {
        // Kept by the event, so that a reading that is left in the middle goes on behind it.
        this.#position = event.position;
        if (isOurs(event)) {
          this.digest.add(event);
          yield event;
        } else this.foreign += 1;
      }
      this.#position = page.position;
    }
  }
}

/** Reads as many events from the source as the target holds; they must be the same. Answers how many. */
async function compare(
  reading: Reading,
  target: EventStore,
  onCompared: (events: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let compared = 0;
  const source = reading.rest(signal);
  for await (const there of ours(target, beginning, signal)) {
    const here = await source.next();
    if (here.done) {
      throw new TransferRefused(
        `The target holds more than this log: after ${compared} events it goes on with ${nameOf(there)}.`,
      );
    }
    if (asLine(here.value) !== asLine(there)) {
      throw new TransferRefused(
        `The target holds another log: event ${compared + 1} is ${nameOf(there)} there and ${nameOf(here.value)} here.`,
      );
    }
    compared += 1;
    if (compared % pageSize === 0) onCompared(compared);
  }
  return compared;
}

const nameOf = ({ type, stream, revision }: RecordedEvent): string =>
  `${type} (${stream}, revision ${revision})`;

async function* ours(store: EventStore, after: Position, signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  for (let position = after; !signal.aborted;) {
    const page = await store.readAll({ after: position, limit: pageSize });
    if (page.position === position) return;
    position = page.position;
    for (const event of page.events) if (isOurs(event)) yield event;
  }
}

/** Events that follow each other in the log and in their stream, as many as go in one append. */
async function* neighbours(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent[]> {
  let batch: RecordedEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    const size = asLine(event).length;
    const first = batch[0];
    if (
      first &&
      (first.stream !== event.stream || batch.length >= batchEvents || bytes + size > batchBytes)
    ) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function append(target: EventStore, batch: readonly RecordedEvent[]): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const expected = first.revision === 0 ? 'no_stream' : first.revision - 1;
  const events = batch.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  await target.append(first.stream, events, expected);
}
