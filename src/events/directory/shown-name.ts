import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import type { Location } from './location.ts';
import type { ImpersonalFields, ResourceFields } from './resource-fields.ts';
import {
  initialismsIn,
  initialsOf,
  isInCapitals,
  sentencesOf,
  spellingsIn,
  titleCased,
} from './title-case.ts';

/** The longest name that is shown: as long as a stored one may be. */
const longest = 300;
/** A name with fewer letters says nothing. */
const fewestLetters = 3;

type Named = Pick<
  ResourceFields,
  'name' | 'category' | 'categories' | 'organization' | 'locations' | 'service_area'
>;

/** The fields from which names in title case are made. */
type Cased = Names & Pick<ResourceFields, 'description' | 'how_to_apply'>;

/** The fields whose names are shown otherwise than they are stored. */
type Names = Pick<ResourceFields, 'name' | 'alternate_name' | 'organization' | 'locations'>;

/**
 * The name under which a resource is shown. Where its own does not tell what it is, the organization's is shown with
 * it: `Miami (Salvation Army)`; without an organization, the name of the place that ends with it. Names in capitals are shown in title case. The stored name stays as it is.
 */
export const shownName = (fields: ImpersonalFields): string => namesIn(fields).name;

/** The name as its source writes it, with the organization's where its own does not tell what it is. */
export function sourceName(fields: Named): string {
  const { name, organization, locations: [main] = [] } = fields;
  if (isTelling(fields)) return name;
  // Sources whose organizations are not all known often name the place "Church World Service - Miami".
  if (organization === undefined)
    return main?.name && plain(main.name).endsWith(` ${plain(name)}`) ? main.name : name;
  const both = `${name} (${organization.name})`;
  return plain(name) === plain(organization.name) || both.length > longest ? name : both;
}

/** The fields with their names as they are shown. */
export const withShownNames = <Fields extends ImpersonalFields>(fields: Fields): Fields => ({
  ...fields,
  ...namesIn(fields),
});

/** A read model asks for the names of a record four times while it renders it. */
const namesOf = new WeakMap<ImpersonalFields, Names>();

function namesIn(fields: ImpersonalFields): Names {
  const cached = namesOf.get(fields);
  if (cached) return cached;
  const cased = inTitleCase(fields);
  const names = { ...cased, name: sourceName({ ...fields, ...cased }) };
  namesOf.set(fields, names);
  return names;
}

/**
 * The names of a service or an organization, and of what belongs to it. Those in capitals are in title case. An alternate
 * name in one word is an acronym.
 */
export function inTitleCase(fields: Cased): Names {
  const { name, alternate_name, organization, locations } = fields;
  const names = [name, alternate_name, organization?.name, ...(locations ?? []).map((each) => each.name)];
  if (!names.some((each) => each !== undefined && isInCapitals(each))) return { name };
  const cased = casingOf(fields);
  const several = alternate_name !== undefined && /\s/.test(alternate_name);
  return {
    name: cased(name),
    ...(several ? { alternate_name: cased(alternate_name) } : {}),
    ...(organization ? { organization: { ...organization, name: cased(organization.name) } } : {}),
    ...(locations ? { locations: locations.map((each) => withName(each, cased)) } : {}),
  };
}

const withName = (location: Location, cased: (text: string) => string): Location =>
  location.name === undefined ? location : { ...location, name: cased(location.name) };

/** How the names of a record are cased. What it has cased before stands beside its spellings. */
interface Casing {
  readonly spellings: ReadonlyMap<string, string>;
  readonly cased: Map<string, string>;
}

/** A record that is imported is read again by every read model a moment later, from the log. */
const casings = new LRUCache<string, Casing>(entries(2_000));

function casingOf(fields: Cased): (text: string) => string {
  const { name, alternate_name, organization, description, how_to_apply } = fields;
  const texts = [name, alternate_name, organization?.name, description, how_to_apply].join('\0');
  const casing = casings.get(texts) ?? { spellings: spellingsOf(fields), cased: new Map<string, string>() };
  casings.set(texts, casing);
  return (text) => {
    const before = casing.cased.get(text);
    if (before !== undefined) return before;
    const cased = titleCased(text, casing.spellings);
    if (casing.cased.size < mostCased) casing.cased.set(text, cased);
    return cased;
  };
}

/** Of one record: a service is seldom at more places. */
const mostCased = 20;

/** How the record itself writes the words of its names: acronyms, and words with a capital inside. */
function spellingsOf(fields: Cased): ReadonlyMap<string, string> {
  const { name, alternate_name = '', organization, description = '', how_to_apply = '' } = fields;
  const spellings = spellingsIn([name, alternate_name, organization?.name ?? '', description, how_to_apply]);
  for (const text of [organization?.name ?? '', alternate_name]) {
    for (const initials of initialsOf(text)) if (!spellings.has(initials)) spellings.set(initials, initials);
  }
  const sentences = sentencesOf([alternate_name, description]);
  for (const text of [name, organization?.name ?? '', alternate_name]) {
    for (const word of isInCapitals(text) ? initialismsIn(text, sentences) : []) {
      if (!spellings.has(word)) spellings.set(word, word);
    }
  }
  return spellings;
}

/** Whether a name is more than a place, a category, or a few letters. */
function isTelling({ name, category, categories = [], locations = [], service_area = [] }: Named): boolean {
  const own = plain(name);
  if (own.replaceAll(' ', '').length < fewestLetters) return false;
  const places = locations.flatMap(({ city = '', region = '' }) => [city, region, `${city} ${region}`]);
  if ([category, ...categories, ...places, ...service_area].some((word) => plain(word) === own)) return false;
  const placed = new Set(places.flatMap((place) => plain(place).split(' ')));
  return own.split(' ').some((word) => !placed.has(word) && !directions.has(word));
}

/** With words of its place alone, these are no name: "South", "Miami Main Office". */
const directions = new Set(
  'north south east west northeast northwest southeast southwest central downtown main branch office'.split(
    ' ',
  ),
);

/** Without case, accents and punctuation. */
const plain = (text: string): string =>
  isAscii.test(text)
    ? text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()
    : plainOfAny(text);

/** Most names. The way of the others takes three times as long. */
const isAscii = /^[\x20-\x7e]*$/;

const plainOfAny = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
