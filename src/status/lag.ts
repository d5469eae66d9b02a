import { setImmediate as nextTick } from 'node:timers/promises';
import { defined } from '../ground/defined.ts';
import type { EventStore, Position } from '../stores/event-store/port.ts';

/** Something that follows the log: a read model, a consumer group, the signer of the proof log. */
export interface Follower {
  readonly name: string;
  /** It has taken in everything up to here. */
  readonly after: Position;
  /** So many of the events after it are taken in all the same: the place of the last one is not known. */
  readonly skip?: number;
  /** The types that it follows. Undefined: all. */
  readonly types?: ReadonlySet<string>;
}

export interface Lag {
  /** Events that it has not taken in. */
  readonly events: number;
  /** Whether there may be more: counting ended before the head. */
  readonly isMinimum: boolean;
  /** The age of the oldest of them, by its time. 0 when there is none. */
  readonly seconds: number;
  /** The place of the last of the events to skip, where it was reached. */
  readonly skippedTo?: Position;
}

const mostOfPage = 1_000;
/** The most events that are read after one checkpoint, up to the next one or the head. */
export const readAtMost = 10_000;

/**
 * How far followers are behind. One pass over the events after the oldest checkpoint serves all of them. It is bounded,
 * so that asking costs little however far somebody is behind: then the count is a minimum.
 */
export async function lagsOf(
  store: Pick<EventStore, 'readAll'>,
  followers: readonly Follower[],
  head: Position,
  now: Date,
  atMost = readAtMost,
): Promise<ReadonlyMap<string, Lag>> {
  const behind = followers
    .filter(({ after }) => after < head)
    .map((follower) => ({
      ...follower,
      events: 0,
      skipped: 0,
      isMinimum: false,
      oldest: undefined as number | undefined,
      skippedTo: undefined as Position | undefined,
    }));
  const starts = [...new Set(behind.map(({ after }) => after))].sort((one, other) => (one < other ? -1 : 1));
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? head;
    const counting = behind.filter(({ after }) => after <= start);
    let after = start;
    for (let read = 0; after < end;) {
      const limit = Math.min(mostOfPage, atMost);
      const { events, position } = await store.readAll({ after, limit });
      for (const event of events) {
        if (event.position > end) break;
        for (const each of counting) {
          if (each.types && !each.types.has(event.type)) continue;
          if (each.skipped < (each.skip ?? 0)) {
            each.skipped += 1;
            if (each.skipped === each.skip) each.skippedTo = event.position;
            continue;
          }
          each.events += 1;
          each.oldest ??= Date.parse(String(event.metadata['at']));
        }
      }
      read += Math.max(events.length, 1);
      if (position <= after) break;
      after = position;
      // The embedded store reads at once: requests are served between two pages.
      await nextTick();
      if (read >= atMost && after < end) {
        for (const each of counting) each.isMinimum = true;
        break;
      }
    }
  }
  const level: Lag = { events: 0, isMinimum: false, seconds: 0 };
  const lags = new Map<string, Lag>(followers.map(({ name }) => [name, level]));
  for (const { name, events, isMinimum, oldest = NaN, skippedTo } of behind) {
    const seconds = Number.isNaN(oldest) ? 0 : Math.max(0, Math.round((now.getTime() - oldest) / 100) / 10);
    lags.set(name, { events, isMinimum, seconds, ...defined({ skippedTo }) });
  }
  return lags;
}
