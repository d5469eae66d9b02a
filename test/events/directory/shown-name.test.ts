import { expect, it } from 'vitest';
import { shownName } from '../../../src/events/directory/shown-name.ts';

const organization = { name: 'Salvation Army' };
const locations = [{ city: 'Miami', region: 'FL' }, { city: 'Saint-Étienne' }];
const shown = (name: string, rest: object = {}) =>
  shownName({ name, category: 'food', organization, locations, ...rest });

it.each(['MIAMI', 'Miami', 'miami.', 'FL', 'Miami, FL', 'SAINT ETIENNE', 'Food', 'GO', '7'])(
  'the name %s tells nothing, so the organization’s is shown with it',
  (name) => {
    expect(shown(name)).toBe(`${name} (Salvation Army)`);
  },
);

it('a further category and an area served tell nothing either', () => {
  expect(shown('Money', { categories: ['money'] })).toBe('Money (Salvation Army)');
  expect(shown('Dade County', { service_area: ['Dade County'] })).toBe('Dade County (Salvation Army)');
});

it.each(['Food Pantry', 'Miami Food Pantry', 'Housing', 'Tampa', 'WIC', 'Food for Miami', 'مطبخ'])(
  'the name %s is shown as it is',
  (name) => {
    expect(shown(name)).toBe(name);
  },
);

it('a name stays alone without an organization, and beside one of the same name', () => {
  expect(shownName({ name: 'Miami', category: 'food', locations })).toBe('Miami');
  expect(shown('GO', { organization: { name: 'Go!' } })).toBe('GO');
});

it('a name is shown no longer than one may be', () => {
  expect(shown('Miami', { organization: { name: 'x'.repeat(292) } })).toHaveLength(300);
  expect(shown('Miami', { organization: { name: 'x'.repeat(293) } })).toBe('Miami');
});
