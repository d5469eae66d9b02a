import { setImmediate } from 'node:timers/promises';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import {
  beginning,
  pagesOf,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';

/** Events of one page. Its bounds follow from the log alone, so that every node writes the same pages. */
const eventsOfPage = 4_096;
/** The most events that one read of the log returns. */
const readEvents = 1_024;
/** Pages that are read to count events of a later time. */
const countedPages = 64;
/** Pages that are read from the side store at once. */
const storedPages = 10_000;

/** The times of consecutive events of ours. */
interface TimePage {
  /** The page begins after this position. */
  readonly after: string;
  /** The position of its last event. */
  readonly until: string;
  /** The id of its last event: another log has another. */
  readonly lastId: string;
  readonly events: number;
  /** The earliest `metadata.at`, in Unix milliseconds. */
  readonly earliest: number;
  /** The latest. */
  readonly latest: number;
}

/** The last event of a log that is not after a time. */
export interface LastNotAfter {
  readonly event: RecordedEvent;
  /** How many events before it in the log have a later time than was asked for: clocks disagreed. */
  readonly laterBefore: number;
  /** False when there may be more of them than were counted. */
  readonly countedAll: boolean;
}

/**
 * Finds the last event in log order that is not after a time. Clocks of nodes disagree and can be set back, so the times
 * of the log do not rise steadily, and a binary search over events could be wrong. Instead the earliest and the latest
 * time of every 4,096 events are kept in a side table: the last page whose earliest time is not after T has the event.
 * One comparison for each page, and one page to read; docs/performance.md says what it takes. The table is derived
 * from the log, is extended when it is used, and may be deleted; the first use after that reads the whole log once.
 */
export class LogTimes {
  readonly #store: EventStore;
  readonly #table: SideTable<TimePage>;
  readonly #pageEvents: number;
  #pages: TimePage[] | undefined;
  /** The page after the last full one, so far. */
  #open: TimePage | undefined;
  #extending: Promise<readonly TimePage[]> | undefined;

  constructor(
    { store, side }: { readonly store: EventStore; readonly side: SideStore },
    pageEvents = eventsOfPage,
  ) {
    this.#store = store;
    this.#pageEvents = pageEvents;
    this.#table = side.table('log-times');
  }

  /** Undefined when every event is after the time. `at`: Unix milliseconds. */
  async lastNotAfter(at: number): Promise<LastNotAfter | undefined> {
    const pages = await this.#upToHead();
    const place = pages.findLastIndex(({ earliest }) => earliest <= at);
    const page = pages[place];
    if (!page) return undefined;
    const events = await this.#eventsOf(page);
    const found = events.findLastIndex((event) => timeOf(event) <= at);
    const event = events[found];
    if (!event) throw new Error(`The page of times after ${page.after} is not that of the log.`);
    const before = pages.slice(0, place).filter(({ latest }) => latest > at);
    let laterBefore = countLater(events.slice(0, found), at);
    for (const each of before.slice(-countedPages)) laterBefore += countLater(await this.#eventsOf(each), at);
    return { event, laterBefore, countedAll: before.length <= countedPages };
  }

  /** The last event at or before a position. Undefined when there is none. */
  async lastUpTo(position: Position): Promise<RecordedEvent | undefined> {
    const pages = await this.#upToHead();
    const page = pages.findLast(({ after }) => BigInt(after) < position);
    if (!page) return undefined;
    const found = (await this.#eventsOf(page)).findLast((event) => event.position <= position);
    if (found) return found;
    // Only events of others are between the end of the page before and the position.
    const before = pages[pages.indexOf(page) - 1];
    return before && (await this.#eventsOf(before)).at(-1);
  }

  /** The first event of the log. */
  async first(): Promise<RecordedEvent | undefined> {
    for await (const { events } of pagesOf(this.#store, { limit: 1 })) if (events[0]) return events[0];
    return undefined;
  }

  /** Reads what was appended since. Questions that come at once wait for one reading. */
  async #upToHead(): Promise<readonly TimePage[]> {
    return (this.#extending ??= this.#extend().finally(() => (this.#extending = undefined)));
  }

  async #extend(): Promise<readonly TimePage[]> {
    const pages = (this.#pages ??= await this.#stored());
    let open = this.#open;
    for (;;) {
      const after = BigInt(open?.until ?? pages.at(-1)?.until ?? beginning);
      const { events, position } = await this.#store.readAll({
        after,
        limit: Math.min(readEvents, this.#pageEvents - (open?.events ?? 0)),
      });
      open = withEvents(open, after, events, position);
      if (open?.events === this.#pageEvents) {
        // It ends at its last event, wherever the read ended.
        open = { ...open, until: String(events.at(-1)?.position ?? position) };
        await this.#table.put(idOf(open.until), open);
        pages.push(open);
        open = undefined;
      }
      this.#open = open;
      if (position === after) return open?.events ? [...pages, open] : pages;
      // Reading the embedded log does not yield by itself, and requests must be served meanwhile.
      await setImmediate();
    }
  }

  /** The stored pages of this log. Pages of another log, or with a gap, are removed. */
  async #stored(): Promise<TimePage[]> {
    const pages: TimePage[] = [];
    for (let after = ''; ;) {
      const entries = await this.#table.list({ ...(after === '' ? {} : { after }), limit: storedPages });
      pages.push(...entries.map(({ value }) => value));
      const last = entries.at(-1);
      if (!last || entries.length < storedPages) break;
      after = last.id;
    }
    const last = pages.at(-1);
    if (!last) return [];
    const isWhole = pages.every(({ after }, n) => after === (pages[n - 1]?.until ?? String(beginning)));
    if (isWhole && (await this.#store.eventIdAt(BigInt(last.until))) === last.lastId) return pages;
    for (const { until } of pages) await this.#table.delete(idOf(until));
    return [];
  }

  async #eventsOf({ after, until, events: count }: TimePage): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let at = BigInt(after); at < BigInt(until);) {
      const limit = Math.min(readEvents, Math.max(1, count - found.length));
      const { events, position } = await this.#store.readAll({ after: at, limit });
      found.push(...events.filter((event) => event.position <= BigInt(until)));
      if (position === at) break;
      at = position;
      await setImmediate();
    }
    return found;
  }
}

/** When an event happened by the clock of the node that wrote it, in Unix milliseconds. */
export const timeOf = ({ metadata }: Pick<RecordedEvent, 'metadata'>): number =>
  Date.parse(metadata['at'] as string);

const countLater = (events: readonly RecordedEvent[], at: number): number =>
  events.filter((event) => timeOf(event) > at).length;

/** Ordered as positions are. */
const idOf = (position: string): string => position.padStart(19, '0');

function withEvents(
  open: TimePage | undefined,
  after: Position,
  events: readonly RecordedEvent[],
  position: Position,
): TimePage | undefined {
  if (position === after) return open;
  const before = open ?? {
    after: String(after),
    lastId: '',
    events: 0,
    earliest: Infinity,
    latest: -Infinity,
  };
  const last = events.at(-1);
  const count = before.events + events.length;
  let { earliest, latest } = before;
  for (const event of events) {
    const at = timeOf(event);
    earliest = Math.min(earliest, at);
    latest = Math.max(latest, at);
  }
  return {
    after: before.after,
    until: String(position),
    lastId: last?.id ?? before.lastId,
    events: count,
    earliest,
    latest,
  };
}

/** The same found by reading the whole log, without the side table. For those who do not want to trust it. */
export async function scanForLastNotAfter(store: EventStore, at: number): Promise<LastNotAfter | undefined> {
  let found: { readonly event: RecordedEvent; readonly laterBefore: number } | undefined;
  let later = 0;
  for await (const { events } of pagesOf(store, { limit: readEvents })) {
    for (const event of events) {
      if (timeOf(event) > at) later += 1;
      else found = { event, laterBefore: later };
    }
    await setImmediate();
  }
  return found && { ...found, countedAll: true };
}
