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

describe('the words by which a resource is found', () => {
  it('are those that everybody may read of it, and no others', () => {
    const fields = {
      ...pantryFields,
      description: 'Groceries weekly',
      organization: { name: 'Harbour Aid', url: 'https://aid.example.org' },
      alternate_name: 'The Larder',
      categories: ['goods' as const],
      locations: [
        { name: 'Hall', street: '1 Quay', city: 'Miami', region: 'FL', postal_code: '33101' },
        { street: '5 Secret Road', city: 'Tampa', confidential: true as const },
      ],
      phones: [{ number: '305-555-0100' }],
      email: 'help@example.org',
      hours: 'mornings',
      eligibility: 'residents',
    };
    expect(after(pantry.submitted({ fields }))).toEqual({
      svc_id: pantry.svc_id,
      number: 7,
      listed: 0,
      category: 'food',
      updated_at: at(0),
      words: 'Harbour Pantry Harbour Aid The Larder food goods Hall Miami FL Tampa Groceries weekly',
    });
  });

  it('follow a revision', () => {
    const document = after(pantry.submitted(), pantry.revised({ name: 'Bay Closet', category: 'goods' }));
    expect(document).toMatchObject({ words: 'Bay Closet goods', category: 'goods', updated_at: at(1) });
  });

  it('agree with the list on what is public, in what place and since when', () => {
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

  it('are none for a resource that was never submitted', () => {
    expect(after(pantry.approved())).toBeUndefined();
    expect(after(pantry.revised(pantryFields))).toBeUndefined();
  });
});
