import { agingParts, differingParts, type AgingPart } from '../../../events/directory/upkeep/confirmation.ts';
import type { ResourceEvent, ResourceSource } from '../../../events/directory/resource.ts';
import type { ResourceFields } from '../../../events/directory/resource-fields.ts';

/** What of a record decides whether a confirmation of it has ended. */
export interface ConfirmedState {
  readonly fields: ResourceFields;
  readonly source?: ResourceSource | undefined;
  /** What of it people have confirmed, as it stands. */
  readonly confirmed?: readonly AgingPart[];
}

/** Whoever approves what was written here, or sets the day of verification, has confirmed all of it. */
export function confirmedAfter(
  { confirmed = [], source, fields }: ConfirmedState,
  event: ResourceEvent,
): readonly AgingPart[] {
  if (event.type === 'ResourceConfirmed') {
    const { parts = agingParts } = event.data;
    return agingParts.filter((part) => confirmed.includes(part) || parts.includes(part));
  }
  if (event.type === 'ResourceApproved') return source ? confirmed : agingParts;
  if (event.type !== 'ResourceRevised') return confirmed;
  const { fields: after, from_source, unconfirmed = [] } = event.data;
  const isVerified = after.last_verified !== undefined && after.last_verified !== fields.last_verified;
  return (!from_source && isVerified ? agingParts : confirmed).filter((part) => !unconfirmed.includes(part));
}

/** What a source changes, nobody has confirmed. */
export const changedBySource = (
  { confirmed = [], fields }: ConfirmedState,
  events: ResourceEvent[],
): ResourceEvent[] =>
  events.map((event) => {
    if (event.type !== 'ResourceRevised' || confirmed.length === 0) return event;
    const changed = differingParts(fields, event.data.fields);
    const unconfirmed = confirmed.filter((part) => changed.includes(part));
    return unconfirmed.length === 0 ? event : { ...event, data: { ...event.data, unconfirmed } };
  });
