import type { MergesEvent } from '../../events/directory/merges.ts';
import type { Actor } from '../../events/metadata.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { resourceFieldsVersion, type ImpersonalFields } from '../../events/directory/resource-fields.ts';
import type { Location } from '../../events/directory/location.ts';
import { streamId } from '../../events/define.ts';
import { withShownNames } from '../../events/directory/shown-name.ts';
import { defined } from '../../ground/defined.ts';
import { numberIn } from '../../events/ids.ts';
import { stem } from '../../tables/stem.ts';
import { projection } from '../engine/read-model.ts';
import { resources } from './resources.ts';
import { statusAfter } from './status-after.ts';
import { overwritesRevision } from './shown-fields.ts';
import { cityKey, phoneKeys, postalCodeKey } from './search-keys.ts';
import { searchWords, stemsOf, tellingWords, together } from './search-words.ts';

/** By what a record is compared with others of its team. Each is a key: equal texts mean the same. */
export interface Traces {
  /** The telling words of its name, in their order, not stemmed: a wrong letter changes what the stem is. */
  readonly name: readonly string[];
  /** The first letters of the words of its name: with and without those that tell nothing. */
  readonly initials: readonly string[];
  /** The telling words of its other name, which may be that of a programme. */
  readonly alternate?: string;
  readonly organization: string;
  readonly phones: readonly string[];
  readonly places: readonly TracedPlace[];
  /** Its web page, where it is more than the first one of a site. */
  readonly web?: string;
}

export interface TracedPlace {
  /** Written together. Empty where only the town is named. */
  readonly street: string;
  /** The number of the house and the words beside it, without those for streets, directions and rooms. */
  readonly house: readonly string[];
  /** The quarter of the town, where the address names one: 400 6th Street is in Washington twice. */
  readonly quarter?: string;
  readonly city: string;
  readonly code: string;
  /** Latitude and longitude. */
  readonly point?: readonly [number, number];
}

/** The traces of a record, short enough to read those of a whole directory. */
export interface DuplicateTracesDocument {
  readonly svc_id: string;
  readonly number: number;
  readonly team: string;
  /** 1 where it is public or waits for review. */
  readonly open: 0 | 1;
  /** Records that have one of these keys in common are compared, and no others. As text, separated by spaces. */
  readonly keys: string;
  /** As JSON. */
  readonly traces: string;
}

export const duplicateTraces = projection<DuplicateTracesDocument, ResourceEvent>({
  version: resourceFieldsVersion + 1,
  deferred: true,
  events: resources.events,
  collection: {
    name: 'duplicate-traces',
    fields: ['number', 'team', 'open', 'keys'],
    indexes: [['team', 'open', 'number', 'keys']],
    cluster: { field: 'number', fromId: numberIn },
  },
  overwrites: overwritesRevision,
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    if (event.type === 'ResourceSubmitted') {
      const { svc_id, id: number, team, fields } = event.data;
      return { svc_id, number, team, open: 1, ...keysOf(fields) };
    }
    if (event.type === 'ResourceRevised') return doc && { ...doc, ...keysOf(event.data.fields) };
    const status = statusAfter(event);
    return doc && status ? withOpen(doc, status === 'approved' || status === 'submitted' ? 1 : 0) : doc;
  },
});

const withOpen = (doc: DuplicateTracesDocument, open: 0 | 1): DuplicateTracesDocument =>
  doc.open === open ? doc : { ...doc, open };

type TracedFields = Pick<
  ImpersonalFields,
  'name' | 'alternate_name' | 'organization' | 'phones' | 'locations' | 'url' | 'category'
>;

/** Of a record with hundreds of places and phones, the first tell enough. */
const mostPhones = 6;
const mostPlaces = 6;
/** A long name is compared by its first words. */
const mostWords = 16;

function keysOf(fields: TracedFields): Pick<DuplicateTracesDocument, 'keys' | 'traces'> {
  const traces = tracesOf(fields);
  return { keys: blockKeys(traces).join(' '), traces: JSON.stringify(traces) };
}

/** Words of names that tell no service from another. */
const common = new Set(
  stemsOf('inc incorporated llc corp corporation company co ltd program programs programa'.split(' ')),
);

/** The words that tell something, each once. */
function wordsOf(text: string): readonly string[] {
  const words = tellingWords(text);
  const telling = words.filter((word) => !common.has(stem(word)));
  return [...new Map((telling.length > 0 ? telling : words).map((word) => [stem(word), word])).values()];
}

/** The same of names that differ in the order and the endings of their words. */
export const keyOf = (words: readonly string[]): string => stemsOf(words).toSorted().join(' ');

const initialsOf = (words: readonly string[]): string => words.map((word) => word.slice(0, 1)).join('');

