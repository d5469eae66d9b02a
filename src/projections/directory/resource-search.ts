import { numberIn } from '../../events/ids.ts';
import type { Location } from '../../events/directory/location.ts';
import { hoursPlaceOf } from '../../events/directory/location.ts';
import { resourceStream, type ResourceEvent, type ResourceFields } from '../../events/directory/resource.ts';
import { resourceFieldsVersion, type ImpersonalFields } from '../../events/directory/resource-fields.ts';
import { streamId } from '../../events/define.ts';
import { defined } from '../../ground/defined.ts';
import { projection } from '../engine/read-model.ts';
import { publicFields } from './shown-fields.ts';
import { resources } from './resources.ts';
import { writtenFacets } from './search-keys.ts';
import { writtenPlaces } from './places.ts';
import { termsOf } from './search-terms.ts';

/** By what a public resource is found, and what a search compares of it without reading the record. */
interface SearchEntries {
  /** See search/terms.ts. */
  readonly terms: string;
  /** Words to complete and to correct those of a query. */
  readonly vocabulary: string;
  /** Where it is: see search/places.ts. */
  readonly places?: string;
  /** When it is open: see search/week.ts. */
  readonly week?: string;
  /** Its cities and languages: see search/facets.ts. */
  readonly facets?: string;
}

/**
 * The entry of a resource in the search index. A read model of its own, because indexing costs more than a list entry
 * does, and neither should wait for the other.
 */
export interface ResourceSearchDocument extends Partial<SearchEntries> {
  readonly svc_id: string;
  readonly number: number;
  readonly team: string;
  readonly listed: 0 | 1;
  readonly category: string;
  readonly updated_at: string;
  /** The entries, where the resource is not public: they are not indexed then. */
  readonly unlisted?: SearchEntries;
}

export const resourceSearch = projection<ResourceSearchDocument, ResourceEvent>({
  version: resourceFieldsVersion + 9,
  deferred: true,
  events: resources.events,
  collection: {
    name: 'resource-search',
    fields: ['number', 'listed', 'category', 'updated_at', 'places', 'week', 'facets'],
    indexes: [
      ['listed', 'number'],
      ['listed', 'category', 'number'],
      ['listed', 'updated_at', 'number'],
      ['listed', 'category', 'updated_at', 'number'],
    ],
    terms: 'terms',
    vocabulary: 'vocabulary',
    cluster: { field: 'number', fromId: numberIn },
  },
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    const updated_at = event.metadata.at;
    switch (event.type) {
      case 'ResourceSubmitted': {
        const { svc_id, id, team, fields } = event.data;
        const entry = { svc_id, number: id, team, listed: 0, updated_at, category: fields.category } as const;
        return { ...entry, unlisted: entriesOf(fields, team) };
      }
      case 'ResourceRevised': {
        if (!doc) return undefined;
        const { svc_id, number, team, listed } = doc;
        const { fields } = event.data;
        const entry = { svc_id, number, team, listed, updated_at, category: fields.category };
        const entries = entriesOf(fields, team);
        return listed ? { ...entry, ...entries } : { ...entry, unlisted: entries };
      }
      case 'ResourceReadFromSource':
      case 'ResourceAbsorbed':
      case 'ResourceReleased':
      case 'ResourceConfirmationLapsed':
        return doc;
      case 'ResourcePersonErased':
      case 'ResourceConfirmed':
        return doc && { ...doc, updated_at };
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return doc && { ...listed(doc), updated_at };
      case 'ResourceRejected':
      case 'ResourceDeactivated':
      case 'ResourceWithdrawn':
      case 'ResourceResubmitted':
      case 'ResourceMerged':
        return doc && { ...unlisted(doc), updated_at };
      case 'ResourceUnmerged':
        return doc && { ...(event.data.status === 'approved' ? listed(doc) : unlisted(doc)), updated_at };
    }
  },
});

function listed({ unlisted: entries, ...doc }: ResourceSearchDocument): ResourceSearchDocument {
  return { ...doc, ...entries, listed: 1 };
}

function unlisted(doc: ResourceSearchDocument): ResourceSearchDocument {
  if (doc.listed === 0) return doc;
  const { svc_id, number, team, category, updated_at, listed: _, ...entries } = doc;
  return { svc_id, number, team, category, updated_at, listed: 0, unlisted: entries as SearchEntries };
}

/** What is confidential must be in none of them: whoever searches learns what a record contains. */
function entriesOf(fields: ResourceFields, team: string): SearchEntries {
  const open = publicFields(fields);
  const [places, week, facets] = [writtenPlaces(open), writtenWeek(open, team), writtenFacets(open)];
  const { terms, vocabulary } = termsOf(open);
  return {
    terms: `${terms} w${team}`,
    vocabulary,
    ...defined({ places, week, facets }),
  };
}

/** What tells whether a resource is open, without the rest of its record. */
export type SearchWeek = Pick<ImpersonalFields, 'opening_hours' | 'time_zone' | 'availability'> & {
  /** Where it has no time zone of its own, what else tells it: see `hoursZone`. */
  readonly utc_offsets?: readonly string[];
  readonly place?: string;
  readonly team?: string;
  /** The hours of its locations, where they have some of their own, and where that is. */
  readonly locations?: readonly (Pick<Location, 'opening_hours'> & { readonly place?: string })[];
};

/** As JSON, without notes. Undefined where neither the record nor one of its locations has structured opening hours. */
export function writtenWeek(
  {
    opening_hours = [],
    time_zone,
    utc_offsets,
    availability,
    locations = [],
  }: Pick<ImpersonalFields, 'opening_hours' | 'time_zone' | 'utc_offsets' | 'availability' | 'locations'>,
  team: string,
): string | undefined {
  const placed = locations.filter(({ opening_hours: here = [] }) => here.length > 0);
  if (opening_hours.length === 0 && placed.length === 0) return undefined;
  const zoned = time_zone !== undefined;
  const places = placed.map((each) => ({
    opening_hours: rulesOf(each.opening_hours),
    ...(zoned ? {} : defined({ place: hoursPlaceOf([each]) })),
  }));
  const week: SearchWeek = {
    opening_hours: rulesOf(opening_hours),
    ...defined({ time_zone, availability, locations: places.length === 0 ? undefined : places }),
  };
  if (zoned) return JSON.stringify(week);
  return JSON.stringify({ ...week, ...defined({ utc_offsets, place: hoursPlaceOf(locations) }), team });
}

const rulesOf = (rules: ImpersonalFields['opening_hours'] = []) => rules.map(({ note: _, ...rule }) => rule);

export const readWeek = (week: string): SearchWeek => JSON.parse(week) as SearchWeek;
