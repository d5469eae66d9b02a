import { counted } from '../ground/counted.ts';
import { installationOf, isFromBeforeRelease } from '../commands/installation.ts';
import { belongsToInstallation } from '../events/belongs-to-installation.ts';
import {
  beginning,
  maximumEventBytes,
  pagesOf,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../stores/event-store/port.ts';
import { asLine, LogDigest } from './log-digest.ts';

/** The contents of the two stores do not match. Events that were already copied stay. */
export class TransferRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransferRefused';
  }
}

export interface CopiedLog {
  /** Events in the target now, including those that were there before. */
  readonly events: number;
  readonly copied: number;
  /** Events of other products and installations, which are not copied. */
  readonly foreign: number;
  /** SHA-256 in hex, the same of both stores (see LogDigest). */
  readonly digest: string;
}

export interface CopyOptions {
  /** Both stores with the events of all installations. */
  readonly source: EventStore;
  readonly target: EventStore;
  readonly signal: AbortSignal;
  /** Called with the phase and the number of events done. */
  readonly onProgress?: (phase: 'comparing' | 'copying' | 'verifying', events: number) => void;
}

/** The most events and bytes in one append: well below a server's limit. */
const batchEvents = 500;
const batchBytes = maximumEventBytes / 2;
const pageSize = 1_000;

/**
 * Copies an installation's log into a store that is empty or holds the beginning of the same log. Keeps ids,
 * streams, revisions, order and metadata (with time and installation id): the copy is the same installation.
 * Appends one after another, so that the order over all streams is the same. An interrupted copy is continued by
 * the next run. At the end both logs are read from the first event and must have the same count and digest.
 *
 * @throws TransferRefused when the target holds anything else, or the source has changed meanwhile
 */
export async function copyLog({ source, target, signal, onProgress }: CopyOptions): Promise<CopiedLog> {
  const ours = await sameInstallation(source, target);
  const reading = new SourceReader(source, ours);
  const there = () => ownEvents(target, ours, signal);
  const already = await compare(reading, there(), (events) => onProgress?.('comparing', events), signal);
  let copied = 0;
  for await (const batch of batchesByStream(reading.rest(signal))) {
    await append(target, batch);
    copied += batch.length;
    onProgress?.('copying', already + copied);
  }
  signal.throwIfAborted();
  const found = new LogDigest();
  for await (const event of there()) {
    found.add(event);
    if (found.events % pageSize === 0) onProgress?.('verifying', found.events);
  }
  signal.throwIfAborted();
  const { digest } = reading;
  if (found.events !== digest.events || found.value() !== digest.value()) {
    throw new TransferRefused(
      `The copy differs: ${counted(digest.events, 'event')} with digest ${digest.value()} were read, ${found.events} with ${found.value()} are there. Do not use it; copy into an empty store.`,
    );
  }
  return { events: digest.events, copied, foreign: reading.foreign, digest: digest.value() };
}

/** Reads the source once from its first event: compared with the target first, then copied. */
class SourceReader {
  readonly digest = new LogDigest();
  foreign = 0;
  readonly #source: EventStore;
  readonly #ours: (event: RecordedEvent) => boolean;
  #position: Position = beginning;

  constructor(source: EventStore, ours: (event: RecordedEvent) => boolean) {
    this.#source = source;
    this.#ours = ours;
  }

  /** The remaining events up to the end of the log. */
  async *rest(signal: AbortSignal): AsyncGenerator<RecordedEvent> {
    while (!signal.aborted) {
      const page = await this.#source.readAll({ after: this.#position, limit: pageSize });
      if (page.position === this.#position) return;
      for (const event of page.events) {
        // Updated per event, so that a reader that stops in the middle continues after it.
        this.#position = event.position;
        if (this.#ours(event)) {
          this.digest.add(event);
          yield event;
        } else this.foreign += 1;
      }
      this.#position = page.position;
    }
  }
}

/** Reads as many events from the source as the target holds; they must be the same. Returns how many. */
async function compare(
  reading: SourceReader,
  target: AsyncIterable<RecordedEvent>,
  onCompared: (events: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let compared = 0;
  const source = reading.rest(signal);
  for await (const there of target) {
    const here = await source.next();
    if (here.done) {
      throw new TransferRefused(
        `The target holds more than this log: after ${counted(compared, 'event')} it goes on with ${nameOf(there)}.`,
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

/** A filter for the source's events. @throws TransferRefused when the target holds another installation */
async function sameInstallation(
  source: EventStore,
  target: EventStore,
): Promise<(event: RecordedEvent) => boolean> {
  if (await isFromBeforeRelease(source)) {
    throw new TransferRefused(
      'The log was begun by a development version from before 1.0.0, which this release does not read. Copy it with the version that began it.',
    );
  }
  const [here, there] = await Promise.all([installationOf(source), installationOf(target)]);
  if (there !== undefined && there !== here) {
    throw new TransferRefused(
      `The target holds another installation's log (${there}; this one is ${here ?? 'not named yet'}).`,
    );
  }
  return (event) => belongsToInstallation(event, here);
}

async function* ownEvents(
  store: EventStore,
  ours: (event: RecordedEvent) => boolean,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent> {
  for await (const { events } of pagesOf(store, { limit: pageSize })) {
    if (signal.aborted) return;
    for (const event of events) if (ours(event)) yield event;
  }
}

/** Groups consecutive events of one stream into batches for one append. */
async function* batchesByStream(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent[]> {
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
