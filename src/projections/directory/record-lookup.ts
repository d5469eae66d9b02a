import { numberIn } from '../../events/ids.ts';
import { resourceStream, type ResourceEvent, type ResourceFields } from '../../events/directory/resource.ts';
import { firstDayOf } from '../../events/directory/upkeep/confirmation.ts';
import { resourceFieldsVersion } from '../../events/directory/resource-fields.ts';
import { streamId } from '../../events/define.ts';
import { projection, type ProjectedEvent } from '../engine/read-model.ts';
import { lookupTerms, sortKey, type LookedUp } from './lookup-terms.ts';
import {
  confirmationThrough,
  confirmedOf,
  isStale,
  overwritesRevision,
  publicFields,
  shownIn,
  unconfirmed,
} from './shown-fields.ts';
import { resources, type ResourceDocument } from './resources.ts';
import { statusAfter } from './status-after.ts';

/**
 * By what a team looks up its own records, in any status, and the columns by which they are sorted and narrowed down. Not
 * in the index of the public search: there a record that is not public has no term and adds no word, so no public search
 * can find it or depend on it.
 */
export interface RecordLookupDocument {
  readonly svc_id: string;
  readonly number: number;
  readonly team: string;
  readonly status: ResourceDocument['status'];
  readonly category: string;
  /** The names of its organization, of itself and of its town, as lists are sorted: see `sortKey`. */
  readonly organization: string;
  readonly name: string;
  readonly place: string;
  /** The id of the source that it is of. Empty for one that was written here. */
  readonly source: string;
  /** The first day that the date of its last confirmation can mean; see `confirmedIn`. Empty where nobody has confirmed it. */
  readonly verified: string;
  /** The same of a public record, until it was noted that this confirmation is too long ago. Else empty. */
  readonly ages: string;
  /** Time of the last event, as in `resources`. */
  readonly updated_at: string;
  /** What tells it, as JSON: `ConfirmationState`. */
  readonly confirmation: string;
  /** See lookup-terms.ts. */
  readonly terms: string;
}

/** By what a list may be narrowed down, whatever its order. Each index has all of them: see `Condition`. */
export const narrowing = ['status', 'category', 'place', 'source', 'updated_at', 'verified'] as const;

/** By what a list may be sorted, beside the order in which records were submitted. */
export const sortable = [
  'organization',
  'name',
  'place',
  'category',
  'status',
  'updated_at',
  'verified',
] as const;

export const recordLookup = projection<RecordLookupDocument, ResourceEvent>({
  version: resourceFieldsVersion + 4,
  deferred: true,
  events: resources.events,
  collection: {
    name: 'record-lookup',
    fields: [
      'number',
      'team',
      'organization',
      'name',
      'place',
      'category',
      'status',
      'source',
      'updated_at',
      'verified',
      'ages',
    ],
    indexes: [
      ['ages', 'number'],
      ['team', 'number', ...narrowing],
      ...sortable.map(
        (field) => ['team', field, 'number', ...narrowing.filter((each) => each !== field)] as const,
      ),
    ],
    terms: 'terms',
    cluster: { field: 'number', fromId: numberIn },
  },
  overwrites: overwritesRevision,
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    const after = folded(doc, event);
    return after && { ...after, ages: agesFrom(after) };
  },
});

type Unaged = Omit<RecordLookupDocument, 'ages'>;

function folded(
  doc: RecordLookupDocument | undefined,
  event: ProjectedEvent<ResourceEvent>,
): Unaged | undefined {
  const updated_at = event.metadata.at;
  switch (event.type) {
    case 'ResourceSubmitted': {
      const { svc_id, id, team, fields, source } = event.data;
      return {
        svc_id,
        number: id,
        team,
        status: 'submitted',
        source: source?.system ?? '',
        updated_at,
        ...columnsOf({ team, number: id }, fields),
        ...confirmationColumns(unconfirmed, event),
      };
    }
    case 'ResourceRevised':
      return (
        doc && {
          ...doc,
          updated_at,
          ...columnsOf(doc, event.data.fields),
          ...confirmationColumns(doc.confirmation, event),
        }
      );
    case 'ResourceApproved':
      return (
        doc && { ...doc, updated_at, status: 'approved', ...confirmationColumns(doc.confirmation, event) }
      );
    case 'ResourceConfirmed':
      return doc && { ...doc, updated_at, ...confirmationColumns(doc.confirmation, event) };
    case 'ResourceConfirmationLapsed':
    case 'ResourceReadFromSource':
      return doc && { ...doc, ...confirmationColumns(doc.confirmation, event) };
    case 'ResourceReactivated':
    case 'ResourceRejected':
    case 'ResourceResubmitted':
    case 'ResourceDeactivated':
    case 'ResourceWithdrawn':
    case 'ResourceMerged':
    case 'ResourceUnmerged':
      return doc && { ...doc, updated_at, status: statusAfter(event) ?? doc.status };
    case 'ResourcePersonErased':
      return doc && { ...doc, updated_at };
    case 'ResourceAbsorbed':
    case 'ResourceReleased':
      return doc;
  }
}

/** A record that is not public ages for nobody. */
const agesFrom = ({ status, verified, confirmation }: Unaged): string =>
  status === 'approved' && !isStale(confirmation) ? verified : '';

function confirmationColumns(
  before: string,
  event: ProjectedEvent<ResourceEvent>,
): Pick<RecordLookupDocument, 'verified' | 'confirmation'> {
  const confirmation = confirmationThrough(before, event);
  const { on } = confirmedOf({ confirmation }) ?? {};
  return { verified: on === undefined ? '' : firstDayOf(on), confirmation };
}

/** What is confidential is in none of them, as in the list. */
function columnsOf(
  { team, number }: Pick<RecordLookupDocument, 'team' | 'number'>,
  fields: ResourceFields,
): Pick<RecordLookupDocument, 'category' | 'organization' | 'name' | 'place' | 'terms'> {
  const shown = shownIn('developer', publicFields(fields)) as unknown as LookedUp;
  return {
    category: fields.category,
    organization: sortKey(shown.organization?.name),
    name: sortKey(shown.name),
    place: sortKey(shown.city),
    terms: lookupTerms(team, number, shown).join(' '),
  };
}
