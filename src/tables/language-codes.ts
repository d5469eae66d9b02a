import { readdirSync, readFileSync } from 'node:fs';
import { cell, readTable, TableError } from './read-table.ts';

/**
 * The languages in which people read and search: each is a folder of `languages/`, named by its code. Apart from the words of
 * language-tables.ts, which are read with that file: a thread or a command that needs the codes does not wait for them.
 */
export const languageFolders = new URL('languages/', import.meta.url);

/** The codes of the languages, English first. A language is added as a folder. */
export const languageCodes: readonly string[] = codesIn(
  readdirSync(languageFolders, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name),
);

/** @throws TableError for a folder that has no code as its name */
export function codesIn(names: readonly string[]): string[] {
  const wrong = names.find((name) => !/^[a-z]{2,3}$/.test(name));
  if (wrong !== undefined)
    throw new TableError(
      `languages/${wrong}`,
      1,
      'a folder is named by the code of its language, such as ht',
    );
  return ['en', ...names.filter((name) => name !== 'en').sort()];
}

/** What languages are called in a language, by their codes. Of English, none: languages.tsv has these. */
export const languageNamesIn = (code: string): ReadonlyMap<string, string> =>
  code === 'en'
    ? new Map()
    : new Map(
        readTable(`languages/${code}/language-names.tsv`, { code: cell, name: cell }, ['code']).map((row) => [
          row.code,
          row.name,
        ]),
      );

/** The text of a file of a language. */
export const languageFile = (code: string, file: string): string =>
  readFileSync(new URL(`${code}/${file}`, languageFolders), 'utf8');
