import { hash } from 'node:crypto';
import type { TermQuery } from '../../stores/documents/port.ts';
import { wordsOf } from '../../stores/documents/port.ts';

/** What of a record the team looks it up by: some members of its developer tier. */
export interface LookedUp {
  readonly name: string;
  readonly alternate_name?: string;
  readonly organization?: { readonly name: string };
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
 * shortened, so two teams may have the same terms: whoever searches compares the found records.
 */
const termsOfTeam = (team: string) => {
  const key = hash('sha1', team).slice(0, 6);
  return (tag: string, text: string): string => `${key}${tag}${text}`;
};

type TermOf = ReturnType<typeof termsOfTeam>;

export const statusTerm = (team: string, status: string): string => termsOfTeam(team)('s', status);
export const categoryTerm = (team: string, category: string): string => termsOfTeam(team)('k', category);
/** A record that is called exactly so. */
const nameTerm = (termOf: TermOf, words: readonly string[]): string =>
  termOf('e', hash('sha1', words.join(' ')).slice(0, 8));

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
export function lookupTerms(team: string, record: LookedUp): string[] {
  const { names, others } = wordsIn(record);
  const termOf = termsOfTeam(team);
  const terms = new Set([nameTerm(termOf, wordsOf(record.name))]);
  for (const name of names) for (const beginning of beginningsOf(name)) terms.add(termOf('n', beginning));
  for (const other of others) for (const beginning of beginningsOf(other)) terms.add(termOf('p', beginning));
  return [...terms];
}

/** Longer words are found by their first letters, and compared after that. Numbers are alike in their first digits. */
const longest = (word: string): number => (/^[a-z]+$/.test(word) ? 5 : 12);

function beginningsOf(word: string): string[] {
  const letters = Array.from(word).slice(0, longest(word));
  return letters.map((_, last) => letters.slice(0, last + 1).join(''));
}

const soughtBeginning = (word: string): string => beginningsOf(word).at(-1) ?? word;

/** What a team asks for. The words as `wordsOf` gives them. */
export interface Lookup {
  readonly team: string;
  readonly words: readonly string[];
  readonly status?: string | undefined;
  readonly category?: string | undefined;
}

/** More words are compared only with the records that these find. */
const mostSought = 10;

/**
 * The queries that find the records one after the other, each record once: those that are called exactly so, those that
 * have the words in their names, and the others. They may find a record that has only the beginning of a long word: see
 * `hasWords`.
 */
export function lookupQueries({ team, words, status, category }: Lookup): TermQuery[] {
  const narrowed = [
    ...(status === undefined ? [] : [[statusTerm(team, status)]]),
    ...(category === undefined ? [] : [[categoryTerm(team, category)]]),
  ];
  if (words.length === 0) return [{ every: narrowed }];
  const sought = [...new Set(words.map(soughtBeginning))].slice(0, mostSought);
  const termOf = termsOfTeam(team);
  const exact = [[nameTerm(termOf, words)]];
  const inNames = sought.map((beginning) => [termOf('n', beginning)]);
  const anywhere = sought.map((beginning) => [termOf('n', beginning), termOf('p', beginning)]);
  return [
    { every: [...exact, ...narrowed] },
    { every: [...inNames, ...narrowed], except: [exact] },
    { every: [...anywhere, ...narrowed], except: [inNames] },
  ];
}

/** Whether each word begins a word of the record. */
export function hasWords(record: LookedUp, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { names, others } = wordsIn(record);
  const own = [...names, ...others];
  return words.every((word) => own.some((each) => each.startsWith(word)));
}
