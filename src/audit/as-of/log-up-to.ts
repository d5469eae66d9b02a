import { setImmediate } from 'node:timers/promises';
import { throttle } from '../../ground/throttle.ts';
import {
  beginning,
  pagesOf,
  type EventStore,
  type Position,
  type ReadStreamOptions,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';

/** The most events that one read returns: reading them from the embedded log is one turn of the thread. */
const readEvents = 200;
/** The most events that are handed on at once. Folding them is some milliseconds. */
const handedOn = 50;
/** A turn of a thread in which nobody else had anything to do is shorter. */
const turnOfOthersMs = 0.5;
/** Streams that are read at once: most have a few events. */
const readStreams = 50;

/** The log up to a position, as if nothing had happened after it. */
export class LogUpTo {
  readonly #store: EventStore;
  readonly position: Position;
  readonly #rest = throttle();

  constructor(store: EventStore, position: Position) {
    this.#store = store;
    this.position = position;
  }

  /** Events of a stream, in the order asked for. */
  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const { direction = 'forwards', limit = Infinity } = options;
    const found: RecordedEvent[] = [];
    for await (const page of this.#pagesOf(stream, direction, options.from)) {
      const upToThen = page.filter(({ position }) => position <= this.position);
      found.push(...upToThen.slice(0, limit - found.length));
      if (found.length >= limit) break;
      if (direction === 'forwards' && upToThen.length < page.length) break;
    }
    return found;
  }

  /**
   * Events of these types over all streams, oldest first, in pages: those after a position, or all. Requests are served
   * meanwhile.
   */
  async *eventsOf(
    types: readonly string[],
    after: Position = beginning,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const upTo = this.position;
    const pages = pagesOf(this.#store, { after, upTo, filter: { types }, limit: readEvents });
    for await (const { events } of pages) {
      yield* this.#inSteps(events.filter((event) => event.position <= upTo));
      await this.rest();
    }
  }

  /**
   * Events of these types in some streams, stream by stream and in the order of each, in pages. Requests are served
   * meanwhile.
   */
  async *eventsIn(
    streams: readonly string[],
    types: readonly string[],
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const options = { upTo: this.position, types };
    for (let from = 0; from < streams.length; from += readStreams) {
      yield* this.#inSteps(await this.#store.readStreams(streams.slice(from, from + readStreams), options));
      await this.rest();
    }
  }

  /** The id of the event at exactly this position, in the whole log. */
  idAt(position: Position): Promise<string | undefined> {
    return this.#store.eventIdAt(position);
  }

  /** Other work of the thread has its turn. While there is some, half of the time is left to it. */
  async rest(): Promise<void> {
    const began = performance.now();
    await setImmediate();
    if (performance.now() - began > turnOfOthersMs) await this.#rest();
  }

  async *#inSteps(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
    for (let from = 0; from < events.length; from += handedOn) {
      yield events.slice(from, from + handedOn);
      if (from + handedOn < events.length) await this.rest();
    }
  }

  async *#pagesOf(
    stream: string,
    direction: 'forwards' | 'backwards',
    first: number | undefined,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let from = first;
    for (;;) {
      const page = await this.#store.readStream(stream, {
        direction,
        limit: readEvents,
        ...(from === undefined ? {} : { from }),
      });
      yield page;
      const last = page.at(-1);
      if (!last || page.length < readEvents) return;
      from = last.revision + (direction === 'forwards' ? 1 : -1);
      if (from < 0) return;
    }
  }
}
