import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textFormats, textOf } from '../../../src/actions/directory/text-formats.ts';
import { withOrganizations } from '../../../src/actions/directory/with-organizations.ts';
import { commandOrganization, submitOrganization } from '../../../src/commands/directory/organization.ts';
import { commons } from '../../../src/events/teams.ts';
import type { Location } from '../../../src/events/directory/location.ts';
import { distanceKm, type Point } from '../../../src/ground/earth.ts';
import { openDatapackage } from '../../../src/hsds/package.ts';
import { uuidOfOrganization } from '../../../src/hsds/export/organization.ts';
import { eachRecord } from '../../../src/projections/directory/each-record.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { entityId } from '../../../src/hsds/export/ids.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { context, legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';

/** Two addresses of the same city, 20 km apart, of which nobody may learn at which one the shelter is. */
const secrets: readonly Location[] = [
  {
    street: '5 Oleander Hideaway',
    postal_code: '33186',
    latitude: 25.6661,
    longitude: -80.4102,
    phones: [{ number: '(305) 555-0177' }],
    transportation: 'Behind the Zanzibar laundry',
  },
  {
    street: '88 Wisteria Bend',
    postal_code: '33127',
    latitude: 25.8139,
    longitude: -80.2051,
    phones: [{ number: '(786) 555-0188' }],
    transportation: 'Beside the Timbuktu bakery',
  },
];
const city = { city: 'Miami', region: 'FL' };
const hidden = (secret: Location): Location => ({ ...city, ...secret, confidential: true });

/** Others around both addresses, so that medians and order could tell. */
const others = secrets.flatMap(({ latitude = 0, longitude = 0, postal_code }) =>
  [-0.02, 0, 0.03].map((away, n): Location[] => [
    {
      ...city,
      ...(postal_code === undefined || n === 1 ? {} : { postal_code }),
      ...(n === 2 ? {} : { latitude: latitude + away, longitude: longitude + away }),
    },
  ]),
);

const words = [
  'Oleander',
  'Hideaway',
  'Wisteria',
  'Zanzibar',
  'Timbuktu',
  '33186',
  '33127',
  '5550177',
  '5550188',
];

describe('where a confidential shelter is', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let stranger: TestKey;
  let shelter: string;
  /** The organization that runs it, whose office is there. */
  let organization: string;
  const folder = temporaryFolder();

  beforeAll(async () => {
    system = await startSystem();
    await system.team('stranger');
    developer = await system.key();
    stranger = await system.key({ kind: 'team', team: 'stranger', scopes: ['resources:read'] });
    await system.resources(others.length, {
      fields: (n) => ({ name: `Neighbour ${n}`, category: 'housing', locations: others[n] ?? [] }),
    });
    const { state } = await submitOrganization(
      system.system,
      { team: commons.team, fields: { name: 'Safe House', locations: [hidden(secrets[0] ?? {})] } },
      context(),
    );
    organization = state?.org_id ?? '';
    await commandOrganization(system.system, organization, { kind: 'approve' }, context());
    [shelter = ''] = await system.resources(1, {
      fields: () => ({
        name: 'Safe Shelter',
        category: 'housing',
        organization: { id: organization, name: 'Safe House' },
        locations: [hidden(secrets[0] ?? {})],
      }),
    });
    await system.caughtUp();
  }, 120_000);
  afterAll(async () => {
    await system.stop();
    folder.remove();
  });

  const ask = async (url: string, key: TestKey | undefined) => {
    const answer = await system.server.inject({ url, headers: key?.bearer ?? {} });
    return `${answer.statusCode} ${answer.body}`;
  };

  /** Points on and around both addresses, and around the city. */
  const points: readonly Point[] = [...secrets, { latitude: 25.774, longitude: -80.194 }].flatMap(
    ({ latitude = 0, longitude = 0 }) =>
      [-0.06, -0.01, 0, 0.02].flatMap((north) =>
        [-0.05, 0, 0.01].map((east) => ({ latitude: latitude + north, longitude: longitude + east })),
      ),
  );
  const circles = points.flatMap(({ latitude, longitude }) =>
    [0.5, 3, 12, 60].map((radius) => ({ near: `${latitude.toFixed(5)},${longitude.toFixed(5)}`, radius })),
  );
  const named = [
    ...words,
    '5 Oleander Hideaway',
    '88 Wisteria Bend, Miami, FL',
    'Miami',
    'Miami-Dade County',
  ];

  /** Whatever an attacker may ask for. */
  const surfaces = (): readonly (readonly [string, TestKey | undefined])[] => {
    const query = (path: string, asked: Readonly<Record<string, string>>) =>
      `${path}?${new URLSearchParams(asked).toString()}`;
    const open: string[] = [
      `/r/${shelter}`,
      `/r/${shelter}?lang=es`,
      '/sitemap.xml',
      '/sitemap/1-1.xml',
      '/sitemap/organizations.xml',
      `/o/${organization}`,
      `/o/${organization}?lang=ht`,
      '/find?category=housing',
      ...circles
        .filter((_, n) => n % 3 === 0)
        .map(({ near, radius }) => query('/find', { near, radius: `${radius}` })),
      ...named.flatMap((text) => [query('/find', { q: text }), query('/find', { near: text, q: 'shelter' })]),
    ];
    const keyed: string[] = [
      `${v1}/${shelter}`,
      query(v1, { limit: '100' }),
      '/dash/api/v1/changes?limit=100',
      '/hsds/services?full=true',
      '/hsds/organizations?full=true',
      `/hsds/organizations/${uuidOfOrganization(organization)}`,
      '/dash/api/v1/organizations?limit=100',
      `/dash/api/v1/organizations/${organization}`,
      `/hsds/services/${entityId(shelter, 'service')}`,
      ...circles.flatMap(({ near, radius }) => [
        query(v1, { near, radius_km: `${radius}` }),
        query(v1, { near, radius_km: `${radius}`, q: 'shelter', sort: 'relevance', facets: 'city' }),
      ]),
      ...named.flatMap((text) => [
        query(v1, { q: text }),
        query(v1, { near: text, radius_km: '2' }),
        query(v1, { q: `shelter ${text}`, facets: 'category,city' }),
        query(v1, { postal_code: text.slice(0, 20) }),
        query('/hsds/services', { search: text }),
      ]),
    ];
    return [
      ...open.map((url) => [url, undefined] as const),
      ...keyed.flatMap((url) => [[url, developer] as const, [url, stranger] as const]),
      [query(legacy, { key: developer.key, limit: '100' }), undefined],
      ...named.map((text) => [query(legacy, { key: developer.key, q: text }), undefined] as const),
      ...[...circles.filter((_, n) => n % 4 === 0).map(({ near }) => near), ...named].map(
        (near) => [query(legacy, { key: developer.key, near, lang: 'es' }), undefined] as const,
      ),
    ];
  };

  const moved = async (location: Location): Promise<void> => {
    const change = { locations: [location] };
    await commandOrganization(system.system, organization, { kind: 'revise', change }, context());
    await system.caughtUp();
  };

  /** What everybody may have as a file, also as a spreadsheet and as places for a map. */
  const exported = async (name: keyof typeof textFormats): Promise<string> => {
    const { documents } = system.system;
    const reading = { view: 'developer', listed: true } as const;
    const records = eachRecord(documents.collection(resources.collection), reading);
    const pieces: string[] = [];
    for await (const piece of textOf(
      textFormats[name](false),
      withOrganizations(documents, reading, records),
    ))
      pieces.push(piece);
    return pieces.join('');
  };

  /** What changes with every change of a record, whatever it says. */
  const timeless = (answer: string): string =>
    answer
      .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'a time')
      .replace(/"(next_)?cursor":"[^"]*"/g, '"cursor":"…"')
      .replace(/cursor=[\w.~%-]+/g, 'cursor=…')
      .replace(/nonce[-=]"?[\w+/=-]+/g, 'nonce');

  const allAnswers = async () => {
    const answers = new Map<string, string>();
    for (const [url, key] of surfaces()) {
      answers.set(`${key?.keyId ?? ''} ${url}`, timeless(await ask(url, key)));
    }
    for (const name of ['hsds-json', 'csv', 'geojson'] as const)
      answers.set(`export ${name}`, timeless(await exported(name)));
    return answers;
  };

  let before: ReadonlyMap<string, string>;

  test('is in no answer', async () => {
    before = await allAnswers();
    expect(before.size).toBeGreaterThan(500);
    const told = [...before].filter(([url, answer]) => {
      // What was asked for is shown again.
      const asked = decodeURIComponent(url.replaceAll('+', ' '));
      return (
        /Hideaway|Oleander|Zanzibar|555-?0177/.test(answer) &&
        !/Hideaway|Oleander|Zanzibar|555-?0177/.test(asked)
      );
    });
    expect(told).toEqual([]);
    for (const url of [` /o/${organization}`, 'export csv', 'export hsds-json'])
      expect(before.get(url), url).toContain('Safe');
    expect(before.get(`${developer.keyId} /hsds/organizations/${uuidOfOrganization(organization)}`)).toMatch(
      /^200 .*Safe House/,
    );
    expect(before.get(`${stranger.keyId} /dash/api/v1/organizations/${organization}`)).toMatch(
      /^200 .*Safe House/,
    );
    const own = before.get(`${developer.keyId} ${v1}/${shelter}`) ?? '';
    expect(own).toContain('"city":"Miami"');
    expect(own).not.toMatch(/(?<![\w-])33186(?![\w-])/);
  }, 120_000);

  test('cannot be measured from anywhere: every distance is to the middle of the city', async () => {
    const middle = { latitude: 25.774, longitude: -80.194 };
    let measured = 0;
    for (const { near, radius } of circles) {
      const answer = await ask(`${v1}?near=${near}&radius_km=${radius}&limit=100`, developer);
      const { data } = JSON.parse(answer.slice(4)) as { data: Record<string, unknown>[] };
      const found = data.find(({ name }) => name === 'Safe Shelter');
      const [latitude = 0, longitude = 0] = near.split(',').map(Number);
      const km = Math.round(distanceKm({ latitude, longitude }, middle) * 100) / 100;
      // Whether it is found at all tells nothing else.
      expect(found !== undefined, near).toBe(km <= radius);
      if (!found) continue;
      measured++;
      expect(found, near).toMatchObject({ distance_km: km, distance_approximate: true });
    }
    expect(measured).toBeGreaterThan(20);
  }, 60_000);

  test('is in no package that is handed out', async () => {
    const answer = await system.server.inject({ url: '/hsds/package.zip', headers: developer.bearer });
    expect(answer.statusCode).toBe(200);
    const file = join(folder.path, 'package.zip');
    await writeFile(file, answer.rawPayload);
    const datapackage = await openDatapackage(file);
    const records: unknown[] = [];
    for await (const item of datapackage.records()) records.push(item);
    datapackage.close();
    const text = JSON.stringify(records.filter((record) => JSON.stringify(record).includes('Safe Shelter')));
    expect(text).toContain('Miami');
    expect(text).not.toMatch(/Oleander|(?<![\w-])33186(?![\w-])|"latitude":"?25\.66|555-?0177|Zanzibar/);
  });

  test('changes no answer: at another address of the city, every surface says the same', async () => {
    await system.command(shelter, { kind: 'revise', change: { locations: [hidden(secrets[1] ?? {})] } });
    await moved(hidden(secrets[1] ?? {}));
    const after = await allAnswers();
    const changed = [...before].filter(([url, answer]) => after.get(url) !== answer).map(([url]) => url);
    expect(changed).toEqual([]);
  }, 120_000);

  test('is in the answers once it is no longer confidential, so the comparison would find a leak', async () => {
    const { confidential: _, ...told } = hidden(secrets[0] ?? {});
    await system.command(shelter, { kind: 'revise', change: { locations: [told] } });
    await moved(told);
    const after = await allAnswers();
    const changed = [...before].filter(([url, answer]) => after.get(url) !== answer);
    expect(changed.length).toBeGreaterThan(100);
    expect(after.get(` /o/${organization}`)).toContain('Oleander');
    expect(after.get('export csv')).toContain('Oleander');
  }, 120_000);
});
