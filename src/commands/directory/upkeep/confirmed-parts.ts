import { agingParts, differingParts, type AgingPart } from '../../../events/directory/upkeep/confirmation.ts';
import type { SourceConfirmed } from '../../../events/directory/upkeep/aging-parts.ts';
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
  /** What its source has confirmed by itself, and stands as the source says. */
  readonly source_confirmed?: SourceConfirmed | undefined;
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

type EventWithFields = Extract<
  ResourceEvent,
  { type: 'ResourceSubmitted' | 'ResourceRevised' | 'ResourceReadFromSource' }
>;
const hasFields = (event: ResourceEvent): event is EventWithFields =>
  ['ResourceSubmitted', 'ResourceRevised', 'ResourceReadFromSource'].includes(event.type);

/** What an event says of the parts that the source has confirmed by themselves. Nothing: they are as before. */
export const sourceConfirmedBy = (event: ResourceEvent): Pick<ConfirmedState, 'source_confirmed'> =>
  hasFields(event) && event.data.source_confirmed ? { source_confirmed: event.data.source_confirmed } : {};

/**
 * The same events with the parts that stand confirmed by the source, where those are others than before. `read`: what the source
 * says now. What it has confirmed counts where the record says the same; whoever changes a part ends that of it.
 */
export function withSourceConfirmed(
  read:
    { readonly fields: ResourceFields; readonly sourceConfirmed?: SourceConfirmed | undefined } | undefined,
  state: ConfirmedState | undefined,
  events: ResourceEvent[],
): ResourceEvent[] {
  const before = state?.source_confirmed ?? {};
  const stands = events.reduce(
    (fields, event) =>
      hasFields(event) && event.type !== 'ResourceReadFromSource' ? event.data.fields : fields,
    state?.fields,
  );
  if (!stands) return events;
  const source_confirmed = read
    ? without(read.sourceConfirmed ?? {}, differingParts(read.fields, stands))
    : without(before, differingParts(state?.fields ?? stands, stands));
  if (agingParts.every((part) => before[part] === source_confirmed[part])) return events;
  const place = events.findLastIndex(hasFields);
  const event = events[place];
  if (event && hasFields(event))
    return events.with(place, { ...event, data: { ...event.data, source_confirmed } } as ResourceEvent);
  const { fields } = read ?? { fields: stands };
  return [...events, { type: 'ResourceReadFromSource', data: { fields, source_confirmed } }];
}

const without = (parts: SourceConfirmed, others: readonly AgingPart[]): SourceConfirmed =>
  Object.fromEntries(
    agingParts.flatMap((part) => {
      const on = parts[part];
      return on === undefined || others.includes(part) ? [] : [[part, on]];
    }),
  );
