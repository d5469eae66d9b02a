import { z } from 'zod';
import { languageCodes, languageNamesIn } from '../../tables/language-codes.ts';
import { cell, listCell, readTable } from '../../tables/read-table.ts';
import { searchWords, together } from './search-words.ts';

const written = readTable(
  'languages.tsv',
  {
    /** ISO 639-1, or 639-2 or 639-3 where there is no code of two letters. */
    code: z.string().regex(/^[a-z]{2,3}$/, 'must be two or three small letters'),
    english: cell,
    /** In the language itself, and as people spell it. */
    others: z.union([z.literal('').transform((): string[] => []), listCell]),
  },
  ['code'],
);
const spanishNames = languageNamesIn('es');

/** The languages that are known by name, the most frequent first. */
export const languages = written.map((language) => ({
  ...language,
  /** Records are found by it, too. */
  spanish: spanishNames.get(language.code) ?? language.english,
}));
export type Language = (typeof languages)[number];

const byCode = new Map(languages.map((language) => [language.code, language]));
const byName = new Map(
  languages.flatMap((language) =>
    [language.english, language.spanish, ...language.others].map(
      (name) => [together(name), language] as const,
    ),
  ),
);
const mostWordsOfName = 3;

/** The language of this name or code. Undefined where it is not known. */
export const languageNamed = (text: string): Language | undefined =>
  byName.get(together(text)) ?? byCode.get(text.trim().toLowerCase());

/** The languages that a text names: of "Spanish (limited), some Kreyòl" two, in this order. */
export function languagesIn(text: string): Language[] {
  const whole = byName.get(together(text));
  if (whole) return [whole];
  const words = searchWords(text);
  const found = new Set<Language>();
  for (let at = 0; at < words.length;) {
    const length = [...Array(mostWordsOfName).keys()]
      .map((n) => mostWordsOfName - n)
      .find((count) => byName.has(words.slice(at, at + count).join('')));
    const language = length === undefined ? undefined : byName.get(words.slice(at, at + length).join(''));
    if (language) found.add(language);
    at += length ?? 1;
  }
  return [...found];
}

const namesByLanguage = new Map(languageCodes.map((code) => [code, languageNamesIn(code)]));

/** A language that a record names, by its name in a language of the pages. What is no language alone stays as it is. */
export function languageIn(text: string, locale: string): string {
  const language = languageNamed(text);
  return language === undefined ? text : languageName(language.code, locale);
}

/** The name of a language in a list, in a language of the pages. A code that is not known names itself. */
export function languageName(code: string, locale: string): string {
  const name = namesByLanguage.get(locale)?.get(code) ?? byCode.get(code)?.english;
  return name === undefined ? code : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
