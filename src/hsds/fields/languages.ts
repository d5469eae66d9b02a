import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareText } from '../text.ts';
import { once } from './known.ts';

/**
 * The names of languages, each once, in alphabetical order. A language with only a code gets its English name. HSDS 1.1
 * has the column `language`.
 */
export const languagesOf = (rows: readonly Row[]): string[] => languageNames(rows.flatMap(namesIn));

/** The same of names as they are written. */
export function languageNames(written: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const name of written.filter(Boolean).sort(compareText)) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

/** What is said about the languages, such as that an interpreter must be asked for: `Urdu: by appointment`. */
export const languageNotes = (rows: readonly Row[]): string[] =>
  once(
    rows.flatMap((row) => {
      const note = cleanLine(row.cell('note'));
      const written = writtenIn(row);
      return [
        isSentence(written) ? written : '',
        note === '' ? '' : isSentence(written) ? note : [...namesIn(row), note].join(': '),
      ];
    }),
  ).sort(compareText);

/** The field takes no longer name. */
const longestName = 60;
const isSentence = (written: string): boolean => written.length > longestName;

const writtenIn = (row: Row): string =>
  cleanLine(row.cell('name') || row.cell('language')).replace(/^[*•\-\s]+|[.;,\s]+$/g, '');

/** The name in a row. Of a sentence, the languages that it begins with: "French and Creole. Interpreters …". */
function namesIn(row: Row): string[] {
  const written = writtenIn(row);
  if (!isSentence(written)) return once([written || nameOfCode(cleanLine(row.cell('code')))]);
  const [first = ''] = written.split(/[.*;:(]/);
  const words = first.split(/\s*(?:,|\band\b|\by\b|&|\/)\s*/).map((word) => word.trim());
  return words.filter((word) => /^\p{Lu}\p{L}+( \p{Lu}\p{L}+){0,2}$/u.test(word));
}

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function nameOfCode(code: string): string {
  try {
    return code === '' ? '' : (englishNames.of(code) ?? code);
  } catch {
    // Not a language tag. The code is shown as in the source.
    return code;
  }
}
