import { describe, expect, it } from 'vitest';
import type { ResourceEvent, ResourceFields } from '../../../src/events/directory/resource.ts';
import {
  developerTier,
  legacyTier,
  resources,
  teamTier,
  wholeTier,
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
  locations: [{ street: '1 Quay', city: 'Miami', region: 'FL', postal_code: '33101' }],
  phones: [{ number: '305-555-0100', extension: '7' }],
  email: 'help@example.org',
  hours: 'Mo–Fr 9–17',
  languages: ['English', 'Kreyòl'],
  eligibility: 'Everybody',
};
/** What is derived from the main location and the first phone. */
const flat = { phone: '305-555-0100 x7', address: '1 Quay, 33101', city: 'Miami', region: 'FL' };
const { email, ...seenByAll } = full;
/** What every record shows, whatever is known. */
const nothing = {
  description: null,
  url: null,
  locations: [],
  phones: [],
  hours: null,
  languages: [],
  eligibility: null,
  phone: null,
  address: null,
  city: null,
  region: null,
};
/** A record in which every field is known. */
const everything: ResourceFields = {
  ...full,
  organization: { name: 'Harbour Aid', url: 'https://aid.example.org' },
  alternate_name: 'The Pantry',
  categories: ['goods'],
  locations: [
    {
      name: 'Hall',
      street: '1 Quay',
      city: 'Miami',
      region: 'FL',
      postal_code: '33101',
      country: 'US',
      latitude: 25.77,
      longitude: -80.19,
      phones: [{ number: '305-555-0101', type: 'voice', languages: ['Kreyòl'] }],
      hours: 'Mornings',
      accessibility: 'Ramp at the side door',
      transportation: 'Bus 7',
    },
    { name: 'Hotline', virtual: true },
  ],
  opening_hours: [{ days: ['mon', 'tue'], opens: '09:00', closes: '17:00', note: 'Ring twice' }],
  time_zone: 'America/New_York',
  interpretation: 'Kreyòl on request',
  ages: { minimum: 18 },
  cost: 'A dollar if you can',
  free: false,
  how_to_apply: 'Walk in',
  documents: ['A letter with your address'],
  service_area: ['Dade County'],
  capacity: '40 a day',
  alert: 'Closed on Friday',
  availability: 'open',
  last_verified: '2026-03-31',
};
const forTeams = ['email', 'interpretation', 'capacity'] as const;

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
    expect(JSON.parse(teamTier(document, undefined))).toMatchObject({
      name: full.name,
      category: 'goods',
      phone: flat.phone,
    });
  });

  it.each([
    ['submitted', []],
    ['public', [pantry.approved()]],
    ['rejected', [pantry.rejected('No.')]],
    ['inactive', [pantry.approved(), pantry.deactivated()]],
    ['public again', [pantry.approved(), pantry.deactivated(), pantry.reactivated()]],
  ])('shows nothing of a revision that another one follows, while it is %s', (_, events) => {
    const stream = `resource-${pantry.svc_id}`;
    const both = [pantry.submitted(), ...events, pantry.revised(full)];
    const last = [stream, pantry.revised({ ...pantryFields, hours: 'Mo 9–17' })] as const;
    const steps = both.map((event) => [stream, event] as const);
    const elsewhere = ['resource-other', pantry.revised(full)] as const;
    expect(resources.overwrites?.(last[1], pantry.revised(full))).toBe(true);
    expect(given(resources, ...steps, last).get(pantry.svc_id)).toEqual(
      given(resources, ...steps.slice(0, -1), elsewhere, last).get(pantry.svc_id),
    );
  });

  it('says what was read from a source last, also when a person revises it then', () => {
    const read: ResourceEvent = { type: 'ResourceRevised', data: { fields: full, from_source: true } };
    const revised = pantry.revised({ ...pantryFields, hours: 'Mo 9–17' });
    expect(resources.overwrites?.(revised, read)).toBe(false);
    expect(resources.overwrites?.(read, revised)).toBe(false);
    expect(resources.overwrites?.(read, read)).toBe(true);
    const stream = `resource-${pantry.svc_id}`;
    const lastRead = (...events: ResourceEvent[]) =>
      given(resources, ...events.map((event) => [stream, event] as const)).get(pantry.svc_id)?.read_event;
    expect(lastRead(pantry.submitted(), read, revised)).toBe(lastRead(pantry.submitted(), read));
    expect(lastRead(pantry.submitted(), revised)).toBeUndefined();
  });

  it('keeps what a person verified, when its source is read in the same breath and says the same day', () => {
    const read = (fields: Partial<ResourceFields>, unconfirmed?: ['hours']): ResourceEvent => ({
      type: 'ResourceRevised',
      data: { fields: { ...full, ...fields }, from_source: true, ...(unconfirmed && { unconfirmed }) },
    });
    const changedBySource = read({ hours: 'Mo 9–17' }, ['hours']);
    const verified = pantry.revised({ ...full, last_verified: '2026-03-01' });
    const sameDay = read({ hours: 'Mo 9–12', last_verified: '2026-03-01' });
    const confirmation = (...events: ResourceEvent[]) =>
      after(pantry.submitted(), pantry.approved(), changedBySource, ...events).confirmation;
    expect(confirmation(verified, sameDay)).not.toContain('changed');
    expect(confirmation(sameDay)).toContain('changed');
    expect(resources.overwrites?.(sameDay, verified)).toBe(false);
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
  const tierOf = (fields: ResourceFields): unknown =>
    JSON.parse(developerTier(after(pantry.submitted({ fields }))));

  it('has exactly its fields, in JSON, whatever they hold', () => {
    expect(tierOf(full)).toEqual({ svc_id: pantry.svc_id, ...seenByAll, ...flat, updated_at: at(0) });
  });

  it('has all that a person in need must know', () => {
    const { email: _, interpretation: _notes, capacity: _places, ...open } = everything;
    expect(tierOf(everything)).toEqual({
      svc_id: pantry.svc_id,
      ...open,
      ...flat,
      phone: '305-555-0101',
      updated_at: at(0),
      confirmed: { on: '2026-03-31', by: 'team' },
    });
  });

  it('ends with who confirmed it last, and when, whatever else changes', () => {
    const confirmed = (by: 'team' | 'agency', parts?: ['hours']): ResourceEvent => ({
      type: 'ResourceConfirmed',
      data: { by, ...(parts && { parts }) },
    });
    const locations = [{ street: '1 Quay', city: 'Miami', confidential: true as const }];
    const hidden: ResourceFields = { ...everything, locations, last_verified: '2018-03-31' };
    const story = [
      pantry.submitted({ fields: hidden, source: { system: 'miami', id: '1' } }),
      pantry.approved(),
      confirmed('agency', ['hours']),
      pantry.revised({ ...hidden, last_verified: undefined }),
      confirmed('team'),
      pantry.revised({ ...full, locations }),
      pantry.deactivated(),
      pantry.reactivated(),
    ];
    const of = (count: number) => after(...story.slice(0, count));
    const [source, day] = [{ on: '2018-03-31', by: 'source' }, at(0).slice(0, 10)];
    const hours = { on: day, by: 'agency' };
    const expected = [
      source,
      source,
      { ...source, hours },
      { hours },
      ...Array<object>(4).fill({ on: day, by: 'team' }),
    ];
    const shown = (card: string | undefined) =>
      (JSON.parse(`{${card ?? ''}}`) as { confirmed?: unknown }).confirmed;
    expected.forEach((each, index) => {
      const { card, whole } = of(index + 1);
      expect([shown(card), shown(whole)], `after ${String(index + 1)} events`).toEqual([each, each]);
    });
    expect(of(4).changed_place).not.toBe(of(5).changed_place);
  });

  it('has null or an empty list for the oldest fields where they are not known, and no member for the others', () => {
    expect(tierOf({ name: 'x', category: 'food' })).toEqual({
      svc_id: pantry.svc_id,
      name: 'x',
      category: 'food',
      ...nothing,
      updated_at: at(0),
    });
  });

  it('has the organization’s name beside one that tells nothing, and the hours of the main location', () => {
    const place = { city: 'Miami', hours: 'Mornings' };
    const organization = { name: 'Salvation Army' };
    const fields: ResourceFields = { name: 'MIAMI', category: 'food', organization, locations: [place] };
    expect(tierOf(fields)).toMatchObject({ name: 'Miami (Salvation Army)', hours: 'Mornings' });
  });

  it('has the time of the last change, not of the last rendering', () => {
    const document = after(pantry.submitted({ fields: pantryFields }), pantry.approved());
    expect(JSON.parse(developerTier(document))).toMatchObject({ updated_at: at(1) });
  });
});

