import { describe, expect, it } from 'vitest';
import type { ResourceEvent, ResourceFields } from '../../../src/events/directory/resource.ts';
import {
  developerTier,
  resources,
  teamTier,
  type ResourceDocument,
} from '../../../src/projections/directory/resources.ts';
import { at, given } from '../../support/fold.ts';
import { aResource, pantryFields } from '../../support/samples.ts';

const pantry = aResource();

function after(...events: ResourceEvent[]): ResourceDocument {
  const document = given(
    resources,
    ...events.map((event) => [`resource-${pantry.svc_id}`, event] as const),
  ).get(pantry.svc_id);
  if (!document) throw new Error('there is no document');
  return document;
}

const full: ResourceFields = {
  name: 'Harbour "Pantry" \\ Ñandú 🏠',
  category: 'food',
  description: 'Line\nline\u2028line, </script>',
  url: 'https://example.org/?a=1&b="2"',
  city: 'Miami',
  region: 'FL',
  phone: '305-555-0100',
  email: 'help@example.org',
  address: '1 Quay, 33101',
  hours: 'Mo–Fr 9–17',
  languages: ['English', 'Kreyòl'],
  eligibility: 'Everybody',
};
const developerFields = ['svc_id', 'name', 'category', 'description', 'url', 'city', 'region', 'updated_at'];
const teamFields = [...developerFields, 'phone', 'email', 'address', 'hours', 'languages', 'eligibility'];

describe('the read model of resources', () => {
  it('shows a submission to its team, and to nobody else', () => {
    expect(after(pantry.submitted())).toMatchObject({
      svc_id: pantry.svc_id,
      number: 7,
      team: 'harbour',
      status: 'submitted',
      listed: 0,
      category: 'food',
      updated_at: at(0),
      submitted_at: at(0),
    });
  });

  it('keeps where a record was imported from', () => {
    const source = { system: 'miami', id: '1' };
    expect(after(pantry.submitted({ source })).source).toEqual(source);
    expect(after(pantry.submitted())).not.toHaveProperty('source');
  });

  it.each([
    ['approved', [pantry.approved()], 'approved', 1],
    ['rejected', [pantry.rejected('No.')], 'rejected', 0],
    ['rejected and then approved', [pantry.rejected('No.'), pantry.approved()], 'approved', 1],
    ['deactivated', [pantry.approved(), pantry.deactivated()], 'inactive', 0],
    ['reactivated', [pantry.approved(), pantry.deactivated(), pantry.reactivated()], 'approved', 1],
    ['revised while public', [pantry.approved(), pantry.revised(full)], 'approved', 1],
    ['revised while it waits', [pantry.revised(full)], 'submitted', 0],
    [
      'revised while inactive',
      [pantry.approved(), pantry.deactivated(), pantry.revised(full)],
      'inactive',
      0,
    ],
  ] as const)('lists what is public: %s', (_, events, status, listed) => {
    expect(after(pantry.submitted(), ...events)).toMatchObject({ status, listed });
  });

  it('says when the resource was last touched, by whatever event', () => {
    const story = [
      pantry.submitted(),
      pantry.approved(),
      pantry.revised(full),
      pantry.deactivated(),
      pantry.reactivated(),
    ];
    story.forEach((_, n) => {
      const document = after(...story.slice(0, n + 1));
      expect(document).toMatchObject({ updated_at: at(n), submitted_at: at(0) });
    });
  });

  it('follows a revision in every part of the document', () => {
    const document = after(
      pantry.submitted(),
      pantry.approved(),
      pantry.revised({ ...full, category: 'goods' }),
    );
    expect(document.category).toBe('goods');
    expect(JSON.parse(teamTier(document))).toMatchObject({
      name: full.name,
      category: 'goods',
      phone: full.phone,
    });
  });

  it('keeps the reviewer’s words on the newest decision only', () => {
    const note = (...events: ResourceEvent[]) => after(pantry.submitted(), ...events).review_note;
    expect(note()).toBeUndefined();
    expect(note(pantry.rejected('No.'))).toBe('No.');
    expect(note(pantry.approved({ note: 'Called them.' }))).toBe('Called them.');
    expect(note(pantry.rejected('No.'), pantry.approved())).toBeUndefined();
    expect(note(pantry.approved(), pantry.deactivated('Flooded.'))).toBe('Flooded.');
    expect(note(pantry.approved(), pantry.deactivated('Flooded.'), pantry.reactivated())).toBeUndefined();
    expect(note(pantry.rejected('No.'), pantry.revised(full))).toBe('No.');
  });

  it('knows no resource that was never submitted', () => {
    expect(given(resources, [`resource-${pantry.svc_id}`, pantry.approved()])).toEqual(new Map());
  });
});

describe('the developer tier', () => {
  it('has exactly its fields, in JSON, whatever they hold', () => {
    const tier = JSON.parse(developerTier(after(pantry.submitted({ fields: full })))) as object;
    const { name, category, description, url, city, region } = full;
    expect(tier).toEqual({
      svc_id: pantry.svc_id,
      name,
      category,
      description,
      url,
      city,
      region,
      updated_at: at(0),
    });
    expect(Object.keys(tier).sort()).toEqual([...developerFields].sort());
  });

  it('has null for what is not known', () => {
    expect(
      JSON.parse(developerTier(after(pantry.submitted({ fields: { name: 'x', category: 'food' } })))),
    ).toEqual({
      svc_id: pantry.svc_id,
      name: 'x',
      category: 'food',
      description: null,
      url: null,
      city: null,
      region: null,
      updated_at: at(0),
    });
  });

  it('has the time of the last change, not of the last rendering', () => {
    const document = after(pantry.submitted({ fields: pantryFields }), pantry.approved());
    expect(JSON.parse(developerTier(document))).toMatchObject({ updated_at: at(1) });
  });
});

describe('the team tier', () => {
  it('has exactly its fields, in JSON, whatever they hold', () => {
    const tier = JSON.parse(teamTier(after(pantry.submitted({ fields: full })))) as object;
    expect(tier).toEqual({ svc_id: pantry.svc_id, ...full, updated_at: at(0) });
    expect(Object.keys(tier).sort()).toEqual([...teamFields].sort());
  });

  it('has null for what is not known, and no languages where none are named', () => {
    const tier = JSON.parse(
      teamTier(after(pantry.submitted({ fields: { name: 'x', category: 'food' } }))),
    ) as object;
    expect(tier).toMatchObject({
      phone: null,
      email: null,
      address: null,
      hours: null,
      languages: [],
      eligibility: null,
    });
    expect(Object.keys(tier).sort()).toEqual([...teamFields].sort());
  });

  it('names no field twice', () => {
    const text = teamTier(after(pantry.submitted({ fields: pantryFields })));
    for (const field of teamFields) expect(text.split(`"${field}":`), field).toHaveLength(2);
  });
});
