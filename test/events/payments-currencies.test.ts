import { describe, expect, it } from 'vitest';
import { minorDigits, writtenAmount } from '../../src/events/payments-currencies.ts';
import { amountMinor, currency } from '../../src/events/payments.ts';

describe('a currency', () => {
  it.each(['USD', 'EUR', 'JPY', 'KWD', 'HTG', 'DOP', 'MXN', 'XOF'])('%s is active', (code) => {
    expect(currency.safeParse(code).success).toBe(true);
  });

  it.each(['usd', 'US', 'USDT', 'BTC', 'DEM', 'XAU', 'XXX', 'XTS', 'HRK', '', 'constructor'])(
    '%j is none in which somebody pays today',
    (code) => {
      expect(currency.safeParse(code).error?.issues[0]?.message).toContain('ISO 4217');
    },
  );

  it('is known to the runtime too, except the digital bolívar', () => {
    const known = new Set([...Intl.supportedValuesOf('currency'), 'VED']);
    expect([...minorDigits.keys()].filter((code) => !known.has(code))).toEqual([]);
  });
});

it.each([
  [1250, 'USD', '12.50 USD'],
  [5, 'USD', '0.05 USD'],
  [1250, 'JPY', '1250 JPY'],
  [5, 'KWD', '0.005 KWD'],
  [9007199254740991, 'EUR', '90071992547409.91 EUR'],
])('%d of the minor unit of %s is written %s', (amount, code, written) => {
  expect(writtenAmount(amount, code)).toBe(written);
});

describe('an amount', () => {
  it.each([1, 1250, 2 ** 53 - 1])('of %d is taken', (amount) => {
    expect(amountMinor.safeParse(amount)).toMatchObject({ success: true, data: amount });
  });

  it.each([0, -0, -1, 0.5, 12.5, 2 ** 53, 2 ** 53 + 2, Infinity, Number.NaN, '1250', null, true, 1n])(
    'of %s is refused in words',
    (amount) => {
      const issues = amountMinor.safeParse(amount).error?.issues ?? [];
      expect(issues[0]?.message).toContain('must be a whole number of the smallest unit');
    },
  );
});
