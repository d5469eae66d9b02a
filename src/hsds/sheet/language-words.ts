import { z } from 'zod';
import { cell, readTable } from '../../tables/read-table.ts';

/** The names and spellings of languages, in small letters, with their English name. */
export const languageRows: ReadonlyMap<string, string> = new Map(
  readTable('languages.tsv', { code: cell, english: cell, others: z.string() }, ['code']).flatMap(
    ({ english, others }) =>
      [english, ...others.split(/\s*,\s*/)]
        .filter((name) => name !== '')
        .map((name) => [name.toLowerCase(), english] as const),
  ),
);
