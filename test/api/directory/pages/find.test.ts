import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { categories } from '../../../../src/events/directory/category.ts';
import { notForPeople } from '../../../support/plain-words.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';
import { logTexts } from '../../../support/log-texts.ts';

let system: RunningSystem;
/** A Tuesday, 3 pm in Miami. */
let now = new Date('2026-03-03T20:00:00Z');

const hours = (opens: string, closes: string): Partial<UnsealedFields> => ({
  time_zone: 'America/New_York',
  opening_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens, closes }],
});
const at = (latitude: number, longitude: number, postal_code: string, city = 'Miami') => [
  { street: '1 Quay', city, region: 'FL', postal_code, country: 'US', latitude, longitude },
];
const hostile = `<img src=x onerror=alert(1)>"'</title><script>alert(1)</script>`;

const directory: readonly Partial<UnsealedFields>[] = [
  {
    name: 'Harbor Food Pantry',
    category: 'food',
    organization: { name: 'Harbor Aid' },
    description: `Groceries for a week. ${'Nobody is turned away. '.repeat(20)}`,
    locations: at(25.77, -80.19, '33101'),
    phones: [{ number: '(305) 555-0100', extension: '7' }],
    languages: ['English', 'Spanish'],
    alert: 'Closed on Friday',
    free: true,
    ...hours('09:00', '17:00'),
  },
  {
    name: 'Morning Pantry',
    category: 'food',
    locations: at(25.8, -80.19, '33127'),
    languages: ['Haitian Creole'],
    ...hours('09:00', '12:00'),
  },
  {
    name: 'Far Pantry',
    category: 'food',
    locations: at(26.12, -80.14, '33301', 'Fort Lauderdale'),
    ...hours('10:00', '20:00'),
  },
  { name: hostile, category: 'legal', description: hostile, organization: { name: hostile } },
  { name: 'Suicide Line', category: 'mental', description: 'Day and night.' },
  ...Array.from({ length: 45 }, (_, n) => ({
    name: `Tutoring ${n + 1}`,
    category: 'education' as const,
    locations: at(27.5, -81 - n / 1_000, '33800', 'Sebring'),
  })),
];

beforeAll(async () => {
  system = await startSystem({ now: () => now, environment: { BASE_URL: 'https://directory.example' } });
  await system.resources(directory.length, { fields: (index) => directory[index] ?? {} });
});
afterAll(() => system.stop());

const open = (url: string, headers: Record<string, string> = {}) =>
  system.server.inject({ url, headers: { accept: 'text/html', ...headers } });
const find = async (asked: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await open(`/find?${new URLSearchParams(asked).toString()}`, headers);
  expect(answer.statusCode).toBe(200);
  expect(notForPeople(answer.body.replace(/<[^>]*>/g, ''))).toBeUndefined();
  return answer;
};
const bodyOf = async (asked: Record<string, string>) => (await find(asked)).body;
const decoded = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const textOf = (html: string) =>
  decoded(html.replace(/<(script|style|head)[^]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' ')).replace(
    /\s+/g,
    ' ',
  );
/** The names of the results, in their order. */
const names = (body: string) =>
  [...body.matchAll(/<h3><a [^>]*>([^]*?)<\/a><\/h3>/g)].map(([, name = '']) => decoded(name));
const linkTo = (body: string, label: string) => {
  const [, href = ''] = new RegExp(`<a[^>]*href="([^"]*)"[^>]*>\\s*${label}\\s*</a\\s*>`).exec(body) ?? [];
  return decoded(href);
};
const results = (body: string) => /<section class="results"[^]*<\/section>/.exec(body)?.[0] ?? '';

