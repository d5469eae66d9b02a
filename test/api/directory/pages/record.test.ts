import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { commons } from '../../../../src/events/teams.ts';
import { context, startSystem, type RunningSystem } from '../../harness.ts';

let system: RunningSystem;
let now = new Date('2026-11-20T15:00:00Z');
beforeAll(async () => {
  system = await startSystem({
    now: () => now,
    environment: { BASE_URL: 'https://directory.example' },
  });
});
afterAll(() => system.stop());

const pantry: UnsealedFields = {
  name: 'Corner Pantry',
  category: 'food',
  categories: ['housing'],
  organization: { name: 'Harbour Aid', url: 'https://aid.example/' },
  alternate_name: 'The Larder',
  description: 'Groceries for a week.\nNobody is turned away.',
  url: 'https://www.pantry.example/visit?from=x',
  locations: [
    {
      name: 'Main hall',
      street: '1 Quay',
      city: 'Miami',
      region: 'FL',
      postal_code: '33101',
      country: 'US',
      latitude: 25.77,
      longitude: -80.19,
      phones: [{ number: '305-555-0101', note: 'Front desk' }],
      accessibility: 'Ramp at the side',
      transportation: 'Bus 3',
    },
    { name: 'Hotline', virtual: true },
    {
      name: 'Safe house',
      city: 'Miami',
      street: '9 Hidden Lane',
      latitude: 25.1,
      longitude: -80.2,
      confidential: true,
    },
  ],
  phones: [
    { number: '1-800-555-FOOD', extension: '7', languages: ['Español'] },
    { number: '305-555-0103', type: 'fax' },
    { number: '305-555-0104', type: 'text' },
  ],
  hours: 'Weekdays nine to five',
  opening_hours: [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '17:00', note: 'Bring a bag' },
    { days: ['sat'], opens: '22:00', closes: '24:00', valid_to: '2026-12-31' },
    { days: ['sun'], opens: '10:00', closes: '12:00', valid_from: '2027-06-01' },
  ],
  time_zone: 'America/New_York',
  languages: ['English', 'Kreyòl'],
  eligibility: 'Anybody who needs it',
  ages: { minimum: 18 },
  cost: 'Nothing',
  free: true,
  how_to_apply: 'Walk in',
  documents: ['Photo ID', 'A bag'],
  service_area: ['Dade County'],
  alert: 'Closed on Thanksgiving',
  last_verified: '2026-03-31',
  email: 'inside@pantry.example',
  capacity: '40 a day',
  interpretation: 'On request',
  contacts: [{ name: 'Ana Inside', email: 'ana@pantry.example' }],
};

const one = async (fields: Partial<UnsealedFields>) => {
  const [id = ''] = await system.resources(1, { fields: () => fields });
  return id;
};
const open = (url: string, headers: Record<string, string> = {}) =>
  system.server.inject({ url, headers: { accept: 'text/html', ...headers } });
