import { describe, expect, it } from 'vitest';
import { shownName, sourceName, withShownNames } from '../../../src/events/directory/shown-name.ts';

const organization = { name: 'Salvation Army' };
const locations = [{ city: 'Miami', region: 'FL' }, { city: 'Saint-Étienne' }];
const shown = (name: string, rest: object = {}) =>
  shownName({ name, category: 'food', organization, locations, ...rest });
const ofSource = (name: string) => sourceName({ name, category: 'food', organization, locations });

it.each([
  'MIAMI',
  'Miami',
  'miami.',
  'FL',
  'Miami, FL',
  'SAINT ETIENNE',
  'Food',
  'GO',
  '7',
  'SOUTH',
  'Miami Main Office',
])('the name %s tells nothing, so the organization’s is shown with it', (name) => {
  expect(ofSource(name)).toBe(`${name} (Salvation Army)`);
});

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

it('without an organization the name of the place is shown, if it ends with the name', () => {
  const named = (place: string) =>
    shownName({ name: 'MIAMI', category: 'food', locations: [{ name: place, city: 'Miami' }] });
  expect(named('CHURCH WORLD SERVICE - MIAMI')).toBe('Church World Service - Miami');
  expect(named('MIAMI')).toBe('Miami');
  expect(named('Miami Hall')).toBe('Miami');
});

it('a name stays alone without an organization, and beside one of the same name', () => {
  expect(shownName({ name: 'Miami', category: 'food', locations })).toBe('Miami');
  expect(shown('GO', { organization: { name: 'Go!' } })).toBe('GO');
});

it('a name is shown no longer than one may be', () => {
  expect(shown('Miami', { organization: { name: 'x'.repeat(292) } })).toHaveLength(300);
  expect(shown('Miami', { organization: { name: 'x'.repeat(293) } })).toBe('Miami');
});

describe('a name in capitals is shown in title case', () => {
  const record = {
    name: 'RCMA HOPE CENTER',
    category: 'food',
    alternate_name: 'THE HOPE CENTER',
    description: 'HELPLINE of the CareerSource project.',
    organization: { name: 'REDLANDS CHRISTIAN MIGRANT ASSOCIATION, INC.', url: 'https://example.org' },
    locations: [{ name: 'CAREERSOURCE CENTER', city: 'MIAMI' }, { city: 'NAPLES' }],
  } as const;

  it('of the service, its organization and its locations, as the record itself writes their words', () => {
    expect(withShownNames({ ...record, locations: [...record.locations] })).toEqual({
      ...record,
      name: 'RCMA Hope Center',
      alternate_name: 'The Hope Center',
      organization: { name: 'Redlands Christian Migrant Association, Inc.', url: 'https://example.org' },
      locations: [{ name: 'CareerSource Center', city: 'MIAMI' }, { city: 'NAPLES' }],
    });
  });

  it('with the name of the organization beside it when it says nothing by itself', () => {
    expect(shown('MIAMI')).toBe('Miami (Salvation Army)');
    expect(shown('MIAMI', { organization: { name: 'CHURCH WORLD SERVICE, INC.' } })).toBe(
      'Miami (Church World Service, Inc.)',
    );
  });

  it('but an acronym stays: an alternate name of one word, a name of three letters', () => {
    expect(withShownNames({ ...record, locations: [], alternate_name: 'LHANCA' }).alternate_name).toBe(
      'LHANCA',
    );
    expect(shown('PAL')).toBe('PAL');
  });

  it('while the name of the source is kept as it is written', () => {
    expect(ofSource('MIAMI')).toBe('MIAMI (Salvation Army)');
    expect(ofSource('HOPE CENTER')).toBe('HOPE CENTER');
  });
});

describe('what a record spells out elsewhere is an acronym in its name', () => {
  it.each([
    [
      'PATH - PROJECTS FOR ASSISTANCE IN TRANSITION FROM HOMELESSNESS',
      '',
      'PATH - Projects for Assistance in Transition from Homelessness',
    ],
    [
      'CIFFTA PROGRAM',
      'Culturally Informed and Flexible Family-based Treatment for Adolescents.',
      'CIFFTA Program',
    ],
    [
      'FOCAL LEARNING CENTER',
      'The Foundation of Community Assistance and Leadership.',
      'FOCAL Learning Center',
    ],
    ['V.I.C.T.O.R. CENTER, INC.', '', 'V.I.C.T.O.R. Center, Inc.'],
    ['BIKE PATH PROGRAM', 'Rides along the river for all ages.', 'Bike Path Program'],
  ])('%s', (name, description, shown) => {
    expect(shownName({ name, description, category: 'food' })).toBe(shown);
  });
});
