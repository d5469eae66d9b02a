import { languageRows } from './language-words.ts';
import { stateCode } from '../../places/states.ts';
import { hintIn } from '../fields/keywords.ts';
import { readHours } from '../hours/read.ts';
import { isStatus } from './status-words.ts';
import { emailAddress, webAddress } from '../text.ts';

/** What the cells of a column look like. */
export type ContentKind =
  | 'phone'
  | 'email'
  | 'url'
  | 'postal code'
  | 'state'
  | 'date'
  | 'coordinates'
  | 'degrees'
  | 'hours'
  | 'languages'
  | 'address'
  | 'flag'
  | 'status'
  | 'number'
  | 'long text'
  | 'text';

/** What is known of a column from its cells. */
export interface Content {
  /** Cells that say something. */
  readonly filled: number;
  /** What share of them look like it. */
  share(kind: ContentKind): number;
  /** What share of them are different texts. */
  readonly different: number;
  /** What share of them tell a category. */
  readonly categories: number;
}

/** So many cells are looked at closely. */
const looked = 60;

export function contentOf(cells: readonly string[]): Content {
  const filled = cells.filter((cell) => cell !== '');
  const some = filled.slice(0, looked);
  const kinds = some.map((cell) => kindsOf(cell));
  const part = (count: number): number => (some.length === 0 ? 0 : count / some.length);
  return {
    filled: filled.length,
    share: (kind) => part(kinds.filter((each) => each.has(kind)).length),
    different: filled.length === 0 ? 0 : new Set(filled).size / filled.length,
    categories: part(some.filter((cell) => cell.length <= 60 && hintIn(cell) !== undefined).length),
  };
}

/** What a mark in a column says whose name is a language or a need. Undefined: it is no mark. */
export function flagIn(cell: string): boolean | undefined {
  if (/^(x|y|yes|true|1|✓|✔|☑|si|sí|verdadero|available|disponible)$/i.test(cell)) return true;
  return /^(n|no|false|0|-|—|n\/a|none|falso)$/i.test(cell) ? false : undefined;
}

function kindsOf(cell: string): ReadonlySet<ContentKind> {
  const kinds = new Set<ContentKind>();
  const digits = cell.replace(/\D/g, '').length;
  if (flagIn(cell) !== undefined) kinds.add('flag');
  if (/^-?\d+(\.\d+)?$/.test(cell)) kinds.add('number');
  const word = isStatus(cell);
  if (emailAddress(cell) !== undefined) kinds.add('email');
  else if (!/\s/.test(cell) && webAddress(cell) !== undefined && !/^[\d.]+$/.test(cell)) kinds.add('url');
  if (/^\d{5}(-\d{4})?$/.test(cell)) kinds.add('postal code');
  if (cell.length <= 20 && stateCode(cell) !== undefined) kinds.add('state');
  if (isDate(cell)) kinds.add('date');
  else if (digits >= 7 && digits <= 40 && cell.length <= 80 && phone.test(cell)) kinds.add('phone');
  if (coordinates.test(cell)) kinds.add('coordinates');
  if (/^-?\d{1,3}\.\d{2,}$/.test(cell) && Math.abs(Number(cell)) <= 180) kinds.add('degrees');
  if (cell.length <= 500 && digits > 0 && readHours(cell).rows.length > 0) kinds.add('hours');
  if (isLanguages(cell)) kinds.add('languages');
  if (/^\d+[\w/-]*\s+\p{L}|^p\.?\s?o\.?\s?box/iu.test(cell) && !kinds.has('hours')) kinds.add('address');
  if (cell.length > 100) kinds.add('long text');
  if (kinds.size === 0 && /\p{L}/u.test(cell)) kinds.add('text');
  if (word) kinds.add('status');
  return kinds;
}

const phone = /(?<!\d)(?:\+?\d{1,3}[\s.-]?)?(?:\(\d{3}\)|\d{3})?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/;
export const coordinates = /^\(?\s*(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)\s*\)?$/;

export const isDate = (cell: string): boolean => isoDateOf(cell) !== undefined;

/** The date in a cell as ISO 8601, which Americans write with the month first. */
export function isoDateOf(cell: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?=$|[T ])/.exec(cell);
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const american = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?=$|\s)/.exec(cell);
  if (american) {
    const [month, day, year] = american.slice(1, 4).map(Number) as [number, number, number];
    const whole = year < 100 ? 2000 + year : year;
    return month > 12 ? valid(whole, day, month) : valid(whole, month, day);
  }
  if (!/^(\p{L}{3,9}\.? \d{1,2},? \d{4}|\d{1,2} \p{L}{3,9}\.? \d{4})$/u.test(cell)) return undefined;
  const at = new Date(`${cell} UTC`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, 10);
}

function valid(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1900 && year < 2200;
  return real ? at.toISOString().slice(0, 10) : undefined;
}

function isLanguages(cell: string): boolean {
  if (cell.length > 200 || cell.length < 2) return false;
  const parts = cell.split(/\s*(?:,|;|\/|&|\band\b|\by\b|\n)\s*/).filter(Boolean);
  return parts.length > 0 && parts.every((part) => languageRows.has(part.toLowerCase()));
}
