import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { startSystem, type RunningSystem } from '../api/harness.ts';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium, launch } from './chromium.ts';
import { colourRules, everyRule, objections, overflow } from './page-checks.ts';

const on = (opens: string, closes: string): Partial<UnsealedFields> => ({
  time_zone: 'America/New_York',
  opening_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens, closes }],
});
const at = (latitude: number, longitude: number, postal_code: string): Partial<UnsealedFields> => ({
  locations: [
    { street: '1 Quay', city: 'Miami', region: 'FL', postal_code, country: 'US', latitude, longitude },
  ],
});

const directory: readonly Partial<UnsealedFields>[] = [
  { name: 'Morning Pantry', category: 'food', ...on('08:00', '12:00'), ...at(25.77, -80.19, '33101') },
  {
    name: 'Harbor Food Pantry',
    category: 'food',
    organization: { name: 'Harbor Aid' },
    description: 'Groceries for a week.',
    phones: [{ number: '305-555-0100' }],
    languages: ['English', 'Spanish'],
    free: true,
    ...on('09:00', '17:00'),
    ...at(25.78, -80.2, '33101'),
  },
  {
    name: `${'Pneumonoultramicroscopic'.repeat(8)} <script>`,
    category: 'health',
    organization: { name: 'W'.repeat(200) },
    description: 'x'.repeat(300),
    alert: 'y'.repeat(200),
    phones: [{ number: '305-555-0102' }],
    ...at(25.79, -80.2, '33127'),
  },
  { name: 'Suicide Line', category: 'mental', phones: [{ number: '988' }] },
  ...Array.from({ length: 25 }, (_, n) => ({ name: `Tutoring ${n}`, category: 'education' as const })),
];

