import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Row } from '../source/related-rows.ts';
import { cleanText, compareText } from '../text.ts';

/** Who may use the service: the description, the rows of eligibility (HSDS 1.1), and the ages when no text names them. */
export function eligibilityOf(service: Row, rules: readonly Row[]): string {
  const { minimum, maximum } = agesOf(service) ?? {};
  const ages = agesText(minimum, maximum);
  const written = rules.map((row) => row.cell('eligibility')).sort(compareText);
  const texts = [service.cell('eligibility_description'), ...written].map(cleanText);
  const text = [...new Set(texts)].filter((one) => one !== '').join('\n');
  if (text === '') return ages;
  const numbers: readonly string[] = text.match(/\d+/g) ?? [];
  const unsaid = [minimum, maximum].some((age) => age !== undefined && !numbers.includes(String(age)));
  return unsaid ? `${text} (${ages})` : text;
}

function agesText(from: number | undefined, to: number | undefined): string {
  if (from !== undefined && to !== undefined) return from === to ? `Age ${from}` : `Ages ${from}–${to}`;
  if (from !== undefined) return `Ages ${from} and over`;
  return to === undefined ? '' : `Ages up to ${to}`;
}

/** The ages in years; undefined when the row names none. */
export function agesOf(service: Row): UnsealedFields['ages'] {
  const minimum = ageIn(service.cell('minimum_age'));
  const maximum = ageIn(service.cell('maximum_age'));
  if (minimum === undefined && maximum === undefined) return undefined;
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

const ageIn = (written: string): number | undefined =>
  /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : undefined;

/** The date of a date or of a time in ISO 8601. */
export const dateOf = (written: string): string =>
  /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(written.trim())?.[0] ?? '';
