import { commandSubscription } from '../commands/webhooks/subscription.ts';
import { subscriptionHealth } from '../projections/webhooks/subscription-health.ts';
import { dispatcherContext, type Because, type DispatchContext } from './context.ts';
import { goneReason, goneStatus } from './policy.ts';
import type { SendOutcome } from './attempts/sender.ts';

/** Pauses a subscription at once after a 410, otherwise when the pause rule applies. */
export async function pauseIfFailing(
  dispatching: DispatchContext,
  subscriptionId: string,
  outcome: SendOutcome,
  because: Because,
): Promise<void> {
  const reason =
    outcome.kind === 'answered' && outcome.status === goneStatus
      ? goneReason
      : await pauseReason(dispatching, subscriptionId);
  if (reason === undefined) return;
  const context = dispatcherContext(crypto.randomUUID(), dispatching.now(), because);
  await commandSubscription(dispatching, subscriptionId, { kind: 'auto-pause', reason }, context);
}

async function pauseReason(
  { documents, pauseRule, now }: DispatchContext,
  subscriptionId: string,
): Promise<string | undefined> {
  const health = await documents.collection(subscriptionHealth.collection).get(subscriptionId);
  if (!health?.failing_since || health.failing.length < pauseRule.deliveries) return undefined;
  if (now().getTime() - Date.parse(health.failing_since) < pauseRule.afterMs) return undefined;
  return `Every attempt has failed since ${health.failing_since}.`;
}