const jsonLd = (body: string): Record<string, unknown> => {
  const [, text = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(body) ?? [];
  return JSON.parse(text) as Record<string, unknown>;
};
/** What a person reads. */
const textOf = (body: string) =>
  body
    .replace(/<(script|style|head)[^]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');

describe('the page of a record', () => {
  let id: string;
  beforeAll(async () => {
    id = await one(pantry);
  });

  test('shows all of what is public, with whether it is open first', async () => {
    const { statusCode, headers, body } = await open(`/r/${id}`);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const text = textOf(body);
    for (const part of [
      ...[
        'Corner Pantry',
        'Offered by Harbour Aid',
        'The Larder',
        'Food',
        'Housing',
        'Free',
        'Open until 5:00 pm',
      ],
      ...[
        'Closed on Thanksgiving',
        'Main hall',
        '1 Quay',
        'Miami, FL 33101',
        'Front desk',
        'Ramp at the side',
        'Bus 3',
      ],
      ...[
        'By phone or online',
        'Weekdays nine to five',
        'Bring a bag',
        'Groceries for a week.',
        'Nobody is turned away.',
      ],
      ...['For people aged 18 and over', 'Anybody who needs it', 'Nothing', 'Walk in', 'Photo ID', 'A bag'],
      ...[
        'English, Haitian Creole',
        'Dade County',
        'pantry.example/visit',
        'Checked by the people of this directory',
        'In Spanish',
        'Fax: 305-555-0103',
      ],
    ])
      expect(text, part).toContain(part);
    expect(text.indexOf('Open until')).toBeLessThan(text.indexOf('Groceries'));
    expect(body).toContain('<title>Corner Pantry, Miami: Food · Commonweal</title>');
  });

  test('shows nothing that is not public', async () => {
    const { body } = await open(`/r/${id}`);
    for (const inside of [
      'inside@',
      '40 a day',
      'On request',
      'Ana Inside',
      'ana@',
      'Hidden Lane',
      '25.1,',
      '-80.2,',
    ])
      expect(body, inside).not.toContain(inside);
    expect(textOf(body)).toContain('The address of this place is not public');
  });

  test('has links to call, to write and to go there', async () => {
    const { body } = await open(`/r/${id}`);
    expect(body).toContain('<a class="button primary" href="tel:3055550101">Call 305-555-0101</a>');
    expect(body).toContain('href="tel:18005553663,7"');
    expect(body).toContain('href="sms:3055550104"');
    expect(body).not.toContain(':3055550103');
    // Every browser shows the way; an app for maps of the device opens with JavaScript alone.
    expect(body).toContain('href="https://www.openstreetmap.org/directions?to=25.77%2C-80.19"');
    expect(body).toContain('data-android="geo:25.77,-80.19?q=25.77%2C-80.19(1%20Quay)"');
    expect(body).toContain('data-apple="https://maps.apple.com/?daddr=25.77%2C-80.19"');
    expect(body).toContain(
      'href="https://www.openstreetmap.org/?mlat=25.77&#38;mlon=-80.19#map=17/25.77/-80.19"',
    );
    expect(body.match(/class="directions"/g)).toHaveLength(1);
  });

  test('can be passed on by text message and by email, with its address and its number', async () => {
    const { body } = await open(`/r/${id}`);
    const link = /href="(sms:[^"]*body[^"]+)"/.exec(body)?.[1] ?? '';
    const lines = decodeURIComponent(link.replace('sms:?&amp;body=', '')).split('\n');
    expect(lines).toEqual([
      'Corner Pantry',
      '1 Quay, Miami, FL 33101',
      '305-555-0101',
      `https://directory.example/r/${id}`,
    ]);
    expect(body).toMatch(/href="mailto:\?subject=Corner%20Pantry&amp;body=Corner%20Pantry%0A/);
    expect(textOf((await open(`/r/${id}?lang=es`)).body)).toContain('Por mensaje de texto');
  });

  test('shows the week at the place, with today marked', async () => {
    const row = (body: string) => /<tr[^>]*aria-current="date"[^>]*>([^]*?)<\/tr>/.exec(body)?.[1] ?? '';
    const { body } = await open(`/r/${id}`);
    expect(textOf(row(body))).toContain('Friday (today)');
    expect(textOf(row(body))).toContain('9:00 am – 5:00 pm Bring a bag');
    expect(textOf(body)).toContain('Saturday 10:00 pm – midnight until December 31, 2026');
    expect(textOf(body)).toContain('Sunday: 10:00 am – 12:00 pm from June 1, 2027');
    expect(textOf(body)).toContain('Sunday Closed');
    expect(textOf(body)).toContain('Times are in the time zone of the place (Eastern time).');
    // Already Saturday in UTC, still Friday in New York.
    now = new Date('2026-11-21T02:00:00Z');
    const later = await open(`/r/${id}`);
    expect(textOf(row(later.body))).toContain('Friday (today)');
    expect(textOf(later.body)).toContain('Closed now, opens 10:00 pm tomorrow');
    now = new Date('2026-11-20T15:00:00Z');
  });

  test('says when its source last confirmed or changed it, as precisely as matters, and never the day of an import', async () => {
    const imported = async (last_modified?: string) => {
      const { state } = await importResource(
        system.system,
        {
          team: commons.team,
          source: { system: 'county', id: `dated ${last_modified ?? ''}` },
          fields: {
            name: 'Dated',
            category: 'food',
            ...(last_modified === undefined ? {} : { last_modified }),
          },
          active: true,
          approve: true,
        },
        context(),
      );
      await system.caughtUp();
      return state?.svc_id ?? '';
    };
    const dated = async (id: string, lang = 'en') => textOf((await open(`/r/${id}?lang=${lang}`)).body);
    const old = await imported('2018-05-14');
    expect(await dated(old)).toContain('Nobody has confirmed this since 2018: call first.');
    expect(await dated(old, 'es')).toContain('Nadie ha confirmado esto desde 2018: llame antes de ir.');
    expect(await dated(await imported('2025-05-14T09:30:00Z'))).toContain(
      'Confirmed or changed by its source in May 2025.',
    );
    const recent = await imported('2026-02');
    expect(await dated(recent, 'es')).toContain('Confirmado o modificado por su fuente en febrero de 2026.');
    expect(await dated(recent, 'ht')).toContain('konfime l oswa chanje l nan fevriye 2026.');
    expect(await dated(await imported('2026'))).toContain('Confirmed or changed by its source in 2026.');
    expect(await dated(await imported('2026-11-18'))).toContain(
      'Confirmed or changed by its source 2 days ago.',
    );
    const undated = await dated(await imported());
    expect(undated).toContain('We do not know when somebody last confirmed this: call first.');
    for (const page of [old, recent]) expect(await dated(page)).not.toContain('days ago');
    expect(await dated(await one({ name: 'Made here' }))).toContain(
      'Checked by the people of this directory',
    );
  });

  test('names languages in the language of the page', async () => {
    const [id] = await system.resources(1, {
      fields: () => ({ ...pantry, languages: ['English', 'Kreyòl', 'Farsi (some)'] }),
    });
    const spanish = (await open(`/r/${id}?lang=es`)).body;
    expect(spanish).toContain('Inglés, Criollo haitiano, Farsi (some)');
    expect((await open(`/r/${id}?lang=ht`)).body).toContain('Anglè, Kreyòl ayisyen, Farsi (some)');
    // The number's own languages, too.
    expect((await open(`/r/${id}?lang=ht`)).body).toContain('Panyòl');
    expect(spanish).not.toContain('English, ');
  });

  test('is in Spanish for whoever reads Spanish, at the same address', async () => {
    const spanish = await open(`/r/${id}`, { 'accept-language': 'es-MX,es;q=0.9' });
    expect(spanish.body).toContain('<html lang="es">');
    expect(spanish.headers['content-language']).toBe('es');
    expect(spanish.headers.vary).toMatch(/accept-language.*cookie/i);
    for (const part of [
      'Abierto hasta las 5:00 p. m.',
      'viernes (hoy)',
      'Un servicio de Harbour Aid',
      'Llamar al 305-555-0101',
      'Revisado por las personas de este directorio',
    ])
      expect(textOf(spanish.body), part).toContain(part);
    expect(textOf(spanish.body)).toContain('Lo escribieron en inglés.');
    expect(spanish.body).toMatch(/<p class="written" lang="en">/);
    expect(textOf((await open(`/r/${id}?lang=ht`)).body)).toContain('Yo ekri sa an anglè.');
    expect(textOf((await open(`/r/${id}?lang=en`)).body)).not.toContain('They wrote this in');
    expect(spanish.headers['set-cookie']).toBeUndefined();
    const chosen = await open(`/r/${id}?lang=en`, { 'accept-language': 'es' });
    expect(chosen.body).toContain('<html lang="en">');
    const cookie = String(chosen.headers['set-cookie']);
    expect(cookie).toMatch(
      /^__Host-commonweal-language=en; .*Max-Age=31536000.*HttpOnly; Secure; SameSite=Lax/,
    );
    expect(chosen.headers['cache-control']).toBe('private, no-cache');
    const kept = await open(`/r/${id}`, { 'accept-language': 'es', cookie: cookie.split(';', 1)[0] ?? '' });
    expect(kept.body).toContain('<html lang="en">');
    expect(kept.headers['set-cookie']).toBeUndefined();
  });

  test('is described to search engines and where it is shared', async () => {
    const { body } = await open(`/r/${id}`);
    const address = `https://directory.example/r/${id}`;
    expect(body).toContain(`<link rel="canonical" href="${address}" />`);
    expect(body).toContain(
      '<meta name="description" content="Food, Miami: Groceries for a week. Nobody is turned away." />',
    );
    expect(body).toContain('<meta property="og:title" content="Corner Pantry, Miami: Food" />');
    expect(body).toContain('<title>Corner Pantry, Miami: Food · Commonweal</title>');
    expect(body).toContain('<h1>Corner Pantry</h1>');
    expect(jsonLd(body)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'LocalBusiness',
      '@id': address,
      name: 'Corner Pantry',
      alternateName: 'The Larder',
      description: pantry.description,
      url: pantry.url,
      knowsLanguage: pantry.languages,
      telephone: '3055550101',
      address: {
        '@type': 'PostalAddress',
        streetAddress: '1 Quay',
        addressLocality: 'Miami',
        addressRegion: 'FL',
        postalCode: '33101',
        addressCountry: 'US',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 25.77, longitude: -80.19 },
      openingHoursSpecification: [
        {
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
            (day) => `https://schema.org/${day}`,
          ),
          opens: '09:00',
          closes: '17:00',
        },
        {
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: ['https://schema.org/Saturday'],
          opens: '22:00',
          closes: '23:59',
          validThrough: '2026-12-31',
        },
        {
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: ['https://schema.org/Sunday'],
          opens: '10:00',
          closes: '12:00',
          validFrom: '2027-06-01',
        },
      ],
      isAccessibleForFree: true,
      areaServed: ['Dade County'],
      parentOrganization: { '@type': 'Organization', name: 'Harbour Aid', url: 'https://aid.example/' },
    });
  });

  test('is sent again only when it changed', async () => {
    const first = await open(`/r/${id}`);
    expect(first.headers['cache-control']).toBe('no-cache');
    const etag = String(first.headers.etag);
    expect((await open(`/r/${id}`, { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await open(`/r/${id}`, { 'if-none-match': etag, 'accept-language': 'es' })).statusCode).toBe(200);
    now = new Date('2026-11-20T23:00:00Z');
    expect((await open(`/r/${id}`, { 'if-none-match': etag })).statusCode).toBe(200);
    now = new Date('2026-11-20T15:00:00Z');
  });

  test('is small: all that a first view loads has less than 30 kB', async () => {
    const { body } = await open(`/r/${id}`);
    const loaded = [...body.matchAll(/(?:<script src|stylesheet" href|svg\+xml" href)="([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(loaded).toHaveLength(4);
    const files = await Promise.all(loaded.map(async (path) => (await open(path)).rawPayload));
    const whole = [Buffer.from(body), ...files];
    const sizeOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);
    const sent = whole.map((part) => brotliCompressSync(part));
    console.log(`record page: ${sizeOf(sent)} bytes sent, ${sizeOf(whole)} unpacked; HTML ${body.length}`);
    expect(sizeOf(sent)).toBeLessThan(15_000);
    expect(sizeOf(whole)).toBeLessThan(42_000);
    expect((await open(loaded.find((path) => path.endsWith('.js')) ?? '')).rawPayload.length).toBeLessThan(
      2_500,
    );
  });

  test('needs nothing inline and no script', async () => {
    const { body, headers } = await open(`/r/${id}`);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(body.replace(/<script type="application\/ld\+json">[^]*?<\/script>/g, '')).not.toMatch(
      /<script(?! src="\/dash\/assets)/,
    );
    expect(body).toMatch(/<a class="exit" href="https:\/\/www\.weather\.gov\/"/);
  });
});

test('hostile words stay words, in the title, the page and the data for search engines', async () => {
  const evil = '</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"\'&';
  const id = await one({
    name: evil,
    category: 'legal',
    description: `${evil}\u2028`,
    organization: { name: `${evil}2`, url: 'https://x.example/"><script>alert(3)</script>' },
    url: 'https://x.example/\'"><script>alert(4)</script>',
    locations: [{ name: evil, street: evil, city: '<b>Miami', phones: [{ number: evil, note: evil }] }],
    phones: [{ number: 'javascript:alert(5)' }, { number: '"><script>555-0100' }],
    languages: ['<script>alert(6)</script>'],
    hours: evil,
    opening_hours: [{ days: ['mon'], opens: '09:00', closes: '10:00', note: evil }],
    time_zone: 'America/New_York',
    documents: [evil],
    service_area: [evil],
    alert: evil,
  });
  const { body, statusCode } = await open(`/r/${id}`);
  expect(statusCode).toBe(200);
  expect(jsonLd(body)['name']).toContain(evil);
  expect(jsonLd(body)['@type']).toBe('LegalService');
  const markup = body.replace(/<script type="application\/ld\+json">[^<]*<\/script>/, '');
  expect(markup).not.toMatch(/<script>|<img|<!--|href="javascript:/);
  expect([...markup.matchAll(/<script/g)]).toHaveLength(1);
  expect(/<title>([^<]*)<\/title>/.exec(body)?.[1]).toContain('&#60;/script&#62;');
});

test.each(['temporarily_closed', 'defunct'] as const)(
  'a place that is %s says so, and no hours to machines',
  async (availability) => {
    const { body } = await open(`/r/${await one({ ...pantry, availability })}`);
    expect(textOf(body)).toContain(
      availability === 'defunct' ? 'This service has ended' : 'Closed for the time being',
    );
    expect(jsonLd(body)).not.toHaveProperty('openingHoursSpecification');
  },
);

test('places with hours of their own say them to search engines, a confidential one never', async () => {
  const hours = (day: 'mon' | 'tue' | 'wed', opens: string) => ({
    opening_hours: [{ days: [day], opens, closes: '18:00' }],
  });
  const stated = (day: string, opens: string) => [
    {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: [`https://schema.org/${day}`],
      opens,
      closes: '18:00',
    },
  ];
  const hidden = { name: 'Safe house', city: 'Miami', street: '9 Hidden Lane', confidential: true as const };
  const north = {
    name: 'North office',
    street: '3 North Road',
    city: 'Hialeah',
    latitude: 25.9,
    longitude: -80.3,
  };
  const fields = {
    ...hours('mon', '09:00'),
    locations: [
      { street: '1 Quay', city: 'Miami' },
      { ...north, ...hours('tue', '10:00') },
      { name: 'Without hours', street: '4 South Road', city: 'Miami' },
      { ...hidden, ...hours('wed', '11:00') },
      { virtual: true as const, ...hours('wed', '12:00') },
    ],
  };
  const data = jsonLd((await open(`/r/${await one(fields)}`)).body);
  expect(data['openingHoursSpecification']).toEqual(stated('Monday', '09:00'));
  expect(data['location']).toEqual([
    {
      '@type': 'Place',
      name: 'North office',
      address: { '@type': 'PostalAddress', streetAddress: '3 North Road', addressLocality: 'Hialeah' },
      geo: { '@type': 'GeoCoordinates', latitude: 25.9, longitude: -80.3 },
      openingHoursSpecification: stated('Tuesday', '10:00'),
    },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/Hidden|Safe house|Wednesday/);

  const main = { locations: [{ street: '1 Quay', ...hours('tue', '10:00') }] };
  const own = jsonLd((await open(`/r/${await one({ ...hours('mon', '09:00'), ...main })}`)).body);
  expect(own['openingHoursSpecification']).toEqual(stated('Tuesday', '10:00'));

  const behind = {
    locations: [
      { ...hidden, ...hours('wed', '11:00') },
      { ...north, ...hours('tue', '10:00') },
    ],
  };
  const service = jsonLd((await open(`/r/${await one(behind)}`)).body);
  expect(service).toMatchObject({
    '@type': 'Service',
    availableChannel: { serviceLocation: [{ name: 'North office' }] },
  });
  expect(JSON.stringify(service)).not.toMatch(/Hidden|Safe house|Wednesday/);

  const closed = jsonLd(
    (await open(`/r/${await one({ ...fields, availability: 'temporarily_closed' })}`)).body,
  );
  expect(closed).not.toHaveProperty('location');
  expect(closed).not.toHaveProperty('openingHoursSpecification');
});

test('a service without a public place is a service to search engines, without an address', async () => {
  const id = await one({
    name: 'Safe line',
    category: 'emergency',
    locations: [
      { city: 'Miami', street: '9 Hidden Lane', latitude: 25.1, longitude: -80.2, confidential: true },
    ],
    phones: [{ number: '305-555-0199' }],
  });
  const { body } = await open(`/r/${id}`);
  expect(jsonLd(body)).toMatchObject({
    '@type': 'Service',
    availableChannel: { '@type': 'ServiceChannel', servicePhone: { telephone: '3055550199' } },
  });
  expect(JSON.stringify(jsonLd(body))).not.toMatch(/address"|geo/i);
  expect(body).toContain('<a href="tel:988">988</a>');
  expect(textOf(body)).toContain('Call to ask when they are open');
});

test('hours that are only written out stand at the top, as far as they are short', async () => {
  const top = async (fields: Partial<UnsealedFields>) =>
    /<div class="summary">([^]*?)<h2 id="reach">/.exec((await open(`/r/${await one(fields)}`)).body)?.[1] ??
    '';
  expect(textOf(await top({ hours: 'Weekdays\nnine to five' }))).toContain('Weekdays nine to five');
  expect(await top({ hours: 'x'.repeat(500) })).toContain('<a href="#hours">Opening hours</a>');
  expect(textOf(await top({}))).toContain('Call to ask when they are open');
  expect(textOf(await top({ phones: [] }))).not.toContain('Call');
});

test('of a record of which little is known the page is short', async () => {
  const id = await one({ name: 'Bare', locations: [], phones: [] });
  const { body, statusCode } = await open(`/r/${id}`);
  expect(statusCode).toBe(200);
  for (const heading of ['What to bring', 'Cost', 'Opening hours', 'Who can come'])
    expect(textOf(body)).not.toContain(heading);
});

describe('where there is no public record', () => {
  test('an unknown address is 404 and a search', async () => {
    const id = await one({});
    const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    for (const url of [
      '/r/x',
      `/r/${wrong}`,
      '/r/r_0000000000000000',
      `/r/${'x'.repeat(10_000)}`,
      '/r/%22%3E%3Cscript%3E',
    ]) {
      const { statusCode, body, headers } = await open(url);
      expect(statusCode, url).toBe(404);
      expect(textOf(body)).toContain('We cannot find this page');
      expect(body).toMatch(/<form[^>]*action="\/find"[^>]*role="search"/);
      expect(body).toContain('<meta name="robots" content="noindex, follow" />');
      expect(body).not.toContain('<script>');
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(textOf((await open('/r/x', { 'accept-language': 'es' })).body)).toContain(
      'No encontramos esta página',
    );
  });

  test('a draft that was never public is unknown', async () => {
    const id = await system.submission('commons', { name: 'Secret draft' });
    const { statusCode, body } = await open(`/r/${id}`);
    expect(statusCode).toBe(404);
    expect(body).not.toContain('Secret');
  });

  test('one that was taken out is gone, until it is back', async () => {
    const id = await one({ name: 'Was here' });
    await system.command(id, { kind: 'deactivate' });
    const { statusCode, body } = await open(`/r/${id}`);
    expect(statusCode).toBe(410);
    expect(textOf(body)).toContain('This service is no longer listed');
    expect(body).not.toContain('Was here');
    await system.command(id, { kind: 'reactivate' });
    expect((await open(`/r/${id}`)).statusCode).toBe(200);
  });

  test('other methods are refused, and a fault is a page', async () => {
    const id = await one({});
    const posted = await system.server.inject({ method: 'PUT', url: `/r/${id}` });
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await system.server.inject({ method: 'HEAD', url: `/r/${id}` })).statusCode).toBe(200);
    const starting = await system.another({ ready: () => Promise.resolve({ ready: false }) });
    const answer = await starting.inject({ url: `/r/${id}`, headers: { 'accept-language': 'es' } });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(textOf(answer.body)).toContain('Esto no funciona en este momento');
  });
});

test.each([
  [{ name: 'Hialeah John F Kennedy Library', category: 'education' }, 'Library'],
  [{ name: 'Station 12', category: 'emergency', taxonomy_terms: ['Fire Stations'] }, 'FireStation'],
  [
    { name: 'Doctors at the Harbor', category: 'health', taxonomy_terms: ['Community Clinics'] },
    'MedicalClinic',
  ],
  [{ name: 'Friends of the Library Fund', category: 'education' }, 'LocalBusiness'],
  [{ name: 'Mercy Hospital, Inc.', category: 'health' }, 'Hospital'],
] as const)('what kind of place it is, search engines are told: %o', async (fields, kind) => {
  const { taxonomy_terms = [], ...rest } = { ...fields } as Partial<UnsealedFields>;
  const id = await one({
    ...rest,
    taxonomy_terms: [...taxonomy_terms],
    locations: [{ street: '1 Quay', city: 'Miami' }],
  });
  expect(jsonLd((await open(`/r/${id}`)).body)).toMatchObject({ '@type': kind });
});

test('a place whose name tells the town and the kind has both once in the title', async () => {
  const id = await one({ name: 'Miami Food Bank', category: 'food', locations: [{ city: 'Miami' }] });
  expect((await open(`/r/${id}`)).body).toContain('<title>Miami Food Bank · Commonweal</title>');
});

test('the address of a confidential place is passed on no further than its town', async () => {
  const id = await one({
    name: 'Safe House',
    category: 'housing',
    locations: [
      { street: '9 Hidden Lane', city: 'Miami', region: 'FL', postal_code: '33199', confidential: true },
    ],
  });
  const { body } = await open(`/r/${id}`);
  expect(body).toContain('body=Safe%20House%0AMiami%2C%20FL%0A');
  expect(body).not.toMatch(/Hidden|(?<![\w-])33199(?![\w-])|class="directions"/);
});
