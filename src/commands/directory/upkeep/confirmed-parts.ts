import { agingParts, differingParts, type AgingPart } from '../../../events/directory/upkeep/confirmation.ts';
import type { ResourceEvent, ResourceSource } from '../../../events/directory/resource.ts';
import type { ResourceFields } from '../../../events/directory/resource-fields.ts';

/** What of a record decides whether a confirmation of it has ended. */
export interface ConfirmedState {
  readonly fields: ResourceFields;
  readonly source?: ResourceSource | undefined;
  /** What its source said of it last. */
  readonly base?: ResourceFields;
  /** What of it people have confirmed, as it stands. */
  readonly confirmed?: readonly AgingPart[];
  /** The day of verification before the team set another one, and what people had confirmed: both come back when that is undone. */
  readonly beforeVerified?:
    { readonly day: string | undefined; readonly confirmed: readonly AgingPart[] } | undefined;
}

/** Whoever approves what was written here, or sets the day of verification, has confirmed all of it. */
export function confirmedAfter(
  { confirmed = [], beforeVerified, source, base, fields }: ConfirmedState,
  event: ResourceEvent,
): Pick<ConfirmedState, 'confirmed' | 'beforeVerified'> {
  if (event.type === 'ResourceConfirmed') {
    const { parts } = event.data;
    if (!parts) return { confirmed: agingParts, beforeVerified: undefined };
    return {
      confirmed: both(confirmed, parts),
      beforeVerified: beforeVerified && {
        ...beforeVerified,
        confirmed: both(beforeVerified.confirmed, parts),
      },
    };
  }
  if (event.type === 'ResourceApproved' && !source)
    return { confirmed: agingParts, beforeVerified: undefined };
  if (event.type !== 'ResourceRevised') return { confirmed, beforeVerified };
  const { fields: after, from_source, unconfirmed = [], confirmed: changed = [] } = event.data;
  const [day, dayBefore] = [after.last_verified, fields.last_verified];
  const left = (some: readonly AgingPart[]) =>
    both(some, changed).filter((part) => !unconfirmed.includes(part));
  if (from_source) return { confirmed: left(confirmed), beforeVerified: undefined };
  if (day === dayBefore) return { confirmed: left(confirmed), beforeVerified };
  if (beforeVerified && day === beforeVerified.day)
    return { confirmed: left(beforeVerified.confirmed), beforeVerified: undefined };
  if (day === undefined || day === base?.last_verified)
    return { confirmed: left(confirmed), beforeVerified: undefined };
  return { confirmed: left(agingParts), beforeVerified: { day: dayBefore, confirmed } };
}

const both = (one: readonly AgingPart[], other: readonly AgingPart[]): readonly AgingPart[] =>
  agingParts.filter((part) => one.includes(part) || other.includes(part));

/** Whoever changes a part of a record has looked at it. Not so at the rest. */
export const confirmedByChange = ({ fields }: ConfirmedState, events: ResourceEvent[]): ResourceEvent[] =>
  events.map((event) => {
    if (event.type !== 'ResourceRevised') return event;
    const confirmed = differingParts(fields, event.data.fields);
    return confirmed.length === 0 ? event : { ...event, data: { ...event.data, confirmed } };
  });

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
