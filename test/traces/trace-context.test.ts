import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readTraceparent, spanIdOf, traceIdOf, traceparentOf } from '../../src/traces/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('names trace, span and whether it is recorded', () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
    // Other flags are not ours to read (W3C Trace Context, section 3.2.2.5).
    expect(readTraceparent(`00-${traceId}-${spanId}-fe`)).toEqual({ traceId, spanId, sampled: false });
    expect(traceparentOf({ traceId, spanId }, true)).toBe(`00-${traceId}-${spanId}-01`);
    expect(traceparentOf({ traceId, spanId }, false)).toBe(`00-${traceId}-${spanId}-00`);
  });

  it('of a later version may say more', () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)).toMatchObject({ traceId });
    expect(readTraceparent(`cc-${traceId}-${spanId}-01.what`)).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    'rubbish',
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    [`00-${traceId}-${spanId}-01`],
    `00-${traceId}-${spanId}-01${' '.repeat(1_000)}`,
  ])('that is not valid counts as none: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

it('ids of traces and spans follow from what events carry', () => {
  const id = '018f7e2a-0000-7000-8000-000000000001';
  const digest = createHash('sha256').update(id).digest('hex');
  expect(traceIdOf(id)).toBe(digest.slice(0, 32));
  expect(spanIdOf(id)).toBe(digest.slice(0, 16));
});
