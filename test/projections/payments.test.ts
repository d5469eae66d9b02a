import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '../../src/events/payments.ts';
import { payments } from '../../src/projections/payments.ts';
import { at, given, somebody } from '../support/fold.ts';

const payment = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
const stream = `payment-${payment}`;
const recorded: PaymentEvent = {
  type: 'PaymentRecorded',
  data: {
    payment,
    team: 'harbour',
    member: '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11',
    amount_minor: 1250,
    currency: 'USD',
    memo: 'c2VhbGVk',
    occurred_at: '2026-02-28T12:00:00.000Z',
  },
};
const reversed: PaymentEvent = { type: 'PaymentReversed', data: { payment, team: 'harbour' } };

describe('the read model of payments', () => {
  it('shows what was recorded, when and by whom, with the memo sealed', () => {
    expect(given(payments, [stream, recorded]).get(payment)).toEqual({
      ...recorded.data,
      status: 'recorded',
      recorded_at: at(0),
      recorded_by: somebody,
    });
  });

  it('keeps a reversed payment, and says so', () => {
    expect(given(payments, [stream, recorded], [stream, reversed]).get(payment)).toMatchObject({
      ...recorded.data,
      status: 'reversed',
      reversed_at: at(1),
      reversed_by: somebody,
    });
  });

  it('knows no payment that was never recorded', () => {
    expect(given(payments, [stream, reversed])).toEqual(new Map());
  });
});
