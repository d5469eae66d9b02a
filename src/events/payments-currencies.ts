import { z } from 'zod';
import { readTable } from '../tables/read-table.ts';

const currencies = readTable(
  'currencies.tsv',
  {
    code: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
    digits: z
      .string()
      .regex(/^[0-4]$/, 'must be 0 to 4')
      .transform(Number),
  },
  ['code'],
);

/** How many digits the minor unit of an accepted currency has, by code: 2 for USD, so 1250 are $12.50. */
export const minorDigits: ReadonlyMap<string, number> = new Map(
  currencies.map(({ code, digits }) => [code, digits]),
);

/** An amount for people: `12.50 USD`. Exact: no floating point arithmetic. */
export function writtenAmount(amountMinor: number | bigint, currency: string): string {
  const digits = minorDigits.get(currency) ?? 0;
  const text = String(amountMinor).padStart(digits + 1, '0');
  const point = text.length - digits;
  return `${text.slice(0, point)}${digits === 0 ? '' : `.${text.slice(point)}`} ${currency}`;
}

/** Why a text is no amount of a currency. */
export type AmountProblem = 'not_an_amount' | 'too_many_digits' | 'not_positive';

/**
 * An amount as people write it, in the smallest unit of the currency: `12.50` are 1250 for USD. Exact: no floating
 * point arithmetic. A comma may stand for the point, unless it could separate thousands.
 */
export function amountMinorIn(text: string, currency: string): number | AmountProblem {
  const digits = minorDigits.get(currency) ?? 0;
  const [, whole, point, fraction = ''] = /^(\d{1,16})(?:([.,])(\d{1,16}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || (point === ',' && fraction.length === 3)) return 'not_an_amount';
  if (fraction.length > digits) return 'too_many_digits';
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  if (minor === 0n) return 'not_positive';
  return minor > BigInt(Number.MAX_SAFE_INTEGER) ? 'not_an_amount' : Number(minor);
}
