import { emptyCaches, type DispatchContext } from '../../../src/dispatch/context.ts';
import { dispatch } from '../../../src/dispatch/dispatcher.ts';
import { pauseRule } from '../../../src/dispatch/delivery-policy.ts';
import { createSender } from '../../../src/dispatch/attempts/sender.ts';
import type { RunningSystem } from '../harness.ts';

/**
 * Sends webhooks for a running system: each delivery is tried once. Answers how to stop. `options`: another rule when a
 * subscription is paused, and where the mails about it go; by default there are none.
 */
export function startSending(
  { system }: RunningSystem,
  options: Partial<Pick<DispatchContext, 'pauseRule' | 'outbox'>> = {},
): () => Promise<void> {
  const { store, documents, side, vault, personal, leases } = system;
  const abort = new AbortController();
  const ended = dispatch(
    {
      ...{ store, documents, side, vault, personal, leases },
      shards: 1,
      sender: createSender({ policy: { allowPrivate: true, ownHosts: [] } }),
      delays: [0],
      pauseRule,
      caches: emptyCaches(),
      now: () => new Date(),
      random: Math.random,
      onRepaired: () => undefined,
      onFault: () => () => undefined,
      ...options,
    },
    abort.signal,
  );
  return async () => {
    abort.abort();
    await ended;
  };
}
