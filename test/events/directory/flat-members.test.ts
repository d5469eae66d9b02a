import { expect, it } from 'vitest';
import { flatMembers, shownHours } from '../../../src/events/directory/flat-members.ts';
import type { ResourceFields } from '../../../src/events/directory/resource.ts';

const { phone, address, city, region } = flatMembers;
const having = (rest: Partial<ResourceFields>): ResourceFields => ({ name: 'x', category: 'food', ...rest });

it('the place is that of the first location that is not virtual', () => {
  const fields = having({
    locations: [
      { virtual: true, city: 'Nowhere' },
      { street: '1 Quay', postal_code: '33101', city: 'Miami', region: 'FL' },
      { city: 'Tampa' },
    ],
  });
  expect([address.of(fields), city.of(fields), region.of(fields)]).toEqual(['1 Quay, 33101', 'Miami', 'FL']);
  expect(city.of(having({ locations: [{ virtual: true, city: 'Nowhere' }] }))).toBeUndefined();
  expect(address.of(having({ locations: [{ city: 'Miami' }, { street: '2 Road' }] }))).toBeUndefined();
  expect(address.of(having({ locations: [{ postal_code: '33101' }] }))).toBe('33101');
});

it('the phone is the first voice phone of the main location, else of the service', () => {
  const phones = [{ number: '1', type: 'fax' }, { number: '2', extension: '7' }, { number: '3' }] as const;
  expect(phone.of(having({ phones: [...phones] }))).toBe('2 x7');
  const here = { city: 'Miami', phones: [{ number: '4', type: 'voice' as const }] };
  expect(phone.of(having({ phones: [...phones], locations: [here] }))).toBe('4');
  const there = { city: 'Tampa', phones: [{ number: '5' }] };
  expect(phone.of(having({ phones: [...phones], locations: [{ city: 'Miami' }, there] }))).toBe('2 x7');
  expect(phone.of(having({ phones: [{ number: '1', type: 'tty' }] }))).toBeUndefined();
});

it('the hours are those of the service, else of the main location', () => {
  const locations = [{ hours: 'mornings' }];
  expect(shownHours(having({ hours: 'evenings', locations }))).toBe('evenings');
  expect(shownHours(having({ locations }))).toBe('mornings');
  expect(shownHours(having({}))).toBeUndefined();
});
