import { streamId } from '../../../events/define.ts';
import { resourceStream, type ResourceEvent } from '../../../events/directory/resource.ts';
import { firstDayOf } from '../../../events/directory/upkeep/confirmation.ts';
import { projection, type ProjectedEvent } from '../../engine/read-model.ts';
import { resources } from '../resources.ts';
import { statusAfter } from '../status-after.ts';
import { confirmationThrough, confirmedOf, unconfirmed } from '../shown-fields.ts';

/** For so many days after its confirmation a record counts as confirmed. */
export const freshDays = 183;

/** What is summed up over the records of a team. Each sum is one of a day (YYYY-MM-DD), or of no day (empty). */
export type FreshnessKind =
  /** How many records are public. Of no day. */
  | 'public'
  /** How many public records were confirmed last on the day. Of no day: how many never were. */
  | 'confirmed'
  /** How many more records were public at the end of the day than at its beginning. */
  | 'public-change'
  /** The same of the public records that count as confirmed. It has the days to come on which they will not count any more. */
  | 'fresh-change';

/** What is kept of a record, or a sum over the records of its team. */
export interface RecordFreshnessDocument {
  readonly team: string;
  /** Of a record: whether it is public. */
  readonly listed?: 0 | 1;
  /** Of a record: as `verified` of `recordLookup`. */
  readonly verified?: string;
  /** Of a record: `ConfirmationState` as JSON. */
  readonly confirmation?: string;
  /** Of a sum. */
  readonly kind?: FreshnessKind;
  readonly day?: string;
  readonly sum?: number;
}

/**
 * How many of the public records of a team were confirmed lately, now and on past days. The days are those of the events
 * (UTC), so it is the same after a rebuild.
 */
export const recordFreshness = projection<RecordFreshnessDocument, ResourceEvent>({
  version: 1,
  // With `record-lookup`, whose tables stand beside what is read here.
  deferred: true,
  events: resources.events,
  collection: {
    name: 'record-freshness',
    fields: ['team', 'kind', 'day', 'sum'],
    indexes: [['kind', 'team', 'day', 'sum']],
  },
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    if (event.type === 'ResourceSubmitted')
      return { team: event.data.team, listed: 0, ...confirmationOf(unconfirmed, event) };
    if (doc?.confirmation === undefined) return undefined;
    const status = statusAfter(event);
    const listed = status === undefined ? (doc.listed ?? 0) : status === 'approved' ? 1 : 0;
    return { ...doc, listed, ...confirmationOf(doc.confirmation, event) };
  },
  sums: {
    of(before, after, event) {
      const changes = new Map<string, number>();
      const [was, is] = [publicOf(before), publicOf(after)];
      const team = (after ?? before)?.team;
      if (team === undefined || (was === undefined && is === undefined) || was?.verified === is?.verified)
        return changes;
      const day = event.metadata.at.slice(0, 10);
      const add = (kind: FreshnessKind, of: string, amount: number) => {
        const id = freshnessSumId(team, kind, of);
        changes.set(id, (changes.get(id) ?? 0) + amount);
      };
      const count = (of: { readonly verified: string }, amount: 1 | -1) => {
        add('public', '', amount);
        add('public-change', day, amount);
        add('confirmed', of.verified, amount);
        if (of.verified === '') return;
        const ends = firstDayAfter(of.verified);
        if (ends <= day) return;
        add('fresh-change', day, amount);
        add('fresh-change', ends, -amount);
      };
      if (was) count(was, -1);
      if (is) count(is, 1);
      return changes;
    },
    add(doc, id, amount) {
      const sum = (doc?.sum ?? 0) + amount;
      const [team = '', kind, day = ''] = id.split('/');
      return sum === 0 ? undefined : { team, kind: kind as FreshnessKind, day, sum };
    },
  },
});

/** No record has such an id. */
export const freshnessSumId = (team: string, kind: FreshnessKind, day = ''): string =>
  `${team}/${kind}/${day}`;

/** The first day on which a confirmation of this day does not count any more. */
export function firstDayAfter(confirmed: string): string {
  const at = new Date(Date.parse(`${confirmed}T00:00:00Z`) + (freshDays + 1) * 86_400_000);
  // A source may give any day of four digits.
  return at.getUTCFullYear() > 9_999 ? '9999-12-31' : at.toISOString().slice(0, 10);
}

const publicOf = (doc: RecordFreshnessDocument | undefined) =>
  doc?.listed === 1 && doc.verified !== undefined ? { verified: doc.verified } : undefined;

function confirmationOf(
  before: string,
  event: ProjectedEvent<ResourceEvent>,
): Required<Pick<RecordFreshnessDocument, 'verified' | 'confirmation'>> {
  const confirmation = confirmationThrough(before, event);
  const { on } = confirmedOf({ confirmation }) ?? {};
  return { verified: on === undefined ? '' : firstDayOf(on), confirmation };
}
