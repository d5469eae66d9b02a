/**
 * The active currencies (ISO 4217, list one) in which people pay: without fund codes, precious metals and codes for
 * tests. Grouped by the digits of their minor unit.
 */
const codesByDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
  `,
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

/** How many digits the minor unit has, by code: 2 for USD, so 1250 are $12.50. */
export const minorDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDigits).flatMap(([digits, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(digits)] as const),
  ),
);

/** An amount for people: `12.50 USD`. Exact: no floating point arithmetic. */
export function writtenAmount(amountMinor: number, currency: string): string {
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