describe('the legacy endpoint', () => {
  const legacyName = (document: ResourceDocument) => {
    const { name, ...rest } = JSON.parse(legacyTier(document)) as { name: string };
    expect(rest).toEqual({ ...(JSON.parse(developerTier(document)) as object), name: undefined });
    return name;
  };
  const shouted: ResourceFields = {
    name: 'CASA "LA PAZ" — 厨房 \\',
    category: 'food',
    description: '"name":"x"',
  };

  it('has the developer tier, but names in capitals as their source writes them', () => {
    const document = after(pantry.submitted({ fields: shouted }));
    expect(JSON.parse(developerTier(document))).toMatchObject({ name: 'Casa "La Paz" — 厨房 \\' });
    expect(legacyName(document)).toBe(shouted.name);
    expect(legacyTier(document)).not.toMatch(/[\u0100-\uffff]/);
  });

  it('has the same record where the name is shown as it is', () => {
    expect(legacyName(after(pantry.submitted({ fields: full })))).toBe(full.name);
    const revised = after(pantry.submitted({ fields: shouted }), pantry.revised(full));
    expect(legacyName(revised)).toBe(full.name);
  });
});

describe('the team tier', () => {
  const tierOf = (fields: ResourceFields): unknown =>
    JSON.parse(teamTier(after(pantry.submitted({ fields })), undefined));

  it('has exactly its fields, in JSON, whatever they hold', () => {
    expect(tierOf(full)).toEqual({ svc_id: pantry.svc_id, ...full, ...flat, updated_at: at(0) });
    const all = { ...everything, ...flat, phone: '305-555-0101' };
    expect(tierOf(everything)).toEqual({
      svc_id: pantry.svc_id,
      ...all,
      updated_at: at(0),
      confirmed: { on: '2026-03-31', by: 'team' },
    });
    const developer = JSON.parse(developerTier(after(pantry.submitted({ fields: everything })))) as object;
    expect(Object.keys(all).filter((name) => !(name in developer))).toEqual(
      Object.keys(everything).filter((name) => (forTeams as readonly string[]).includes(name)),
    );
  });

  it('has null for an email that is not known', () => {
    expect(tierOf({ name: 'x', category: 'food' })).toEqual({
      svc_id: pantry.svc_id,
      name: 'x',
      category: 'food',
      ...nothing,
      email: null,
      updated_at: at(0),
    });
    expect(tierOf({ ...full, email })).toMatchObject({ email });
  });

  it('names no member twice', () => {
    const text = teamTier(after(pantry.submitted({ fields: everything })), undefined);
    const unescaped = text.replace(/\\u([0-9a-f]{4})/g, (_, unit: string) =>
      String.fromCharCode(parseInt(unit, 16)),
    );
    expect(JSON.stringify(JSON.parse(text))).toBe(unescaped);
  });

  it('is Latin-1 throughout, whatever the language, so that a page is encoded fast', () => {
    const fields: ResourceFields = { ...full, name: '厨房 🏠 \\– \\\\“é”', description: 'عيادة' };
    const text = teamTier(after(pantry.submitted({ fields })), undefined);
    expect(text).not.toMatch(/[\u0100-\uffff]/);
    expect(text).toContain('é');
    expect(JSON.parse(text)).toMatchObject({ name: fields.name, description: fields.description });
  });
});

