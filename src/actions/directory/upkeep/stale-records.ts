import { lapse } from '../../../commands/directory/upkeep/lapse.ts';
import { firstDayOf, type Confirmation } from '../../../events/directory/upkeep/confirmation.ts';
import type { ResourceEvent } from '../../../events/directory/resource.ts';
import { svcIdOf } from '../../../events/ids.ts';
import { pause } from '../../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../../ground/job.ts';
import { projected, type ProjectedEvent } from '../../../projections/engine/read-model.ts';
import { NotYetVisible, visible } from '../../../projections/engine/read-your-writes.ts';
import { recordLookup } from '../../../projections/directory/record-lookup.ts';
import {
  confirmationThrough,
  confirmedOf,
  unconfirmed,
} from '../../../projections/directory/shown-fields.ts';
import type { RecordedEvent } from '../../../stores/event-store/port.ts';
import type { ActionParts } from '../../action.ts';

/** Between two rounds. With `mostAtOnce` this is what subscribers are told at most: 600 records an hour. */
export const roundMs = 10 * 60_000;
const mostAtOnce = 100;

const levelWithinMs = 60_000;
const dayMs = 86_400_000;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'side'>;

/** When the last round began, in ISO 8601. It outlives the process, so that a restart tells nobody sooner. */
const rounds = ({ side }: Parts) => side.table<string>('stale-records');

/**
 * Starts the job that notices which records nobody has confirmed for `days`. It runs in one process at a time.
 */
export const startStaleRecords = (parts: Parts, days: number, supervision: Supervision): Job =>
  startJob(supervision, {
    name: 'stale-records',
    lease: 'stale-records',
    async work(signal, progress) {
      while (!signal.aborted) {
        const wait = await untilNextRound(parts, new Date());
        if (wait > 0) await pause(wait, signal);
        else {
          await markStaleRecords(parts, days, new Date());
          progress.succeeded();
        }
      }
    },
  });

/** How long it is until the next round, in milliseconds, and at most `roundMs`. */
export async function untilNextRound(parts: Parts, now: Date): Promise<number> {
  const last = await rounds(parts).get('round');
  const passed = last === undefined ? roundMs : now.getTime() - Date.parse(last);
  return Math.min(Math.max(roundMs - passed, 0), roundMs);
}

/**
 * Says of the public records whose last confirmation as a whole is more than `days` days ago that it is, those first that were
 * confirmed the longest ago. Returns how many it said it of.
 */
export async function markStaleRecords(parts: Parts, days: number, now: Date): Promise<number> {
  const { store, documents } = parts;
  await rounds(parts).put('round', now.toISOString());
  try {
    await visible(documents, [recordLookup.collection.name], await store.head(), levelWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return 0;
    throw error;
  }
  // As pages do: a confirmation holds until the end of its last day.
  const lastDay = firstDayOf(new Date(now.getTime() - (days + 1) * dayMs).toISOString());
  const due = await documents.collection(recordLookup.collection).select(
    {
      orderBy: ['ages', 'number'],
      from: firstYear,
      upTo: [lastDay, Number.MAX_SAFE_INTEGER],
      limit: mostAtOnce,
    },
    ['number'],
  );
  let marked = 0;
  for (const { number } of due) {
    const context = { actor: job, commandId: crypto.randomUUID(), at: now };
    const { events } = await lapse(store, svcIdOf(number), tooOld(lastDay), context);
    marked += events.length;
  }
  return marked;
}

/** Before it are those that do not age: empty. */
const firstYear = '0';
const job = { kind: 'system', id: 'stale-records' } as const;

/** What the events of a record say, which a read model may not show yet. */
const tooOld =
  (lastDay: string) =>
  (history: readonly RecordedEvent[]): Confirmation | undefined => {
    const confirmation = history.reduce(
      (before, event) => confirmationThrough(before, projected(event) as ProjectedEvent<ResourceEvent>),
      unconfirmed,
    );
    const { on, by } = confirmedOf({ confirmation }) ?? {};
    return on !== undefined && by !== undefined && firstDayOf(on) <= lastDay ? { on, by } : undefined;
  };
