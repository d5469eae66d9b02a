import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type ListBody } from './read.ts';

const scopes = ['resources:read', 'resources:submit', 'directory:manage'] as const;

const clinic = {
  name: 'MIAMI',
  category: 'health',
  organization: { name: 'Salvation Army', url: 'https://example.org/' },
  alternate_name: 'The Clinic',
  categories: ['mental'],
  description: 'First line\r\nsecond line',
  locations: [
    {
      street: '1 Quay',
      city: 'Miami',
      region: 'FL',
      postal_code: '33101',
      country: 'us',
      latitude: 25.77,
      longitude: -80.19,
    },
    { name: 'Hotline', virtual: true, phones: [{ number: '305-555-0102', type: 'text' }] },
  ],
  phones: [{ number: '305-555-0100', extension: '7', note: 'Ask for Ana', languages: ['Kreyòl'] }],
  opening_hours: [{ days: ['tue', 'mon'], opens: '22:00', closes: '02:00', valid_from: '2026-01-01' }],
  time_zone: 'America/New_York',
  ages: { minimum: 18 },
  cost: 'Nothing',
  free: true,
  how_to_apply: 'Walk in',
  documents: ['None'],
  service_area: ['Dade County'],
  alert: 'Closed on Friday',
  availability: 'temporarily_closed',
  last_verified: '2026-03-31',
  email: 'help@example.org',
  interpretation: 'Kreyòl on request',
  capacity: '40 a day',
  verified_by: 'Ana',
};
/** What the fields of every key look like when they are read. */
const open = {
  name: 'Miami (Salvation Army)',
  description: 'First line\nsecond line',
  organization: clinic.organization,
  categories: ['mental'],
  locations: [{ ...clinic.locations[0], country: 'US' }, clinic.locations[1]],
  phones: clinic.phones,
  opening_hours: [{ ...clinic.opening_hours[0], days: ['mon', 'tue'] }],
  ages: { minimum: 18 },
  free: true,
  availability: 'temporarily_closed',
  phone: '305-555-0100 x7',
  address: '1 Quay, 33101',
  city: 'Miami',
  region: 'FL',
};
const ofTeams = {
  email: 'help@example.org',
  interpretation: 'Kreyòl on request',
  capacity: '40 a day',
  verified_by: 'Ana',
};

const shelter = {
  name: 'Haven',
  category: 'housing',
  locations: [
    {
      name: 'Haven House',
      street: '5 Secretroad',
      city: 'Miami',
      region: 'FL',
      postal_code: '33999',
      latitude: 25.12345,
      longitude: -80.321,
      phones: [{ number: '305-555-0666' }],
      transportation: 'Bus to Secretroad',
      confidential: true,
    },
  ],
};
/** Digits alone, because ids and times have many. */
const secrets = /Secretroad|(?<![\w-])33999(?![\w-])|25\.1234|80\.321|555-?0666/;

