import { describe, expect, it } from 'vitest';
import { isInForce } from '../../src/stores/leases/claim.ts';
import type { Term } from '../../src/stores/leases/terms.ts';

const term = (epoch: number, holder: string | null, beat = 0): Term => ({ name: 'job', epoch, holder, beat });

describe('a term that was begun on a lease', () => {
  const ours = term(6, 'us');

  it('is in force when it is the first, or when the one before was free', () => {
    const first = term(1, 'us');
    expect(isInForce({ term: first, past: [] }, [first])).toBe(true);
    const free = term(5, null);
    expect(isInForce({ term: ours, past: [free] }, [ours, free])).toBe(true);
  });

  it('is in force when the holder before has given no other sign of life, or is forgotten', () => {
    const gone = term(5, 'them', 7);
    expect(isInForce({ term: ours, past: [gone] }, [ours, gone])).toBe(true);
    expect(isInForce({ term: ours, past: [gone] }, [ours])).toBe(true);
  });

  it('is not in force when the holder before turns out to be alive', () => {
    const claim = { term: ours, past: [term(5, 'them', 7)] };
    expect(isInForce(claim, [ours, term(5, 'them', 8)])).toBe(false);
  });

  it('is not in force when there is a newer one, though its own number was free again', () => {
    const claim = { term: ours, past: [term(5, null)] };
    expect(isInForce(claim, [term(8, 'them'), ours])).toBe(false);
  });

  it('is not in force when it is not there, or is of the same number but not ours', () => {
    const claim = { term: ours, past: [term(5, null)] };
    expect(isInForce(claim, [])).toBe(false);
    expect(isInForce(claim, [term(5, null)])).toBe(false);
    expect(isInForce(claim, [term(6, 'them')])).toBe(false);
  });
});
