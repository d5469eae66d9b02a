import { type ImpersonalFields, resourceFieldRows } from '../../events/directory/resource-fields.ts';
import { sourceName } from '../../events/directory/shown-name.ts';
import { cellTermsOf } from './search-cells.ts';
import { cityKey, languageKeys, organizationKey, phoneKeys, postalCodeKey } from './search-keys.ts';
import { languagesIn } from './languages.ts';
import { addressTerms, addressWord, neighbourTerm } from '../../places/address-terms.ts';
import { shownAddresses, shownPoints, streetWords } from './places.ts';
import { stem } from '../../tables/stem.ts';
import { stateOtherwise } from '../../places/states.ts';
import { quartersIn } from '../../places/streets.ts';
import { pairsOf, stopWords, tellingWords, wholeOf } from './search-words.ts';
import type { Category } from '../../events/directory/category.ts';

/**
 * The terms by which a record is found. The first letter of a term tells of what it is:
 *
 * - `n` a word of its names, `c` of its categories and taxonomy terms, `p` of its places and languages, `d` of its other
 *   texts, as stems. Of n, c and p also each two neighbouring words written together.
 * - `e` a whole name, `x` one of its own, not that of its organization; `m` two neighbouring words of its own names.
 * - `o` its organization.
 * - `k` a category, `y` a city, `z` a postal code, `l` a language, `t` a phone number, `f1` free of charge.
 * - `w` its team, which the read model adds.
 * - `g` a cell of the grid of places, see cells.ts.
 * - `a`, `b`, `u` the address of a place without coordinates, `v` the town of one with them, see places/address-terms.ts.
 */
export interface RecordTerms {
  /** Separated by spaces, each once. */
  readonly terms: string;
  /** The words behind n, c, p and d, each with its rank before it: 0 kinds, 1 names, 2 places, 3 texts. */
  readonly vocabulary: string;
}

/** A kind of text: its letter, the rank of its words, and how many terms a record has of it at most. */
interface Kind {
  readonly tag: string;
  readonly rank: number;
  readonly most: number;
  readonly pairs: boolean;
}

/** By `searched` of the table of fields. Together at most 1,500 terms, whatever a record contains. */
const kinds = {
  1: { tag: 'n', rank: 1, most: 200, pairs: true },
  2: { tag: 'c', rank: 0, most: 300, pairs: true },
  3: { tag: 'p', rank: 2, most: 400, pairs: true },
  4: { tag: 'd', rank: 3, most: 600, pairs: false },
} as const satisfies Record<number, Kind>;

/** The rank of what is no word for people. */
const lastRank = 9;

/** A name may have 300 characters. */
const mostOwnPairs = 20;

/** A record may have 20,000 phones. */
const mostPhoneTerms = 400;

const searchedRows = resourceFieldRows.flatMap(({ name, searched, searchedMembers }) =>
  searched === undefined ? [] : [{ name, kind: kinds[searched], members: searchedMembers }],
);
const rowsOf = (kind: Kind) => searchedRows.filter((row) => row.kind === kind);
/** Kinds before names before places before texts, so that a word gets its best rank first. */
const rowsByKind = [kinds[2], kinds[1], kinds[3], kinds[4]].map((kind) => ({ kind, rows: rowsOf(kind) }));

/** The terms of a record. `fields`: what the public may see of it. */
export function termsOf(fields: ImpersonalFields): RecordTerms {
  const values: Readonly<Record<string, unknown>> = {
    ...fields,
    languages: fields.languages?.filter(isTelling),
  };
  const terms = new Set<string>();
  const vocabulary = new Map<string, string>();
  for (const { kind, rows } of rowsByKind) {
    const texts = rows.flatMap(({ name, members }) => textsIn(values[name], members));
    addTexts([...texts, ...impliedTexts(kind, fields)], kind, terms, vocabulary);
  }
  for (const key of keysOf(fields)) terms.add(key);
  for (const { address } of shownAddresses(fields)) {
    for (const term of addressTerms(address)) terms.add(term);
    vocabulary.set(address, `${lastRank}${addressWord(address)}`);
  }
  for (const word of streetWords(fields)) vocabulary.set(word, `${lastRank}${word}`);
  return { terms: [...terms].join(' '), vocabulary: [...vocabulary.values()].join(' ') };
}

function addTexts(
  texts: readonly string[],
  kind: Kind,
  terms: Set<string>,
  vocabulary: Map<string, string>,
): void {
  const { tag, most, pairs } = kind;
  const full = terms.size + most;
  const cache = remembered.get(kind) ?? new Map<string, WordTerms>();
  for (const text of texts) {
    const words = tellingWords(text);
    for (const word of words) {
      if (terms.size >= full) return;
      const { term, entry } = cache.get(word) ?? termsOfWord(word, kind, cache);
      terms.add(term);
      if (entry !== undefined && !vocabulary.has(word)) vocabulary.set(word, entry);
    }
    if (!pairs) continue;
    for (const pair of pairsOf(words)) if (terms.size < full) terms.add(tag + pair);
  }
}