describe('a whole record', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let reader: TestKey;
  let manager: TestKey;
  let stranger: TestKey;

  beforeAll(async () => {
    system = await startSystem();
    for (const team of ['harbour', 'quay']) await system.team(team, ['directory:manage']);
    developer = await system.key();
    reader = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    manager = await system.key({ kind: 'team', team: 'harbour', scopes });
    stranger = await system.key({ kind: 'team', team: 'quay', scopes });
  });
  afterAll(() => system.stop());

  const send = (method: 'POST' | 'PATCH', path: string, payload: object, key = manager) =>
    system.server.inject({ method, url: v1 + path, headers: key.bearer, payload });
  const published = async (fields: object) => {
    const submitted = await send('POST', '', fields);
    const { svc_id } = submitted.json<{ svc_id: string }>();
    await send('POST', `/${svc_id}/approve`, {});
    return { svc_id, submitted };
  };
  const one = (svcId: string, { bearer }: TestKey) => get(system.server, `${v1}/${svcId}`, bearer);

  test('is submitted in one request, and read by every key but for what is the teams’', async () => {
    const { svc_id, submitted } = await published(clinic);
    expect(submitted.statusCode).toBe(201);
    expect(submitted.json()).toMatchObject({ ...open, ...ofTeams, svc_id, status: 'submitted' });
    const seen = (await one(svc_id, developer)).json<object>();
    expect(seen).toMatchObject({
      ...open,
      cost: 'Nothing',
      how_to_apply: 'Walk in',
      alert: 'Closed on Friday',
    });
    for (const field of Object.keys(ofTeams)) expect(seen).not.toHaveProperty(field);
    expect((await one(svc_id, reader)).json()).toMatchObject({ ...open, ...ofTeams });
    const old = await get(system.server, legacy, { 'x-api-key': manager.key });
    expect(old.json<ListBody>().data.find((each) => each['svc_id'] === svc_id)).toEqual({
      ...seen,
      name: 'MIAMI (Salvation Army)',
    });
  });

  test('is announced to webhooks under the name that is shown', async () => {
    const { svc_id } = await published(clinic);
    const events = await system.system.store.readStream(`resource-${svc_id}`);
    expect(events.map(({ data }) => data)).toMatchObject([
      { fields: { name: 'MIAMI' } },
      { name: 'Miami (Salvation Army)' },
    ]);
  });

  test('is changed by flat members, or by lists, and by both at once not at all', async () => {
    const { svc_id } = await published(clinic);
    const changed = await send('PATCH', `/${svc_id}`, {
      phone: '305-555-0200',
      city: 'Homestead',
      cost: null,
    });
    expect(changed.json()).toMatchObject({
      phone: '305-555-0200',
      city: 'Homestead',
      phones: [{ number: '305-555-0200', note: 'Ask for Ana', languages: ['Kreyòl'] }],
      locations: [{ street: '1 Quay', city: 'Homestead' }, { name: 'Hotline' }],
    });
    expect(changed.json()).not.toHaveProperty('cost');
    for (const [method, path] of [
      ['PATCH', `/${svc_id}`],
      ['POST', ''],
    ] as const) {
      const mixed = await send(method, path, { name: 'x', category: 'food', city: 'Miami', locations: [] });
      expect(mixed.json()).toMatchObject({
        status: 400,
        error: 'mixed_fields',
        detail: 'city and locations were both given. Send locations alone, or city without it.',
      });
    }
  });

  test.each<[string, object, string]>([
    ['coordinates out of range', { locations: [{ latitude: 91, longitude: 0 }] }, 'locations.0.latitude'],
    ['half a place', { locations: [{ latitude: 25 }] }, 'locations.0'],
    ['a time zone that does not exist', { time_zone: 'Mars/Olympus' }, 'time_zone'],
    [
      'a time that does not exist',
      { opening_hours: [{ days: ['mon'], opens: '25:00', closes: '26:00' }] },
      'opening_hours.0.opens',
    ],
    ['ages the wrong way round', { ages: { minimum: 9, maximum: 8 } }, 'ages'],
    ['a member that does not exist', { locations: [{ planet: 'Earth' }] }, 'planet'],
  ])('is refused with 422 for %s, which is named', async (_, fields, place) => {
    const { svc_id } = await published(clinic);
    for (const answer of [
      await send('POST', '', { name: 'x', category: 'food', ...fields }),
      await send('PATCH', `/${svc_id}`, fields),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json<{ detail: string }>().detail).toContain(place);
    }
  });

  test('with a confidential location shows it whole to its management alone', async () => {
    const { svc_id, submitted } = await published(shelter);
    const whole = { locations: shelter.locations, address: '5 Secretroad, 33999', phone: '305-555-0666' };
    expect(submitted.json()).toMatchObject(whole);
    expect((await one(svc_id, manager)).json()).toMatchObject(whole);
    const patched = await send('PATCH', `/${svc_id}`, { description: 'A safe place' });
    expect(patched.json()).toMatchObject(whole);
    const managed = await get(system.server, `${v1}?status=approved`, manager.bearer);
    expect(managed.body).toContain('5 Secretroad');

    const answers = [
      await one(svc_id, developer),
      await one(svc_id, reader),
      await one(svc_id, stranger),
      await get(system.server, v1, developer.bearer),
      await get(system.server, v1, stranger.bearer),
      await get(system.server, v1, manager.bearer),
      await get(system.server, `${v1}?q=haven`, reader.bearer),
      await get(system.server, legacy, { 'x-api-key': manager.key }),
      await get(system.server, `${legacy}?q=haven`, { 'x-api-key': developer.key }),
    ];
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(200);
      expect(body).toContain('Haven House');
      expect(body).not.toMatch(secrets);
    }
    for (const secret of ['secretroad', '33999']) {
      const found = await get(system.server, `${v1}?q=${secret}`, manager.bearer);
      expect(found.json<ListBody>().data).toEqual([]);
    }
  });

  test('is described in the reference, member by member', async () => {
    const { paths } = (await get(system.server, '/openapi.json')).json<{
      paths: Record<string, Record<string, { requestBody?: object; responses: Record<string, object> }>>;
    }>();
    const submit = JSON.stringify(paths[v1]?.['post']?.requestBody);
    const listed = JSON.stringify(paths[v1]?.['get']?.responses['200']);
    const old = JSON.stringify(paths[legacy]?.['get']?.responses['200']);
    for (const field of [...Object.keys(clinic), 'phone', 'address', 'city', 'region']) {
      expect(submit, field).toContain(`"${field}"`);
      expect(listed, field).toContain(`"${field}"`);
      if (!(field in ofTeams)) expect(old, field).toContain(`"${field}"`);
    }
    for (const field of ['postal_code', 'confidential', 'valid_from', 'extension', 'minimum'])
      for (const text of [submit, listed, old]) expect(text, field).toContain(`"${field}"`);
    expect(old).not.toContain('"email"');
  });
});