describe('the start page', () => {
  test('lets somebody search at once, by words, by place and by kind, in English and Spanish', async () => {
    const { body, headers } = await open('/');
    expect(headers['content-type']).toContain('text/html');
    expect(headers['permissions-policy']).toContain('geolocation=(self)');
    expect(body).toMatch(/<form[^>]*method="get" action="\/find" role="search"/);
    for (const name of ['q', 'near', 'open']) expect(body).toContain(`name="${name}"`);
    // Those of which there is something.
    const kinds = [...body.matchAll(/name="category"\s+value="(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(categories.filter((each) => directory.some(({ category }) => category === each)));
    expect(body).toContain('<link rel="canonical" href="https://directory.example/" />');
    expect(body).not.toContain('noindex');
    const spanish = await open('/', { 'accept-language': 'es' });
    expect(spanish.body).toContain('¿Qué necesita?');
    expect(spanish.body).toContain('Comida');
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('offers neither "open now" nor "free" nor a kind where the directory has none of it', async () => {
    const other = await startSystem({ now: () => now });
    const at = async (url: string) =>
      (await other.server.inject({ url, headers: { accept: 'text/html' } })).body;
    // An empty directory offers all, for what is to come.
    expect(await at('/')).toMatch(/name="open"/);
    await other.resources(1, { fields: () => ({ name: 'Legal Aid', category: 'legal' }) });
    const again = await startSystem({ now: () => now });
    await again.resources(1, { fields: () => ({ name: 'Legal Aid', category: 'legal' }) });
    const page = (await again.server.inject({ url: '/', headers: { accept: 'text/html' } })).body;
    expect(page).not.toMatch(/name="open"/);
    expect([...page.matchAll(/name="category"\s+value="(\w+)"/g)].map(([, kind]) => kind)).toEqual(['legal']);
    const found = (await again.server.inject({ url: '/find?q=legal', headers: { accept: 'text/html' } }))
      .body;
    expect(found).not.toContain('class="offered"');
    await Promise.all([other.stop(), again.stop()]);
  });

  test('is under 30 kB with all that it loads', async () => {
    const { body } = await open('/');
    const loaded = [...body.matchAll(/(?:href|src)="(\/dash\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(loaded.length).toBeGreaterThan(3);
    const parts = await Promise.all(loaded.map(async (path) => (await open(path)).body));
    const size = [body, ...parts].reduce((sum, part) => sum + brotliCompressSync(part).length, 0);
    expect(size).toBeLessThan(30_000);
  });
});

describe('the results', () => {
  test('say what somebody needs to choose one', async () => {
    const body = await bodyOf({ q: 'food pantry', near: '33101' });
    expect(names(body)).toEqual(['Harbor Food Pantry', 'Morning Pantry', 'Far Pantry']);
    const [first = ''] = body.split('class="result"').slice(1);
    const text = textOf(`<li ${first}`);
    for (const said of [
      'Harbor Aid',
      'Food',
      'Open until 5:00 pm',
      'Closed on Friday',
      'Groceries for a week.',
      '1 Quay',
      'Miami, FL 33101',
      '0.1 miles away',
      'Call (305) 555-0100, extension 7',
      'Free',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toContain('…');
    expect(first).toContain('href="tel:3055550100,7"');
    expect(first).toMatch(/href="\/r\/r_[\da-f]{16}(\?via=[\w-]+)?"/);
    expect(textOf(body)).toContain('Closed now, opens 9:00 am tomorrow');
    expect(textOf(body)).toContain('“food pantry” near 33101');
  });

  test('are told in miles in the United States, also on Spanish pages', async () => {
    const { body } = await find({ q: 'despensa', near: '33101' }, { 'accept-language': 'es' });
    expect(names(body)[0]).toBe('Harbor Food Pantry');
    expect(textOf(body)).toContain('a 2.1 millas');
    expect(textOf(body)).toContain('Abierto hasta las 5:00 p. m.');
  });

  test('can be those that are open now, free, in a city, in a language, or of a kind', async () => {
    expect(names(await bodyOf({ q: 'pantry', open: '1' })).sort()).toEqual([
      'Far Pantry',
      'Harbor Food Pantry',
    ]);
    expect(names(await bodyOf({ q: 'pantry', free: '1' }))).toEqual(['Harbor Food Pantry']);
    expect(names(await bodyOf({ q: 'pantry', city: 'fort lauderdale' }))).toEqual(['Far Pantry']);
    expect(names(await bodyOf({ language: 'Haitian Creole' }))).toEqual(['Morning Pantry']);
    expect(names(await bodyOf({ category: 'mental' }))).toEqual(['Suicide Line']);
    expect(names(await bodyOf({ near: '25.77,-80.19', radius: '5' }))).toEqual([
      'Harbor Food Pantry',
      'Morning Pantry',
    ]);
  });

  test('come with filters that say how many there are, and what is chosen can be removed', async () => {
    const body = await bodyOf({ category: 'food', language: 'es' });
    expect(body).toMatch(/<option value="food"\s+selected\s*>Food \(1\)<\/option>/);
    expect(body).toMatch(/<option value="Spanish"\s+selected\s*>Spanish \(1\)<\/option>/);
    expect(textOf(body)).toContain('Spanish spoken ✕');
    const all = await bodyOf({ q: 'pantry' });
    expect(all).toMatch(/<option value="food"\s*>Food \(3\)<\/option>/);
    expect(all).toMatch(/<option value="Miami"\s*>Miami \(2\)<\/option>/);
    expect(all).toMatch(/<option value="Haitian Creole"\s*>Haitian Creole \(1\)<\/option>/);
    const { body: spanish } = await find({ q: 'pantry' }, { 'accept-language': 'es' });
    expect(spanish).toMatch(/<option value="Haitian Creole"\s*>Criollo haitiano \(1\)<\/option>/);
    // Counts of all would not be counts of what is open.
    expect(await bodyOf({ q: 'pantry', open: '1' })).toMatch(/<option value="food"\s*>Food<\/option>/);
  });

  test('are paged, each once, and the address of a page stays good', async () => {
    const seen: string[] = [];
    let url = '/find?q=tutoring';
    let last = '';
    for (let page = 0; page < 3; page++) {
      last = url;
      const { body } = await open(url);
      seen.push(...names(body));
      if (page === 0) expect(textOf(body)).toContain('45 results');
      url = linkTo(body, 'More results');
    }
    expect(url).toBe('');
    expect(new Set(seen).size).toBe(45);
    const again = await open(last);
    expect(names(again.body)).toEqual(seen.slice(40));
    expect(linkTo(again.body, 'Back to the first results')).toBe('/find?q=tutoring');
    // A cursor of another search, or of nobody, shows the first page.
    const cursor = new URL(last, 'https://x').searchParams.get('cursor') ?? '';
    expect(names(await bodyOf({ q: 'pantry', cursor }))).toContain('Far Pantry');
    expect(names(await bodyOf({ q: 'tutoring', cursor: 'rubbish' }))).toEqual(seen.slice(0, 20));
  });

  test('are counted up to a thousand', async () => {
    await system.resources(1_001, { fields: (n) => ({ name: `Bus pass ${n}`, category: 'transit' }) });
    const body = await bodyOf({ category: 'transit' });
    expect(textOf(results(body))).toContain('1,000+ results');
    expect(textOf(await bodyOf({ category: 'transit', lang: 'es' }))).toContain('Más de 1,000 resultados');
  });

  test('keep the language that the address asks for, where the browser keeps no cookie', async () => {
    const body = await bodyOf({ q: 'tutoring', lang: 'es' });
    expect(body).toContain('<input type="hidden" name="lang" value="es" />');
    expect(linkTo(body, 'Más resultados')).toContain('&lang=es&');
    expect(body).toMatch(/href="\/r\/r_[\da-f]{16}\?(via=[\w-]+&#38;)?lang=es"/);
  });

  test('of what is open begin again where a shared address has become old', async () => {
    const { body } = await open('/find?category=education&open=1');
    expect(names(body)).toEqual([]);
    now = new Date('2026-03-03T20:00:00Z');
    const many = Array.from({ length: 25 }, (_, n) => ({
      name: `Late Class ${n}`,
      category: 'other' as const,
      ...hours('08:00', '18:00'),
    }));
    await system.resources(many.length, { fields: (index) => many[index] ?? {} });
    const first = await open('/find?category=other&open=1');
    const next = linkTo(first.body, 'More results');
    expect(names((await open(next)).body)).toHaveLength(5);
    now = new Date('2026-03-04T20:00:00Z');
    const later = await open(next);
    expect(names(later.body)).toHaveLength(20);
    expect(textOf(later.body)).toContain('What is open has changed since then.');
    now = new Date('2026-03-03T20:00:00Z');
  });

  test('offer a better spelling', async () => {
    const body = await bodyOf({ q: 'pantri' });
    expect(names(body)).toContain('Harbor Food Pantry');
    const mistyped = await bodyOf({ q: 'tutorang' });
    expect(textOf(mistyped)).toContain('Did you mean tutoring ?');
    expect(linkTo(mistyped, 'tutoring')).toBe('/find?q=tutoring');
  });

  test('that there are none of lead on: fewer words, another place, all of a kind', async () => {
    const body = await bodyOf({ q: 'xylophone', near: '33101', open: '1' });
    const text = textOf(results(body));
    expect(text).toContain('We found nothing');
    expect(text).toContain('Use fewer words');
    expect(linkTo(body, 'Show all: Food')).toBe('/find?near=33101&category=food');
    // What finds nothing here is not offered.
    expect(body.match(/Show all: /g)).toHaveLength(1);
    // Whoever finds nothing may be in an emergency.
    expect(body).toContain('href="tel:988"');
  });

  test('that there are none of lead on only to what finds something', async () => {
    now = new Date('2026-03-03T08:00:00Z');
    const far = await bodyOf({ q: 'tutoring', near: '26.3,-80.5' });
    expect(linkTo(far, 'Search everywhere')).toBe('/find?q=tutoring');
    expect(linkTo(far, 'Search within 99 miles')).toBe('/find?q=tutoring&near=26.3%2C-80.5&radius=160');
    expect(linkTo(await bodyOf({ q: 'tutoring', open: '1' }), 'Search without the other choices')).toBe(
      '/find?q=tutoring',
    );
    const night = await bodyOf({ near: '33101', open: '1' });
    now = new Date('2026-03-03T20:00:00Z');
    const tries = /<ul class="tries">([^]*?)<\/ul>/.exec(night)?.[1] ?? '';
    expect(textOf(tries).trim()).toBe('Search without the other choices');
    const nothingNear = await bodyOf({ near: '28.5,-81.3', radius: '2', category: 'legal' });
    expect(textOf(/<ul class="tries">([^]*?)<\/ul>/.exec(nothingNear)?.[1] ?? '').trim()).toBe(
      'Search everywhere',
    );
    const known = await bodyOf({ q: 'xylophone', city: 'Nowhereville' });
    expect(known).not.toContain('Search without the other choices');
    expect(linkTo(known, 'Show all: Education')).toBe('/find?category=education');
  });

  test('from everywhere are shown where nobody knows the place, and the words can be searched for', async () => {
    const body = await bodyOf({ q: 'pantry', near: 'Nowhereville' });
    expect(textOf(body)).toContain('We do not know where “Nowhereville” is');
    expect(names(body)).toHaveLength(3);
    expect(linkTo(body, 'Search for the words “pantry Nowhereville”')).toBe('/find?q=pantry+Nowhereville');
    const alone = await bodyOf({ near: 'Nowhereville' });
    expect(names(alone)).toEqual([]);
    expect(linkTo(alone, 'Search for the words “Nowhereville”')).toBe('/find?q=Nowhereville');
  });

  test('of what is dangerous or urgent have the link to leave and the numbers to call', async () => {
    const suicide = await bodyOf({ q: 'suicide' });
    expect(suicide).toContain('href="tel:988"');
    expect(suicide).toContain('class="exit"');
    const legal = await bodyOf({ category: 'legal' });
    expect(legal).toContain('class="exit"');
    expect(legal).not.toContain('tel:988');
    expect(await bodyOf({ q: 'tutoring' })).not.toContain('class="exit"');
  });

  test('are kept out of search engines, and their filters from crawlers', async () => {
    const body = await bodyOf({ q: 'pantry', near: '33101', city: 'Miami', open: '1' });
    expect(body).toContain('<meta name="robots" content="noindex, follow" />');
    expect(body).not.toContain('rel="canonical"');
    for (const [link] of results(body).matchAll(/<a [^>]*href="\/find[^>]*>/g))
      expect(link).toContain('nofollow');
    for (const [link] of body.matchAll(/<a [^>]*class="(?:chosen|offered)"[^>]*>/g))
      expect(link).toContain('rel="nofollow"');
    expect((await open('/find')).body).toContain(
      '<link rel="canonical" href="https://directory.example/find" />',
    );
  });
});

describe('an address that somebody wrote', () => {
  const written: readonly Record<string, string>[] = [
    { q: 'x'.repeat(10_000) },
    { q: 'food '.repeat(3_000) },
    { q: 'a' },
    { q: '🥫' },
    { q: '🥫'.repeat(150) },
    { q: '\u0000\u0001' },
    { q: "'" },
    { q: '" OR 1=1 --' },
    { q: hostile },
    { q: '%' },
    { near: hostile },
    { near: '91,181' },
    { near: '90,180', radius: '1e9' },
    { q: 'pantry', near: '33101', radius: '0' },
    { q: 'pantry', near: '33101', radius: '1000000000' },
    { q: 'pantry', near: '33101', radius: '-5' },
    { q: 'pantry', near: '33101', radius: 'NaN' },
    { q: 'pantry', near: '33101', radius: 'Infinity' },
    { q: 'pantry', sort: 'price' },
    { q: 'pantry', sort: 'distance' },
    { sort: 'relevance' },
    { category: 'nothing' },
    { category: '__proto__' },
    { city: hostile, language: hostile },
    { city: 'x'.repeat(5_000), cursor: 'x'.repeat(9_000) },
    { open: 'yes', free: '2', lang: 'tlh' },
  ];
  test.each(written.map((asked) => [JSON.stringify(asked).slice(0, 60), asked] as const))(
    'is answered with a page: %s',
    async (_name, asked) => {
      const { body } = await find(asked);
      expect(body).not.toMatch(/<img|<script>|onerror=alert\(1\)>/);
      expect(body.length).toBeLessThan(80_000);
    },
  );

  test('has its values clamped, and what is too long is said', async () => {
    expect(names(await bodyOf({ q: 'pantry', near: '25.77,-80.19', radius: '0' }))).toEqual([
      'Harbor Food Pantry',
    ]);
    expect(names(await bodyOf({ q: 'pantry', near: '33101', radius: '1e9' }))).toHaveLength(3);
    const long = await bodyOf({ q: `pantry ${'x'.repeat(10_000)}` });
    expect(textOf(long)).toContain('We searched for its first 200 characters.');
  });

  test('may be empty: it lists all', async () => {
    expect(textOf(await bodyOf({ q: '', near: '', category: '' }))).toContain('All services');
  });
});

test('what people search for is in no cookie, in no cache of others and in no log', async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logged = await system.another({ logger: { level: 'debug', stream } as never });
  const url = '/find?q=shelter-from-him&near=33101&radius=3&open=1&city=Miami&cursor=c3RhcnQ';
  const { headers } = await logged.inject({ url, headers: { accept: 'text/html' } });
  await logged.inject({ url: '/find?%71=shelter-from-him' });
  expect(lines.join('')).toContain('/find');
  expect(logTexts(lines.join(''))).not.toMatch(/shelter|33101|Miami|c3RhcnQ|radius/);
  expect(headers['set-cookie']).toBeUndefined();
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(headers['referrer-policy']).toBe('no-referrer');
  await logged.close();
});

describe('one network that searches without end', () => {
  test('is told to wait, in its language, and others are served', async () => {
    const limited = await startSystem({
      now: () => now,
      environment: { SEARCHES_PER_MINUTE: '2' },
    });
    try {
      const search = (remoteAddress: string, language = 'en') =>
        limited.server.inject({
          url: '/find?q=pantry',
          headers: { 'accept-language': language },
          remoteAddress,
        });
      for (let n = 0; n < 2; n++) expect((await search('192.0.2.1')).statusCode).toBe(200);
      const refused = await search('192.0.2.77', 'es');
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(refused.body).toContain('Podrá buscar de nuevo en');
      expect((await search('198.51.100.1')).statusCode).toBe(200);
      const later = Date.now() + 60_000;
      vi.spyOn(Date, 'now').mockImplementation(() => later);
      expect((await search('192.0.2.1')).statusCode).toBe(200);
    } finally {
      vi.restoreAllMocks();
      await limited.stop();
    }
  });
});

describe('what the words of a search say', () => {
  test('opens the box with the numbers to call where somebody may be in danger, in each language', async () => {
    for (const [lang, q, says] of [
      ['ht', 'mwen vle touye tèt mwen', 'rele'],
      ['es', 'ya no quiero vivir', 'llame'],
      ['en', 'i want to die', 'call'],
    ] as const) {
      const body = await bodyOf({ q, lang });
      const box = /<aside class="crisis box"[^]*?<\/aside>/.exec(body)?.[0] ?? '';
      expect(textOf(box)).toContain(says);
      expect(box).toMatch(/tel:911[^]*tel:988/);
      expect(names(body)[0]).toBe('Suicide Line');
    }
    expect(await bodyOf({ q: 'tutoring' })).not.toContain('class="crisis');
    expect(await bodyOf({ category: 'mental' })).toContain('class="crisis line"');
  });

  test('shows below a line what agrees only in part, and does not count it', async () => {
    const body = await bodyOf({ q: 'pantry fort lauderdale' });
    expect(names(body)[0]).toBe('Far Pantry');
    expect(textOf(body)).toContain('1 result');
    expect(textOf(body)).toMatch(/Far Pantry .* These match only a part of what you typed: .* Pantry/);
    expect(textOf(await bodyOf({ q: 'pantry open sunday' }))).toContain(
      'Nothing matches all that you typed.',
    );
    expect(textOf(await bodyOf({ q: 'tutoring' }))).not.toContain('match only a part');
  });

  test('asks where somebody is who wants what is near', async () => {
    const body = await bodyOf({ q: 'pantry near me' });
    expect(textOf(body)).toContain('To see what is close to you');
    expect(names(body)).toContain('Harbor Food Pantry');
    expect(textOf(await bodyOf({ q: 'pantry near me', near: '33101' }))).not.toContain(
      'To see what is close',
    );
  });

  test('speaks Haitian Creole in all that is said, in miles', async () => {
    const body = await bodyOf({ q: 'manje', near: '33101', lang: 'ht' });
    expect(body).toContain('<html lang="ht">');
    expect(names(body)[0]).toBe('Harbor Food Pantry');
    expect(textOf(body)).toMatch(/Louvri jiska 5:00 p\.m\./);
    expect(textOf(body)).toMatch(/a [\d.]+ mil/);
    expect(textOf(body)).not.toMatch(/\b(Open|results?|Nothing|More|Near)\b/);
  });
});
