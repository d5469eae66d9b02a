import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareText } from '../text.ts';
import { once } from './without-blank.ts';

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

/** The name in a row, or the names: "Spanish and English". Of a sentence, the languages that it names. */
function namesIn(row: Row): string[] {
  const written = writtenIn(row);
  if (isSentence(written)) return written.match(named) ?? [];
  const parts = written.split(/\s*(?:,|;|&|\/|\band\b|\by\b)\s*/);
  if (parts.length > 1 && parts.every((part) => isName.test(part))) return parts;
  return once([written || nameOfCode(cleanLine(row.cell('code')))]);
}

/** Languages that are spoken where people look for help, to find them in sentences. */
const spoken =
  `Albanian Amharic Arabic Armenian ASL Bengali Bosnian Bulgarian Burmese Cantonese Chinese Creole Croatian Czech
  Danish Dari Dutch English Farsi Finnish French German Greek Gujarati Hebrew Hindi Hmong Hungarian Italian Japanese
  Khmer Korean Kreyol Kreyòl Lao Mandarin Navajo Nepali Norwegian Pashto Persian Polish Portuguese Punjabi Quechua
  Romanian Russian Samoan Serbian Somali Spanish Swahili Swedish Tagalog Tamil Telugu Thai Tigrinya Turkish Ukrainian
  Urdu Vietnamese Yiddish Yoruba español inglés francés portugués criollo`.split(/\s+/);
const anySpoken = `(?:Haitian Creole|(?:American )?Sign Language|${spoken.join('|')})`;
const named = new RegExp(`(?<!\\p{L})${anySpoken}(?!\\p{L})`, 'gu');
const isName = new RegExp(`^${anySpoken}$`, 'u');

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function nameOfCode(code: string): string {
  try {
    return code === '' ? '' : (englishNames.of(code) ?? code);
  } catch {
    // Not a language tag. The code is shown as in the source.
    return code;
  }
}
