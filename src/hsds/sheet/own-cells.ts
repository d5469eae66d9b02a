import { isCategory } from '../../events/directory/category.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import { readHours } from '../hours/read.ts';
import { isoDateOf } from './content.ts';
import { phonesIn } from './phones-in.ts';
import { cellText } from './row-values.ts';

/** Fields to replace, or why a cell cannot be read back. */
type Read =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly problem: string };

const says = (fields: Readonly<Record<string, unknown>>): Read => ({ fields });

/**
 * What a cell of an export says that somebody has changed in a spreadsheet. An empty cell removes. `current`: what the
 * record says.
 */
export function changedField(name: string, written: string, current: Partial<UnsealedFields>): Read {
  const text = cellText(written).trim();
  if (['locations', 'contacts', 'opening_hours', 'ages'].includes(name))
    return {
      problem: `what was changed there cannot be read back; it is left as it is${instead[name] ?? ''}`,
    };
  if (text === '' && (name === 'name' || name === 'category'))
    return { problem: 'is empty; it is left as it is' };
  if (name === 'hours') return hoursOf(text);
  if (text === '') return says({ [name]: null });
  switch (name) {
    case 'organization':
      return says({ organization: { ...current.organization, name: text } });
    case 'categories':
      return says({ categories: linesOf(text).filter((each) => isCategory(each)) });
    case 'taxonomy_terms':
    case 'languages':
    case 'documents':
    case 'service_area':
      return says({ [name]: linesOf(text) });
    case 'phones':
      return says({ phones: linesOf(text).flatMap(phonesIn).map(phoneOf) });
    case 'free':
      return /^(true|false)$/i.test(text)
        ? says({ free: text.toLowerCase() === 'true' })
        : { problem: 'is neither true nor false; it is left as it is' };
    case 'last_verified':
      return says({ last_verified: isoDateOf(text) ?? text });
    default:
      return says({ [name]: text });
  }
}

const instead: Readonly<Record<string, string>> = {
  locations: '. Change address, city and region instead',
  opening_hours: '. Change hours instead',
};

/** The hours in words, and as rules where the words are understood. */
function hoursOf(text: string): Read {
  if (text === '') return says({ hours: null, opening_hours: null });
  const { understood, rows } = readHours(text);
  return says({ hours: text, opening_hours: understood === 'fully' && rows.length > 0 ? rows : null });
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const phoneOf = ({ number, type, note }: ReturnType<typeof phonesIn>[number]) => {
  const [, digits = number, extension] = /^(.*?)\s+x(\w+)$/.exec(number) ?? [];
  return {
    number: digits,
    ...(extension === undefined ? {} : { extension }),
    ...(type === '' ? {} : { type }),
    ...(note === '' ? {} : { note }),
  };
};