describe('a confidential location', () => {
  const shelter: ResourceFields = {
    name: 'Haven',
    category: 'housing',
    locations: [
      {
        name: 'Haven House',
        street: '5 Secret Road',
        city: 'Miami',
        region: 'FL',
        postal_code: '33999',
        country: 'US',
        latitude: 25.123,
        longitude: -80.321,
        phones: [{ number: '305-555-0666' }],
        transportation: 'Bus to Secret Road',
        confidential: true,
      },
      { street: '1 Quay', city: 'Miami' },
    ],
    phones: [{ number: '305-555-0100' }],
  };
  const secrets = ['Secret', '33999', '25.123', '80.321', '0666'];
  const document = after(pantry.submitted({ fields: shelter }), pantry.approved());

  it('is shown to the public and to other teams by name, city, region and country alone', () => {
    for (const tier of [developerTier(document), teamTier(document, undefined)]) {
      for (const secret of secrets) expect(tier).not.toContain(secret);
      expect(JSON.parse(tier)).toMatchObject({
        locations: [
          { name: 'Haven House', city: 'Miami', region: 'FL', country: 'US', confidential: true },
          { street: '1 Quay', city: 'Miami' },
        ],
        address: null,
        city: 'Miami',
        phone: '305-555-0100',
      });
    }
  });

  it('is shown as it is to the management of its directory', () => {
    expect(JSON.parse(wholeTier(document, undefined))).toMatchObject({
      locations: shelter.locations,
      address: '5 Secret Road, 33999',
      phone: '305-555-0666',
    });
  });

  it('is open once a revision says so, and hidden once a revision says so', () => {
    const [first, second] = shelter.locations ?? [];
    const { confidential: _, ...open } = first ?? {};
    const opened: ResourceFields = { ...shelter, locations: [open, second ?? {}] };
    const later = after(pantry.submitted({ fields: shelter }), pantry.revised(opened));
    expect(developerTier(later)).toContain('5 Secret Road');
    expect(later).not.toHaveProperty('whole');
    const hidden = after(pantry.submitted({ fields: opened }), pantry.revised(shelter));
    for (const secret of secrets) expect(teamTier(hidden, undefined)).not.toContain(secret);
    const other = after(pantry.submitted({ fields: shelter }), pantry.revised(full));
    expect(JSON.parse(wholeTier(other, undefined))).toMatchObject({ name: full.name, address: flat.address });
  });
});