/** What a word in a text of some kind adds to a record. */
interface WordTerms {
  readonly term: string;
  /** Its entry in the vocabulary. */
  readonly entry: string | undefined;
}

/** Directories say much in the same words. Pairs are not remembered: a large directory has too many of them. */
const remembered = new Map<Kind, Map<string, WordTerms>>(
  Object.values(kinds).map((kind) => [kind, new Map()]),
);
const mostRemembered = 10_000;

function termsOfWord(word: string, kind: Kind, cache: Map<string, WordTerms>): WordTerms {
  const made = {
    term: kind.tag + stem(word),
    entry: isInVocabulary(word) ? `${kind.rank}${word}` : undefined,
  };
  if (cache.size >= mostRemembered) cache.clear();
  cache.set(word, made);
  return made;
}

/** What people complete and misspell. Numbers are found whole. */
const isInVocabulary = (word: string): boolean =>
  word.length >= 3 && !/^\d+$/.test(word) && !stopWords.has(word);

/**
 * English is spoken nearly everywhere that is listed. As a word of every record it would bury what teaches English. The
 * filter for languages knows it.
 */
const isTelling = (language: string): boolean => {
  const languages = languagesIn(language);
  return languages.length === 0 || languages.some(({ code }) => code !== 'en');
};

/** What a record says by its codes: the words of its categories, the names of its states and languages. */
function impliedTexts(kind: Kind, fields: ImpersonalFields): string[] {
  if (kind === kinds[2]) return categoriesOf(fields).flatMap((slug) => categoryWords[slug].split('; '));
  if (kind !== kinds[3]) return [];
  const { locations = [], languages = [] } = fields;
  return [
    ...locations.flatMap(({ region = '', country = 'US', street = '' }) =>
      country === 'US' ? [stateOtherwise(region) ?? '', ...quartersIn(street)] : [],
    ),
    ...languages
      .filter(isTelling)
      .flatMap(languagesIn)
      .flatMap(({ english, spanish, others }) => [
        english,
        spanish,
        // The name in the language itself.
        ...others.slice(0, 1),
      ]),
  ];
}

/** The terms that are compared as a whole. They are never left out: a filter must find all that it is true of. */
function keysOf(fields: ImpersonalFields): Set<string> {
  const { organization, alternate_name, locations = [], languages = [], free } = fields;
  const ownNames = new Set([fields.name, sourceName(fields), alternate_name ?? '']);
  const names = new Set([...ownNames, organization?.name ?? '']);
  const phones = [...(fields.phones ?? []), ...locations.flatMap((location) => location.phones ?? [])];
  const keys = new Set<string>();
  const add = (tag: string, key: string): void => {
    if (key !== '') keys.add(tag + key);
  };
  for (const name of names) add('e', wholeOf(name));
  for (const name of ownNames) {
    add('x', wholeOf(name));
    for (const pair of pairsOf(tellingWords(name)).slice(0, mostOwnPairs)) add('m', pair);
  }
  add('o', organizationKey(organization?.name ?? ''));
  for (const slug of categoriesOf(fields)) add('k', slug);
  for (const location of locations) {
    const { city = '', postal_code = '', latitude } = location;
    add('y', cityKey(city));
    add('z', postalCodeKey(postal_code));
    if (latitude !== undefined) add('', neighbourTerm(location) ?? '');
  }
  for (const language of languages) for (const key of languageKeys(language)) add('l', key);
  for (const { number } of phones.slice(0, mostPhoneTerms / 2)) {
    for (const key of phoneKeys(number).slice(0, 2)) add('t', key);
  }
  if (free) keys.add('f1');
  for (const point of shownPoints(fields)) for (const term of cellTermsOf(point)) keys.add(term);
  return keys;
}

const categoriesOf = ({ category, categories = [] }: ImpersonalFields) => [category, ...categories];

/** Every text in a value, however deep; of objects only these members, where they are given. */
function textsIn(value: unknown, members?: readonly string[]): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, members));
  const parts: [string, unknown][] = Object.entries(value);
  return parts.flatMap(([name, part]) => (members?.includes(name) === false ? [] : textsIn(part)));
}

/** By which words a category is found, in English and in Spanish, besides its slug. */
const categoryWords: Readonly<Record<Category, string>> = {
  emergency: 'emergency crisis; emergencia',
  food: 'food; comida alimentos',
  housing: 'housing shelter; vivienda albergue',
  goods: 'goods clothing furniture household; ropa muebles artículos',
  transit: 'transit transportation rides; transporte',
  health: 'health medical; salud',
  mental: 'mental health; salud mental',
  money: 'money financial; dinero',
  care: 'care; cuidado',
  education: 'education; educación',
  employment: 'employment jobs work; empleo trabajo',
  legal: 'legal law; legal ley',
  other: 'other; otros',
};
