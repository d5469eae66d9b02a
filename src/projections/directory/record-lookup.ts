import { numberIn } from '../../events/ids.ts';
import { resourceStream, type ResourceEvent, type ResourceFields } from '../../events/directory/resource.ts';
import { resourceFieldsVersion } from '../../events/directory/resource-fields.ts';
import { streamId } from '../../events/define.ts';
import { projection } from '../engine/define.ts';
import { categoryTerm, lookupTerms, statusTerm, type LookedUp } from './lookup-terms.ts';
import { publicFields, shownIn } from './shown-fields.ts';
import { resources } from './resources.ts';

/**
 * By what a team looks up its own records, in any status. Not in the index of the public search: there a record that is
 * not public has no term and adds no word, so no public search can find it or depend on it.
 */
export interface RecordLookupDocument {
  readonly svc_id: string;
  readonly number: number;
  readonly team: string;
  /** The status first, then the rest: see lookup-terms.ts. */
  readonly terms: string;
}

type Status = 'submitted' | 'approved' | 'rejected' | 'inactive';

export const recordLookup = projection<RecordLookupDocument, ResourceEvent>({
  version: resourceFieldsVersion,
  deferred: true,
  events: resources.events,
  collection: {
    name: 'record-lookup',
    fields: ['number'],
    indexes: [],
    terms: 'terms',
    cluster: { field: 'number', fromId: numberIn },
  },
  overwrites: ['ResourceRevised'],
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    switch (event.type) {
      case 'ResourceSubmitted': {
        const { svc_id, id, team, fields } = event.data;
        return {
          svc_id,
          number: id,
          team,
          terms: `${statusTerm(team, 'submitted')} ${termsOf(team, fields)}`,
        };
      }
      case 'ResourceRevised': {
        if (!doc) return undefined;
        const [status = ''] = doc.terms.split(' ', 1);
        return { ...doc, terms: `${status} ${termsOf(doc.team, event.data.fields)}` };
      }
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return doc && withStatus(doc, 'approved');
      case 'ResourceRejected':
        return doc && withStatus(doc, 'rejected');
      case 'ResourceResubmitted':
        return doc && withStatus(doc, 'submitted');
      case 'ResourceDeactivated':
      case 'ResourceWithdrawn':
        return doc && withStatus(doc, 'inactive');
      case 'ResourcePersonErased':
      case 'ResourceReadFromSource':
        return doc;
    }
  },
});

const withStatus = (doc: RecordLookupDocument, status: Status): RecordLookupDocument => ({
  ...doc,
  terms: doc.terms.replace(/^\S+/, statusTerm(doc.team, status)),
});

/** What is confidential is in none of them, as in the list. */
function termsOf(team: string, fields: ResourceFields): string {
  const shown = shownIn('developer', publicFields(fields)) as unknown as LookedUp;
  return [categoryTerm(team, fields.category), ...lookupTerms(team, shown)].join(' ');
}
