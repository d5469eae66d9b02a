import { z } from 'zod';
import { cell, readTable } from '../../tables/read-table.ts';
import { cleanLine } from '../text.ts';

/** What people write for a country, beside its name in English or Spanish and its code. */
const alsoWritten = readTable(
  'country-names.tsv',
  {
    written: cell.refine((text) => text === text.toUpperCase(), 'must be in capitals'),
    code: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  },
  ['written'],
);

/** The names of all countries take a while to list, and few processes import. */
let codes: ReadonlyMap<string, string> | undefined;

function allCodes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  for (const language of ['es', 'en']) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
      const name = names.of(code)?.toUpperCase();
      if (name === undefined) continue;
      found.set(code, code);
      // Former codes of a country have its name too. The first in the alphabet is seldom one.
      if (!found.has(name)) found.set(name, code);
    }
  }
  for (const { written, code } of alsoWritten) found.set(written, code);
  return found;
}

/** The ISO 3166-1 alpha-2 code of a country; undefined for what is none. */
export function countryCode(written: string): string | undefined {
  codes ??= allCodes();
  return codes.get(cleanLine(written).toUpperCase());
}