describe.skipIf(!hasChromium)('looking for help in Chromium', () => {
  let chromium: Browser;
  let system: RunningSystem;
  let origin: string;
  beforeAll(async () => {
    // A Tuesday, 3 pm in Miami.
    const now = () => new Date('2026-03-03T20:00:00Z');
    [chromium, system] = await Promise.all([launch(), startSystem({ now })]);
    origin = (await system.listen()).replace('127.0.0.1', 'localhost');
    await system.resources(directory.length, { fields: (index) => directory[index] ?? {} });
  });
  afterAll(async () => {
    await chromium.close();
    await system.stop();
  });

  const opened = async (
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<[BrowserContext, Page]> => {
    const context = await chromium.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
    return [context, await context.newPage()];
  };

  describe.each([
    {
      locale: 'en-US',
      need: 'What do you need?',
      near: 'Near',
      openNow: 'Open now',
      search: 'Search',
      food: 'Food Food pantries',
      asked: 'food pantry',
      says: 'Open until 5:00 pm',
      call: 'Call 305-555-0100',
    },
    {
      locale: 'es-MX',
      need: '¿Qué necesita?',
      near: 'Cerca de',
      openNow: 'Abierto ahora',
      search: 'Buscar',
      food: 'Comida Despensas',
      asked: 'despensa de comida',
      says: 'Abierto hasta las 5:00 p. m.',
      call: 'Llamar al 305-555-0100',
    },
    {
      locale: 'ht',
      need: 'Kisa w bezwen?',
      near: 'Toupre',
      openNow: 'Louvri kounye a',
      search: 'Chèche',
      food: 'Manje Bank manje',
      asked: 'bank manje',
      says: 'Louvri jiska 5:00 p.m.',
      call: 'Rele 305-555-0100',
    },
  ])('in $locale', ({ locale, need, near, openNow, search, food, asked, says, call }) => {
    test.each([
      { javaScriptEnabled: false, by: 'words' },
      { javaScriptEnabled: true, by: 'kind' },
    ])(
      'a pantry that is open now near a postal code is three clicks away, by $by, with JavaScript: $javaScriptEnabled',
      async ({ javaScriptEnabled, by }) => {
        const [context, page] = await opened({
          locale,
          javaScriptEnabled,
          viewport: { width: 360, height: 740 },
        });
        await page.goto(`${origin}/`);
        if (by === 'words') await page.getByLabel(need).fill(asked);
        await page.getByLabel(near, { exact: true }).fill('33101');
        await page.getByLabel(openNow).click();
        if (by === 'words') await page.getByRole('button', { name: search, exact: true }).click();
        else await page.getByRole('button', { name: food }).click();
        const result = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
        await result.first().waitFor();
        expect(await result.count()).toBe(1);
        await result.getByText(says).waitFor();
        expect(await result.getByRole('link', { name: call }).getAttribute('href')).toBe('tel:3055550100');
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        await result.getByRole('heading').getByRole('link').click();
        await page.getByRole('heading', { level: 1, name: 'Harbor Food Pantry' }).waitFor();
        await page.getByText(says).waitFor();
        await context.close();
      },
    );
  });

  test('the numbers to call take a line of a small phone, and a box where the words ask for it', async () => {
    const [context, page] = await opened({ viewport: { width: 360, height: 740 } });
    const height = async (address: string): Promise<number> => {
      await page.goto(`${origin}${address}`);
      return (await page.locator('aside.crisis').boundingBox())?.height ?? 0;
    };
    for (const lang of ['en', 'es', 'ht']) {
      const line = await height(`/find?category=mental&lang=${lang}`);
      expect([lang, line > 0 && line < 40]).toEqual([lang, true]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await height(`/find?q=suicidio&lang=${lang}`)).toBeGreaterThan(2 * line);
    }
    await context.close();
  });

  test('the place of whoever asks is filled in after a click, and only then', async () => {
    const [context, page] = await opened({
      permissions: ['geolocation'],
      geolocation: { latitude: 25.7712345, longitude: -80.1912345 },
    });
    await page.goto(`${origin}/`);
    const near = page.getByLabel('Near', { exact: true });
    const locate = page.getByRole('button', { name: 'Use my location' });
    await locate.waitFor();
    expect(await near.inputValue()).toBe('');
    await locate.click();
    await page.getByText('Your location is filled in.').waitFor();
    expect(await near.inputValue()).toBe('25.771,-80.191');
    await page.getByLabel('What do you need?').fill('pantry');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '“pantry” near your location' }).waitFor();
    await page.getByText('0.1 miles away').waitFor();
    await context.clearPermissions();
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByText('We could not get your location.').waitFor();
    await context.close();
  });

  test('the keyboard is enough, from the first page to the next page of results', async () => {
    const [context, page] = await opened({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const reach = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        const at = await page.evaluate<string>(
          '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
        );
        if (at.startsWith(name)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} is not reached with the tab key.`);
    };
    await reach('What do you need?');
    await page.keyboard.type('tutoring');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '25 results' }).waitFor();
    await reach('More results');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Back to the first results' }).waitFor();
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(5);
    await reach('More choices');
    await page.keyboard.press('Enter');
    await reach('Kind of help');
    await context.close();
  });

  test('results about what is dangerous are left quickly, and the history does not lead back to them', async () => {
    const [context, page] = await opened();
    // The neutral page is never asked for: this machine answers in its place.
    await page.route('https://www.weather.gov/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Weather</h1>' }),
    );
    await page.goto(`${origin}/`);
    await page.goto(`${origin}/find?q=suicide`);
    await page.getByRole('link', { name: '911' }).waitFor();
    await page.getByRole('link', { name: 'Leave this page quickly' }).click();
    await page.getByRole('heading', { name: 'Weather' }).waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/');
    await context.close();
  });

  test('axe finds nothing, and nothing is wider than a small phone', async () => {
    const [context, page] = await opened({ viewport: { width: 360, height: 740 } });
    for (const path of [
      '/?',
      '/find?near=33101&radius=3&language=Spanish&free=1&open=1',
      '/find?near=33127&category=health',
      '/find?q=tutorang',
      '/find?q=xylophone&near=33101&city=Miami',
      '/find?q=xylophone&near=Nowhereville',
    ]) {
      for (const language of ['en', 'es']) {
        await page.goto(`${origin}${path}&lang=${language}`);
        requirePlainWords(await page.innerText('body'), path);
        // Both languages have the same colours.
        const appearances = language === 'en' ? (['light', 'dark'] as const) : (['light'] as const);
        for (const colorScheme of appearances) {
          await page.emulateMedia({ colorScheme });
          expect(
            await objections(page, colorScheme === 'light' ? everyRule : colourRules),
            `${path} ${language} ${colorScheme}`,
          ).toEqual([]);
        }
        expect(await overflow(page), `${path} ${language}`).toBeLessThanOrEqual(0);
      }
    }
    await context.close();
  });
});
