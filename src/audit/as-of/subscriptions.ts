import { hostOf, type SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { subscriptions, type SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { concernedEvents, concernedKinds, type ConcernedParts } from './concerned-events.ts';
import { fold } from './read-models.ts';
import { pageOf, type ListRequest, type ListPage } from './reader.ts';

/** Of the address the host only: path and query often hold a secret of the receiver. */
export type SubscriptionThen = Omit<SubscriptionDocument, 'choices' | 'origin' | 'url_sealed'> & {
  readonly host: string;
};

/** The webhook subscriptions of a team that were not deleted, paused ones too. */
export async function subscriptionsThen(
  parts: ConcernedParts,
  { team }: { readonly team: string },
  list: ListRequest,
): Promise<ListPage<SubscriptionThen>> {
  const folded = new Map<string, SubscriptionDocument>();
  const kind = concernedKinds.subscriptions;
  for await (const events of concernedEvents(parts, kind, { team }, subscriptions.events))
    for (const event of events)
      if ((event.data as SubscriptionEvent['data']).team === team) fold(subscriptions, folded, event);
  const left = [...folded.values()].filter(({ status }) => status !== 'deleted');
  const { entries, ...rest } = pageOf(
    left,
    ({ created_at, subscription }) => `${created_at} ${subscription}`,
    list,
  );
  return { ...rest, entries: entries.map(shown) };
}

const shown = ({
  choices: _choices,
  origin,
  url_sealed: _sealed,
  ...rest
}: SubscriptionDocument): SubscriptionThen => ({ ...rest, host: hostOf({ origin }) });
