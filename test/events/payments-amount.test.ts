import { describe, expect, it } from 'vitest';
import { amountMinorIn, writtenAmount } from '../../src/events/payments-currencies.ts';

describe('an amount as people write it', () => {
  it.each([
    ['12.50', 'USD', 1250],
    ['12,5', 'EUR', 1250],
    ['0.29', 'USD', 29],
    ['1250', 'JPY', 1250],
    ['1.001', 'KWD', 1001],
    ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
  ])('is exact: %s %s', (text, currency, minor) => {
    expect(amountMinorIn(text, currency)).toBe(minor);
    expect(amountMinorIn(writtenAmount(minor, currency).replace(` ${currency}`, ''), currency)).toBe(minor);
  });

  it.each([
    ['1,250', 'USD', 'not_an_amount'],
    ['1,250', 'KWD', 'not_an_amount'],
    ['1e3', 'USD', 'not_an_amount'],
    ['-5', 'USD', 'not_an_amount'],
    ['90071992547409.92', 'USD', 'not_an_amount'],
    ['1.5', 'JPY', 'too_many_digits'],
    ['12.505', 'USD', 'too_many_digits'],
    ['0.00', 'USD', 'not_positive'],
  ])('is none, or not this currency’s: %s %s', (text, currency, problem) => {
    expect(amountMinorIn(text, currency)).toBe(problem);
  });
});
