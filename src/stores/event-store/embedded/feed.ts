import { pause } from '../../../ground/back-off.ts';
import type { FeedOptions } from '../group-source.ts';
import { beginning, type EventFilter } from '../port.ts';
import type { ConsumerGroups } from './consumers.ts';
import type { EventReader } from './reader.ts';
import { EventsUnderWay } from './under-way.ts';
import type { Wakeup } from './wakeup.ts';
import { hasAborted } from '../../../ground/retry.ts';

/** How often an idle consumer looks for events that other consumers did not settle. */
const idleClaimMs = 1_000;

/** The competing consumers of one group, in the file of consumer groups. Resolves when the signal aborts. */
export async function feed(
  log: { readonly reader: EventReader; readonly wakeup: Wakeup; readonly groups: ConsumerGroups },
  group: string,
  filter: EventFilter,
  { signal, batchSize, underWay: mostUnderWay, ...handling }: Omit<FeedOptions, 'begin'>,
): Promise<void> {
  const { reader, wakeup, groups } = log;
  const underWay = new EventsUnderWay(groups, group, handling);
  let lookedUpTo = Number(beginning);
  let claimAt = 0;
  while (!hasAborted(signal) || underWay.size > 0) {
    if (underWay.write(Date.now())) claimAt = 0;
    if (hasAborted(signal) || underWay.size >= mostUnderWay) {
      if (underWay.size > 0) await first([(until) => underWay.result(until)]);
      continue;
    }
    // Most appends do not concern this group: reading the log costs far less than a claim.
    const ahead = reader.page(lookedUpTo, filter, 1);
    const before = lookedUpTo;
    if (ahead.events.length === 0) lookedUpTo = Number(ahead.position);
    if (lookedUpTo > before) continue;
    const untilClaim = claimAt - Date.now();
    if (ahead.events.length === 0 && untilClaim > 0) {
      const waits = [
        (until: AbortSignal) => wakeup.next(lookedUpTo, until, filter),
        (until: AbortSignal) => pause(untilClaim, until),
        ...(underWay.size > 0 ? [(until: AbortSignal) => underWay.result(until)] : []),
      ];
      await first(waits, signal);
      continue;
    }
    const room = Math.min(batchSize, mostUnderWay - underWay.size);
    const { events: claimed, upTo } = groups.claim(group, filter, room, Date.now());
    lookedUpTo = Math.max(lookedUpTo, upTo);
    if (claimed.length === 0) {
      const due = groups.nextDueIn(group, Date.now()) ?? idleClaimMs;
      claimAt = Date.now() + Math.min(due, idleClaimMs);
      continue;
    }
    claimAt = 0;
    underWay.handle(claimed);
  }
}

/** Waits for the first of several, and ends the others. */
async function first(
  waits: readonly ((until: AbortSignal) => Promise<void>)[],
  signal?: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  await Promise.race(waits.map((wait) => wait(until)));
  over.abort();
}