function tracesOf(fields: TracedFields): Traces {
  const { phones = [], locations = [], url, alternate_name: other } = fields;
  const named = withShownNames(fields);
  const numbers = [...phones, ...locations.flatMap((each) => each.phones ?? [])];
  const web = url === undefined ? undefined : webKey(url);
  const words = wordsOf(named.name).slice(0, mostWords);
  const initials = [searchWords(named.name), tellingWords(named.name), words].map(initialsOf);
  return {
    name: withoutAcronym(words, initials),
    initials: [...new Set(stemsOf(initials))],
    ...defined({ alternate: other === undefined ? undefined : keyOf(wordsOf(other)), web }),
    organization: keyOf(wordsOf(named.organization?.name ?? '')),
    phones: [...new Set(numbers.flatMap(({ number }) => phoneKeys(number).slice(0, 1)))].slice(0, mostPhones),
    places: locations
      .flatMap(({ street = '', ...place }) => (street === '' ? [] : [tracedPlace(street, place)]))
      .slice(0, mostPlaces),
  };
}

/** Shorter ones begin many a name. */
const shortestAcronym = 3;

/** "Legal Aid Society (LAS)" without the acronym of its own words. */
function withoutAcronym(words: readonly string[], initials: readonly string[]): readonly string[] {
  if (words.length <= shortestAcronym) return words;
  return words.filter(
    (word) => word.length < shortestAcronym || !initials.some((all) => all !== word && all.includes(word)),
  );
}

function tracedPlace(street: string, { city = '', postal_code = '', ...place }: Omit<Location, 'street'>) {
  const { latitude, longitude } = place;
  return {
    street: together(street),
    house: houseIn(street),
    ...defined({ quarter: /\b(?:nw|ne|sw|se)\b/i.exec(street)?.[0].toLowerCase() }),
    city: cityKey(city),
    code: postalCodeKey(postal_code),
    ...(latitude === undefined || longitude === undefined ? {} : { point: [latitude, longitude] as const }),
  };
}

/** So many of each make keys. */
const mostKeyed = { phones: 3, places: 2, words: 3 } as const;
/** Words that begin with these letters share a key, so that one wrong letter behind them does not matter. */
const lettersOfKey = 3;

/**
 * The keys of a record: its name with its organization or its web page, and the beginnings of the longest words of its name
 * with each phone and house. Of a bounded number, and each shared by few: an organization of hundreds of services at one
 * phone has none that all of them share.
 */
function blockKeys({ name, initials, organization, phones, places, web }: Traces): readonly string[] {
  const whole = keyOf(name);
  const words = name.toSorted((one, other) => other.length - one.length).slice(0, mostKeyed.words);
  const beginnings = [...new Set(words.map((word) => word.slice(0, lettersOfKey)))];
  const acronyms = new Set(name.length > 1 ? initials : stemsOf(name));
  const spots = [
    ...phones.slice(0, mostKeyed.phones),
    ...places.slice(0, mostKeyed.places).map(({ house, street, code, city }) => {
      return house.length === 0 ? `${street} ${city}` : `${house[0] ?? ''} ${code === '' ? city : code}`;
    }),
  ];
  const texts = [
    ...(organization === '' ? [] : [`o ${organization} ${whole}`]),
    ...(web === undefined ? [] : [`w ${web} ${whole}`]),
    ...spots.flatMap((spot) => [...beginnings, ...acronyms].map((word) => `${spot} ${word}`)),
  ];
  return [...new Set(texts.map(hashed))];
}

/** 32 bits (FNV-1a): two texts of one key are compared in vain, and nothing else happens. */
function hashed(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Of an address: words for streets and directions, which people write in many ways or leave out. */
const loose = new Set(
  (
    'street st str avenue ave av road rd drive dr boulevard blvd lane ln court ct place pl highway hwy parkway pkwy terrace ter circle cir ' +
    'north south east west n s e w ne nw se sw'
  ).split(' '),
);
/** Behind these words stands a room. */
const rooms = new Set('suite ste unit room rm floor fl building bldg number no apt'.split(' '));

/** "1480 Girard St, NW" and "1480 Girard Street NW" are the same house: its number, and the first word that tells of the street. */
function houseIn(street: string): readonly string[] {
  const words = searchWords(street.split(',').find((part) => /\d/.test(part)) ?? street);
  const number = words.findIndex((word) => /^\d+[a-z]?$/.test(word));
  if (number === -1) return [];
  const behind = words.slice(number + 1);
  const room = behind.findIndex((word) => rooms.has(word));
  const beside = room === -1 ? behind : behind.slice(0, room);
  // "1333 N Street" has no other word, and of "PO Box 12" the number is the last.
  const word = beside.find((each) => !loose.has(each)) ?? beside[0] ?? words[number - 1] ?? '';
  return [words[number] ?? '', word.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1')];
}

/** Host and path, without what people write differently. The first page of a site stands for all its services. */
function webKey(url: string): string | undefined {
  const { host, pathname, search } = URL.parse(url) ?? {};
  const path = `${pathname ?? ''}${search ?? ''}`.replace(/\/(index\.\w+)?$/, '').toLowerCase();
  return host === undefined || path === '' ? undefined : `${host.replace(/^www\./, '')}${path}`;
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
