import { describe, expect, it } from 'vitest';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import { resourceSearch } from '../../../src/projections/directory/resource-search.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { at, given } from '../../support/fold.ts';
import { aResource, pantryFields } from '../../support/samples.ts';

const pantry = aResource();
const steps = (events: readonly ResourceEvent[]) =>
  events.map((event) => [`resource-${pantry.svc_id}`, event] as const);
const after = (...events: ResourceEvent[]) => given(resourceSearch, ...steps(events)).get(pantry.svc_id);

describe('the entry of a resource in the search index', () => {
  const fields = {
    ...pantryFields,
    description: 'Groceries weekly',
    organization: { name: 'Harbour Aid', url: 'https://aid.example.org' },
    alternate_name: 'The Larder',
    categories: ['goods' as const],
    locations: [
      { name: 'Hall', street: '1 Quay', city: 'Miami', region: 'FL', latitude: 25.7, longitude: -80.2 },
      {
        street: '5 Secret Road',
        city: 'Tampa',
        postal_code: '33601',
        latitude: 27.9,
        longitude: -82.4,
        phones: [{ number: '305-555-0177' }],
        confidential: true as const,
      },
    ],
    phones: [{ number: '305-555-0100' }],
    email: 'help@example.org',
    hours: 'mornings',
    opening_hours: [{ days: ['mon' as const], opens: '09:00', closes: '12:00' }],
    eligibility: 'residents',
    languages: ['Spanish'],
  };

  it('has what everybody may read of it, and nothing else', () => {
    const found = after(pantry.submitted({ fields }), pantry.approved());
    const { terms, vocabulary, ...rest } = found ?? {};
    expect(rest).toEqual({
      svc_id: pantry.svc_id,
      number: 7,
      team: 'harbour',
      listed: 1,
      category: 'food',
      updated_at: at(1),
      places: '25.7,-80.2;!00000tampa',
      week: JSON.stringify({
        opening_hours: [{ days: ['mon'], opens: '09:00', closes: '12:00' }],
        place: '25.7\t-80.2\t\tMiami\tFL',
        team: 'harbour',
      }),
      facets: 'Miami|Tampa\tSpanish',
    });
    const all = new Set(terms?.split(' '));
    for (const term of ['npantri', 'cgood', 'pquay', 'dresident', 't3055550100', 'ytampa', 'les', 'kfood'])
      expect(all, term).toContain(term);
    const told = [...all, ...(vocabulary?.split(' ') ?? [])].join(' ');
    for (const secret of ['secret', '33601', '0177', 'example', 'morning'])
      expect(told).not.toContain(secret);
    expect(found?.terms?.match(/\bg0x/g)).toHaveLength(1);
  });

  it('is indexed only while the resource is public', () => {
    const story = [
      pantry.submitted({ fields }),
      pantry.rejected('No.'),
      pantry.approved(),
      pantry.revised(fields),
      pantry.deactivated(),
      pantry.revised(fields),
      pantry.reactivated(),
    ];
    const indexed = story.map((_, n) => {
      const found = after(...story.slice(0, n + 1));
      const parts = [found?.terms, found?.vocabulary, found?.places, found?.week, found?.facets];
      expect(new Set(parts.map((part) => part !== undefined)).size).toBe(1);
      expect(found?.unlisted === undefined).toBe(found?.listed === 1);
      return found?.terms !== undefined;
    });
    expect(indexed).toEqual([false, false, true, true, false, false, true]);
  });

  it('is the same after a rejection and an approval as before', () => {
    const once = after(pantry.submitted({ fields }), pantry.approved());
    const twice = after(
      pantry.submitted({ fields }),
      pantry.approved(),
      pantry.rejected('x'),
      pantry.approved(),
    );
    expect({ ...twice, updated_at: once?.updated_at }).toEqual(once);
  });

  it('follows a revision', () => {
    const document = after(
      pantry.submitted({ fields }),
      pantry.approved(),
      pantry.revised({ name: 'Bay Closet', category: 'goods' }),
    );
    expect(document).toMatchObject({ category: 'goods', updated_at: at(2) });
    expect(document?.terms).toContain('ebaycloset');
    expect(document?.terms).not.toContain('pantri');
    expect(document).not.toHaveProperty('places');
    expect(document).not.toHaveProperty('week');
  });

  it('agrees with the list on what is public, in what place and since when', () => {
    const story = [
      pantry.submitted(),
      pantry.rejected('No.'),
      pantry.approved(),
      pantry.revised({ name: 'x', category: 'goods' }),
      pantry.deactivated(),
      pantry.reactivated(),
    ];
    story.forEach((event, n) => {
      const sofar = steps(story.slice(0, n + 1));
      const listed = given(resources, ...sofar).get(pantry.svc_id);
      const found = given(resourceSearch, ...sofar).get(pantry.svc_id);
      const { number, category, updated_at } = listed ?? {};
      expect(found, event.type).toMatchObject({ listed: listed?.listed, number, category, updated_at });
    });
  });

  it('is none for a resource that was never submitted', () => {
    expect(after(pantry.approved())).toBeUndefined();
    expect(after(pantry.revised(pantryFields))).toBeUndefined();
  });
});
