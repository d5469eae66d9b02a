import { LRUCache } from 'lru-cache';
import { entries } from '../../../ground/capacity.ts';
import { refusedSignInStream, type RefusedSignInEvent } from '../../../events/accounts/refused-sign-in.ts';
import { streamName } from '../../../events/define.ts';
import { newEvent } from '../../../events/new-event.ts';
import { limitTable } from '../../../tables/limits.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { Limits } from '../../../stores/limits/port.ts';

/** How many bursts are remembered, so that refusals within one cost nothing. */
const remembered = 5_000;

interface Parts {
  readonly store: EventStore;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly onFault: (error: unknown) => void;
}

/**
 * Records bursts of refused sign-ins, not each one: anybody can cause them. Whoever is refused does not wait for it, so
 * that the time of the answer does not tell whether there is an account.
 */
export function refusedSignIns({ store, limits, now, onFault }: Parts) {
  const recorded = new LRUCache<string, true>({
    ...entries(remembered),
    ttl: limitTable['refused-burst'].windowSeconds * 1_000,
  });

  async function record(data: RefusedSignInEvent['data']): Promise<void> {
    const at = now();
    const burst = data.user ?? data.network;
    if (recorded.has(burst)) return;
    recorded.set(burst, true);
    const { seconds } = await limits.take(['refused-burst', burst], ['refused-day', 'all']);
    if (seconds > 0) return;
    const stream = streamName(refusedSignInStream, at.toISOString().slice(0, 10));
    const context = {
      actor: { kind: 'system', id: 'sign-in' },
      commandId: crypto.randomUUID(),
      at,
    } as const;
    await store.append(stream, [newEvent(stream, { type: 'SignInsRefused', data }, 0, context)], 'any');
  }
  return (data: RefusedSignInEvent['data']): Promise<void> => record(data).catch(onFault);
}
