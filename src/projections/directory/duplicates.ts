import type { Likeness, MergesEvent } from '../../events/directory/merges.ts';
import type { Actor } from '../../events/metadata.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { resourceFieldsVersion, type ImpersonalFields } from '../../events/directory/resource-fields.ts';
import { streamId } from '../../events/define.ts';
import { withShownNames } from '../../events/directory/shown-name.ts';
import { defined } from '../../ground/defined.ts';
import { numberIn } from '../../events/ids.ts';
import { projection } from '../engine/define.ts';
import { resources } from './resources.ts';
import { cityKey, phoneKeys, postalCodeKey } from './search-keys.ts';
import { searchWords, stemsOf, tellingWords, together } from './search-words.ts';

/** By what a record is compared with others of its team. Each is a key: equal texts mean the same. */
export interface Traces {
  readonly organization: string;
  readonly phones: readonly string[];
  readonly places: readonly TracedPlace[];
  /** Its web page, where it is more than the first one of a site. */
  readonly web?: string;
}

interface TracedPlace {
  /** Written together. Empty where only the town is named. */
  readonly street: string;
  /** The number of the house and the words beside it, without those for streets, directions and rooms. */
  readonly house: readonly string[];
  /** The quarter of the town, where the address names one: 400 6th Street is in Washington twice. */
  readonly quarter?: string;
  readonly city: string;
  readonly code: string;
}

/** The traces of a record, short enough to read those of a whole directory. */
export interface DuplicateTracesDocument {
  readonly svc_id: string;
  readonly number: number;
  readonly team: string;
  /** 1 where it is public or waits for review. */
  readonly open: 0 | 1;
  /** The telling words of its name, each once: records are compared with those of the same name. */
  readonly name_key: string;
  /** As JSON. */
  readonly traces: string;
}

export const duplicateTraces = projection<DuplicateTracesDocument, ResourceEvent>({
  version: resourceFieldsVersion,
  events: resources.events,
  collection: {
    name: 'duplicate-traces',
    fields: ['number', 'team', 'open', 'name_key'],
    indexes: [['team', 'open', 'name_key', 'number']],
    cluster: { field: 'number', fromId: numberIn },
  },
  overwrites: ['ResourceRevised'],
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    switch (event.type) {
      case 'ResourceSubmitted': {
        const { svc_id, id: number, team, fields } = event.data;
        return { svc_id, number, team, open: 1, ...keysOf(fields) };
      }
      case 'ResourceRevised':
        return doc && { ...doc, ...keysOf(event.data.fields) };
      case 'ResourceApproved':
      case 'ResourceReactivated':
      case 'ResourceResubmitted':
        return doc && { ...doc, open: 1 };
      case 'ResourceRejected':
      case 'ResourceDeactivated':
      case 'ResourceWithdrawn':
      case 'ResourceMerged':
        return doc && { ...doc, open: 0 };
      case 'ResourceUnmerged':
        return doc && { ...doc, open: ['approved', 'submitted'].includes(event.data.status) ? 1 : 0 };
      case 'ResourceAbsorbed':
      case 'ResourceReleased':
      case 'ResourcePersonErased':
      case 'ResourceReadFromSource':
        return doc;
    }
  },
});

type TracedFields = Pick<
  ImpersonalFields,
  'name' | 'organization' | 'phones' | 'locations' | 'url' | 'category'
>;

function keysOf(fields: TracedFields): Pick<DuplicateTracesDocument, 'name_key' | 'traces'> {
  const { name } = withShownNames(fields);
  return { name_key: wordsOf(name).join(' '), traces: JSON.stringify(tracesOf(fields)) };
}

/** Words of names that tell no service from another. */
const common = new Set(
  stemsOf('inc incorporated llc corp corporation company co ltd program programs programa'.split(' ')),
);

function wordsOf(text: string): readonly string[] {
  const words = [...new Set(stemsOf(tellingWords(text)))].sort();
  const telling = words.filter((word) => !common.has(word));
  return telling.length > 0 ? telling : words;
}

function tracesOf(fields: TracedFields): Traces {
  const { phones = [], locations = [], url } = fields;
  const numbers = [...phones, ...locations.flatMap((each) => each.phones ?? [])];
  const web = url === undefined ? undefined : webKey(url);
  return {
    organization: wordsOf(withShownNames(fields).organization?.name ?? '').join(' '),
    phones: [...new Set(numbers.flatMap(({ number }) => phoneKeys(number).slice(0, 1)))],
    places: locations.flatMap(({ street = '', city = '', postal_code = '' }) =>
      street === ''
        ? []
        : [
            {
              street: together(street),
              house: houseIn(street),
              ...defined({ quarter: /\b(?:nw|ne|sw|se)\b/i.exec(street)?.[0].toLowerCase() }),
              city: cityKey(city),
              code: postalCodeKey(postal_code),
            },
          ],
    ),
    ...(web === undefined ? {} : { web }),
  };
}

