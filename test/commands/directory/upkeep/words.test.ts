import { describe, expect, test } from 'vitest';
import { otherWords, wordsIn, type WordEvent } from '../../../../src/commands/directory/upkeep/words.ts';
import type { ResourceEvent, ResourceFields } from '../../../../src/events/directory/resource.ts';

const fields = (over: Partial<ResourceFields> = {}): ResourceFields => ({
  name: 'Pantry',
  category: 'food',
  hours: 'Mon-Fri',
  ...over,
});
const county = { source: 'county' };
let revision = 0;
const at = (
  event: ResourceEvent,
  by: { readonly source?: string } = {},
  of = 'r_0000000000000001',
): WordEvent => {
  revision += 1;
  return { event, at: `2026-01-01T00:00:${String(revision).padStart(2, '0')}.000Z`, of, revision, ...by };
};
const submitted = (over?: Partial<ResourceFields>) =>
  at(
    {
      type: 'ResourceSubmitted',
      data: {
        svc_id: 'r_0000000000000001',
        id: 1,
        team: 'harbour',
        source: { system: 'county', id: '1' },
        fields: fields(over),
      },
    },
    county,
  );
const revised = (over: Partial<ResourceFields>, from_source?: true) =>
  at({ type: 'ResourceRevised', data: { fields: fields(over), from_source } }, from_source ? county : {});
const read = (over: Partial<ResourceFields>) =>
  at({ type: 'ResourceReadFromSource', data: { fields: fields(over) } }, county);

/** Who said what otherwise, of the field that each group begins with. */
const said = (standing: Partial<ResourceFields>, ...events: readonly WordEvent[]) =>
  otherWords(fields(standing), [wordsIn(events)]).map(({ stands, others }) => ({
    stands: stands?.source ?? (stands && 'people'),
    others: others.map(({ source, agency, values }) => [source ?? (agency ? 'agency' : 'people'), values]),
  }));

describe('what was said otherwise of a record', () => {
  test('is nothing while its source alone has said anything', () => {
    expect(said({}, submitted())).toEqual([]);
    expect(said({ hours: 'Mon-Thu' }, submitted(), revised({ hours: 'Mon-Thu' }, true))).toEqual([]);
  });

  test('is what the source says, where people have changed it', () => {
    expect(said({ hours: 'Mon-Thu' }, submitted(), revised({ hours: 'Mon-Thu' }))).toEqual([
      { stands: 'people', others: [['county', { hours: 'Mon-Fri' }]] },
    ]);
    expect(
      said({ hours: 'Mon-Thu' }, submitted(), revised({ hours: 'Mon-Thu' }), read({ hours: 'Daily' })),
    ).toEqual([{ stands: 'people', others: [['county', { hours: 'Daily' }]] }]);
  });

  test('is nothing any more when the source says the same', () => {
    expect(
      said(
        { hours: 'Mon-Thu', cost: 'Free' },
        submitted(),
        revised({ hours: 'Mon-Thu' }),
        revised({ hours: 'Mon-Thu', cost: 'Free' }, true),
      ),
    ).toEqual([]);
  });

  test('is what people said, where the word of the source counted', () => {
    expect(
      said({ hours: 'Daily' }, submitted(), revised({ hours: 'Mon-Thu' }), revised({ hours: 'Daily' }, true)),
    ).toEqual([{ stands: 'county', others: [['people', { hours: 'Mon-Thu' }]] }]);
  });

  test('is what the agency said, apart from what the people of the directory said', () => {
    const first = submitted();
    const agency = { ...revised({ hours: 'Mon-Thu' }), agency: true } as const;
    expect(said({ hours: 'Daily' }, first, agency, revised({ hours: 'Daily' }))).toEqual([
      {
        stands: 'people',
        others: [
          ['county', { hours: 'Mon-Fri' }],
          ['agency', { hours: 'Mon-Thu' }],
        ],
      },
    ]);
  });

  test('is not what a source has no word for, and nothing about persons', () => {
    const named = { contacts: [{ person: '00000000-0000-4000-8000-000000000000', sealed: 'x' }] };
    expect(said({ cost: 'Free', ...named }, submitted(), revised({ cost: 'Free', ...named }))).toEqual([]);
  });

  test('keeps together what is said together', () => {
    const [{ others: [word] } = { others: [] }] = otherWords(fields({ hours: 'Mon-Thu' }), [
      wordsIn([submitted({ time_zone: 'America/New_York' }), revised({ hours: 'Mon-Thu' })]),
    ]);
    expect(word?.fields).toContain('time_zone');
    expect(word?.values).toEqual({ hours: 'Mon-Fri', time_zone: 'America/New_York' });
  });
});
