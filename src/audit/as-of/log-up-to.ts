import { setImmediate } from 'node:timers/promises';
import { throttle } from '../../ground/throttle.ts';
import {
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

/** The log up to a position, as if nothing had happened after it. */
export class LogUpTo {
  readonly #store: EventStore;
  readonly position: Position;

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

  /** Events of these types over all streams, oldest first, in pages. Requests are served meanwhile. */
  async *eventsOf(types: readonly string[]): AsyncGenerator<readonly RecordedEvent[]> {
    const rest = throttle();
    const pages = pagesOf(this.#store, { upTo: this.position, filter: { types }, limit: readEvents });
    for await (const { events } of pages) {
      const upToThen = events.filter((event) => event.position <= this.position);
      for (let from = 0; from < upToThen.length; from += handedOn) {
        yield upToThen.slice(from, from + handedOn);
        await (rest() ?? setImmediate());
      }
      await (rest() ?? setImmediate());
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