/** Of an address: words for streets, directions and rooms, which people write in many ways or leave out. */
const loose = new Set(
  (
    'street st str avenue ave av road rd drive dr boulevard blvd lane ln court ct place pl highway hwy parkway pkwy terrace ter circle cir ' +
    'north south east west n s e w ne nw se sw suite ste unit room rm floor fl building bldg number no apt'
  ).split(' '),
);

/** "1480 Girard St, NW" and "1480 Girard Street NW" are the same house: its number, and the words up to a comma. */
function houseIn(street: string): readonly string[] {
  const words = searchWords(street.split(',').find((part) => /\d/.test(part)) ?? street);
  const number = words.findIndex((word) => /^\d+[a-z]?$/.test(word));
  if (number === -1) return [];
  const beside = words
    .slice(number + 1)
    .filter((word) => !loose.has(word))
    .map((word) => word.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1'));
  return [words[number] ?? '', ...beside.slice(0, 1)];
}

/** Host and path, without what people write differently. The first page of a site stands for all its services. */
function webKey(url: string): string | undefined {
  const { host, pathname, search } = URL.parse(url) ?? {};
  const path = `${pathname ?? ''}${search ?? ''}`.replace(/\/(index\.\w+)?$/, '').toLowerCase();
  return host === undefined || path === '' ? undefined : `${host.replace(/^www\./, '')}${path}`;
}

/**
 * What two records of the same name have in common. Undefined: they are no duplicates. The same programme at two places is two, so
 * streets that differ, or phones that differ where nothing else is the same, tell them apart.
 */
export function duplicateIn(one: Traces, other: Traces): readonly Likeness[] | undefined {
  const phone = one.phones.some((each) => other.phones.includes(each));
  const web = one.web !== undefined && one.web === other.web;
  const address = one.places.some((place) => other.places.some((each) => isSamePlace(place, each)));
  const bothPlaced = one.places.length > 0 && other.places.length > 0;
  const bothCalled = one.phones.length > 0 && other.phones.length > 0;
  if (bothPlaced && !address) return undefined;
  if (bothCalled && !phone && !web) return undefined;
  const sameOrganization = one.organization !== '' && one.organization === other.organization;
  if (
    !phone &&
    !web &&
    !(sameOrganization || (address && (one.organization === '' || other.organization === '')))
  )
    return undefined;
  return [
    'name',
    ...(phone ? (['phone'] as const) : []),
    ...(address ? (['address'] as const) : []),
    ...(web ? (['web'] as const) : []),
  ];
}

function isSamePlace(one: TracedPlace, other: TracedPlace): boolean {
  const sameTown =
    (one.code !== '' && one.code === other.code) ||
    one.city === other.city ||
    one.city === '' ||
    other.city === '';
  const sameHouse = one.house.length > 1 && one.house.join() === other.house.join();
  const sameQuarter =
    one.quarter === undefined || other.quarter === undefined || one.quarter === other.quarter;
  return sameTown && sameQuarter && (one.street === other.street || sameHouse);
}

/** What a team has decided about duplicates: a merge, or that records are none. */
export interface DuplicateDecisionDocument {
  readonly id: string;
  readonly team: string;
  readonly kind: 'merge' | 'dismissal';
  /** Of a merge: the one that went, and the one that stayed. */
  readonly records: readonly string[];
  readonly in_common: readonly string[];
  readonly at: string;
  readonly by: Actor;
  readonly undone_at?: string;
}

export const duplicateDecisions = projection<DuplicateDecisionDocument, MergesEvent>({
  version: 1,
  events: ['MergeBegun', 'MergeUndone', 'DuplicatesDismissed'],
  collection: {
    name: 'duplicate-decisions',
    fields: ['id', 'team', 'kind', 'at'],
    indexes: [['team', 'kind', 'at', 'id']],
  },
  idOf: (event) => (event.type === 'DuplicatesDismissed' ? event.id : event.data.merge),
  fold(doc, event) {
    const { at, actor: by } = event.metadata;
    const { data } = event;
    if (event.type === 'MergeUndone') return doc && { ...doc, undone_at: at };
    if ('records' in data)
      return {
        ...{ id: event.id, team: data.team, kind: 'dismissal', at, by },
        ...{ records: data.records, in_common: data.in_common },
      };
    const { merge: id, team, duplicate, survivor } = data;
    return { id, team, kind: 'merge', records: [duplicate, survivor], in_common: [], at, by };
  },
});