describe('what a record says about persons', () => {
  const [ana, ben, cora] = [1, 2, 3].map((n) => ({
    person: `0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a0${n}`,
    sealed: `sealed-${n}`,
  }));
  if (!ana || !ben || !cora) throw new Error('There are three.');
  const fields: ResourceFields = { ...full, contacts: [ana, ben], verified_by: cora };
  const peopleOf = (...events: ResourceEvent[]): unknown => JSON.parse(after(...events).people ?? 'null');
  const erased = ({ person }: { person: string }): ResourceEvent => ({
    type: 'ResourcePersonErased',
    data: { person },
  });

  it('stays sealed, and apart from what is rendered', () => {
    const document = after(pantry.submitted({ fields }));
    const { people, ...rest } = document;
    expect(JSON.parse(people ?? '')).toEqual({ contacts: [ana, ben], verified_by: cora });
    expect(JSON.stringify(rest)).not.toContain('sealed');
    expect(teamTier(document, '"verified_by":"Cora"')).toBe(
      `${teamTier(document, undefined).slice(0, -1)},"verified_by":"Cora"}`,
    );
    expect(after(pantry.submitted({ fields: full }))).not.toHaveProperty('people');
  });

  it('is gone when a change leaves it out, and when the person is erased', () => {
    const submitted = pantry.submitted({ fields });
    expect(peopleOf(submitted, pantry.revised({ ...full, verified_by: ana }))).toEqual({ verified_by: ana });
    expect(peopleOf(submitted, pantry.revised(full))).toBeNull();
    expect(peopleOf(submitted, erased(ana))).toEqual({ contacts: [ben], verified_by: cora });
    expect(peopleOf(submitted, erased(cora))).toEqual({ contacts: [ana, ben] });
    expect(peopleOf(submitted, pantry.revised(full), erased(ana))).toBeNull();
    const document = after(submitted, pantry.approved(), erased(ana));
    expect(document).toMatchObject({ updated_at: at(2), listed: 1 });
  });

  it('in clear, as builds before the first release wrote it, is shown to nobody', () => {
    const clear = { ...full, verified_by: 'Ana' } as unknown as ResourceFields;
    expect(JSON.stringify(after(pantry.submitted({ fields: clear })))).not.toContain('Ana');
  });
});
