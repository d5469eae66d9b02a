import { describe, expect, it } from 'vitest';
import { fieldsOf } from './support.ts';

const money = async (fees: string, options = '') => {
  const { cost, free } = await fieldsOf({
    'services.csv': `id,name,fees\ns1,Soup,"${fees}"\n`,
    'cost_options.csv': `id,service_id,option,amount,currency,amount_description,valid_from,valid_to\n${options}`,
  });
  return { cost, free };
};

describe('a service is free, or not, where its source says so clearly', () => {
  it.each([
    ['Free', true],
    ['None', true],
    ['$0', true],
    ['No charge.', true],
    ['There is no cost for this service', true],
    ['Free of charge to everyone', true],
    ['Gratis', true],
    ['Servicio gratuito', true],
    ['Sin costo', true],
    ['Free for eligible families', undefined],
    ['Free; donations welcome', undefined],
    ['First visit free', undefined],
    ['Toll-free line', undefined],
    ['Not free', undefined],
    ['No es gratis', undefined],
    ['Sliding fee scale', undefined],
    ['Call for fees', undefined],
    ['Gratis si no tiene seguro', undefined],
    ['Free with Medicaid, otherwise $20', undefined],
    ['$25 per session', false],
    ['20 dollars', false],
    ['Families with an income below $20,000', undefined],
    ['Suggested donation $5', undefined],
    [`Free. ${'There is more to know about it. '.repeat(10)}`, undefined],
    ['', undefined],
  ])('%s', async (fees, free) => {
    expect((await money(fees)).free).toBe(free);
  });

  it('in the amounts of its prices', async () => {
    expect(await money('', 'c1,s1,free,0,,,,\n')).toEqual({ cost: undefined, free: true });
    expect(await money('', 'c1,s1,Children,0,,,,\nc2,s1,Adults,5,usd,a day,2026-01-01,\n')).toEqual({
      cost: 'Adults: 5 USD a day (from 2026-01-01)\nChildren: free',
      free: false,
    });
    expect(await money('Ask us', 'c1,s1,Children,,,,,2026-12-31\n')).toEqual({
      cost: 'Ask us\nChildren (to 2026-12-31)',
      free: undefined,
    });
  });
});
