import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { integerOfOrgId, integerOfSvcId } from '../../events/ids.ts';
import type { TermQuery } from '../../stores/documents/port.ts';
import { wordsOf } from '../../stores/documents/port.ts';
import { entries } from '../../ground/capacity.ts';

/** What of a record the team looks it up by: some members of its developer tier. */
export interface LookedUp {
  readonly name: string;
  readonly alternate_name?: string;
  readonly organization?: { readonly id?: string; readonly name: string };
  readonly city: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly locations?: readonly Place[];
  readonly phones?: readonly { readonly number: string }[];
}

interface Place {
  readonly name?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postal_code?: string;
}

/**
 * Each term has a letter that says what it is about, and the team: no query finds another team's records. The team is
 * shortened to 41 bits, so two teams may have the same terms, though hardly ever.
 */
const termsOfTeam = (team: string) => {
  const key = keyOfTeam(team);
  return (tag: string, text: string): string => `${key}${tag}${text}`;
};

const keys = new LRUCache<string, string>(entries(1_000));

function keyOfTeam(team: string): string {
  const cached = keys.get(team);
  if (cached !== undefined) return cached;
  const made = (BigInt(`0x${hash('sha1', team)}`) % 36n ** 8n).toString(36).padStart(8, '0');
  keys.set(team, made);
  return made;
}

type TermOf = ReturnType<typeof termsOfTeam>;

/** A record that is called exactly so. */
const nameTerm = (termOf: TermOf, words: readonly string[]): string =>
  termOf('e', hash('sha1', words.join(' ')).slice(0, 8));

/** Of one organization, by its id or by its name. */
const organizationTerm = (termOf: TermOf, idOrName: string): string =>
  termOf(
    'o',
    hash('sha1', integerOfOrgId(idOrName) !== undefined ? idOrName : wordsOf(idOrName).join(' ')).slice(
      0,
      12,
    ),
  );

/** The record itself. */
const numberTerm = (termOf: TermOf, number: number): string => termOf('i', String(number));

/** Sorted behind what has a name. */
const nameless = '\u{10ffff}';
const longestKey = 40;

/** A name as lists are sorted by it: its words without case and accents. */
export const sortKey = (text: string | null | undefined): string =>
  Array.from(wordsOf(text ?? '').join(' '))
    .slice(0, longestKey)
    .join('') || nameless;

/** Of a record with many places and phones, so many words. */
const mostWords = 200;
const mostParts = 20;

/** The words of its names, and those of its places and phones. */
function wordsIn(record: LookedUp): { readonly names: Set<string>; readonly others: Set<string> } {
  const { name, alternate_name, organization, city, address, phone, locations = [], phones = [] } = record;
  const wordsOfAll = (texts: readonly (string | null | undefined)[]) =>
    new Set(wordsOf(texts.join(' ')).slice(0, mostWords));
  const places = locations.slice(0, mostParts);
  return {
    names: wordsOfAll([name, alternate_name, organization?.name]),
    others: wordsOfAll([
      city,
      address,
      phone,
      ...places.flatMap((place) => [place.name, place.street, place.city, place.postal_code]),
      ...phones.slice(0, mostParts).map(({ number }) => number),
    ]),
  };
}

/**
 * The terms of a record's words: their beginnings, so that a word finds longer ones. Of names they have the letter `n`,
 * of places and phones `p`.
 */
export function lookupTerms(team: string, number: number, record: LookedUp): string[] {
  const { names, others } = wordsIn(record);
  const termOf = termsOfTeam(team);
  const { id, name } = record.organization ?? {};
  const terms = new Set([numberTerm(termOf, number), nameTerm(termOf, wordsOf(record.name))]);
  for (const organization of [id, name])
    if (organization !== undefined) terms.add(organizationTerm(termOf, organization));
  for (const name of names) for (const beginning of beginningsOf(name)) terms.add(termOf('n', beginning));
  for (const other of others) for (const beginning of beginningsOf(other)) terms.add(termOf('p', beginning));
  return [...terms];
}

/** Longer words are found by their first letters. */
const longest = 15;

function beginningsOf(word: string): string[] {
  const beginnings: string[] = [];
  let end = 0;
  for (const letter of word) {
    if (beginnings.length === longest) break;
    end += letter.length;
    beginnings.push(word.slice(0, end));
  }
  return beginnings;
}

const soughtBeginning = (word: string): string => beginningsOf(word).at(-1) ?? '';

/** What a team asks for. */
export interface Lookup {
  readonly team: string;
  /** Words, or the id of a record. */
  readonly words?: string | undefined;
  /** The id or the name of one. */
  readonly organization?: string | undefined;
}

/** More words are not looked for. */
const mostSought = 20;

/** The queries that find the records that somebody asks for. */
export interface LookupQueries {
  readonly all: TermQuery;
  /** The same, each record once: those that are called exactly so, those with the words in their names, the others. */
  readonly inTurn: readonly TermQuery[];
}

/** Undefined: neither words nor an organization. */
export function lookupQueries({ team, words = '', organization }: Lookup): LookupQueries | undefined {
  const termOf = termsOfTeam(team);
  const narrowed = organization === undefined ? [] : [[organizationTerm(termOf, organization)]];
  const number = integerOfSvcId(words.trim());
  if (number !== undefined) return alone([[numberTerm(termOf, number)], ...narrowed]);
  const split = wordsOf(words);
  if (split.length === 0) return narrowed.length === 0 ? undefined : alone(narrowed);
  const sought = [...new Set(split.map(soughtBeginning))].slice(0, mostSought);
  const exact = [[nameTerm(termOf, split)]];
  const inNames = sought.map((beginning) => [termOf('n', beginning)]);
  const anywhere = sought.map((beginning) => [termOf('n', beginning), termOf('p', beginning)]);
  const all = { every: [...anywhere, ...narrowed] };
  return {
    all,
    inTurn: [
      { every: [...exact, ...anywhere, ...narrowed] },
      { every: [...inNames, ...narrowed], except: [exact] },
      { ...all, except: [inNames, exact] },
    ],
  };
}

const alone = (every: TermQuery['every']): LookupQueries => ({ all: { every }, inTurn: [{ every }] });
