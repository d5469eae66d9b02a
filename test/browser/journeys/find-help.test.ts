import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../src/events/directory/resource-fields.ts';
import { startSystem, type RunningSystem } from '../../api/harness.ts';
import { hasChromium, launch } from '../chromium.ts';
import { everyRule, objections, overflow } from '../page-checks.ts';

const weekdays = (opens: string, closes: string): Partial<UnsealedFields> => ({
  opening_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens, closes }],
});
const at = (street: string, city: string, postal_code: string): Partial<UnsealedFields> => ({
  locations: [{ street, city, region: 'FL', postal_code }],
});

/** As a package brings records: no coordinates, no time zone, the postal code of each street. */
const directory: readonly Partial<UnsealedFields>[] = [
  {
    name: 'Little Havana Food Pantry',
    category: 'food',
    description: 'Groceries for a week.',
    phones: [{ number: '305-555-0100', extension: '12' }],
    languages: ['English', 'Spanish'],
    ...weekdays('09:00', '17:00'),
    ...at('700 SW 8th Street', 'Miami', '33130'),
  },
  {
    name: 'Morning Food Pantry',
    category: 'food',
    phones: [{ number: '305-555-0101' }],
    ...weekdays('07:00', '11:00'),
    ...at('12 SW 7th Street', 'Miami', '33130'),
  },
  {
    name: 'Hialeah Food Pantry',
    category: 'food',
    phones: [{ number: '305-555-0102' }],
    ...weekdays('09:00', '18:00'),
    ...at('501 Palm Avenue', 'Hialeah', '33010'),
  },
  {
    name: 'Pensacola Food Pantry',
    category: 'food',
    phones: [{ number: '850-555-0103' }],
    ...weekdays('09:00', '17:00'),
    ...at('1 Palafox Street', 'Pensacola', '32502'),
  },
  {
    name: 'Safe House Food Pantry',
    category: 'food',
    phones: [{ number: '305-555-0104' }],
    locations: [{ street: '9 Hidden Lane', city: 'Miami', region: 'FL', confidential: true }],
  },
];

const inLanguages = [
  {
    lang: 'en',
    words: 'food pantry',
    need: 'What do you need?',
    near: 'Near',
    openNow: 'Open now',
    search: 'Search',
    about: /^about \d+ miles? away$/,
    open: 'Open until 5:00 pm',
    call: 'Call 305-555-0100, extension 12',
    way: 'Directions',
    languages: 'English, Spanish',
    locate: 'Use my location',
  },
  {
    lang: 'es',
    words: 'despensa de comida',
    need: '¿Qué necesita?',
    near: 'Cerca de',
    openNow: 'Abierto ahora',
    search: 'Buscar',
    about: /^a cerca de \d+ millas?$/,
    open: 'Abierto hasta las 5:00 p. m.',
    call: 'Llamar al 305-555-0100, extensión 12',
    way: 'Cómo llegar',
    languages: 'Inglés, Español',
    locate: 'Usar mi ubicación',
  },
  {
    lang: 'ht',
    words: 'manje',
    need: 'Kisa w bezwen?',
    near: 'Toupre',
    openNow: 'Louvri kounye a',
    search: 'Chèche',
    about: /^apeprè \d+ mil lwen$/,
    open: 'Louvri jiska 5:00 p.m.',
    call: 'Rele 305-555-0100, ekstansyon 12',
    way: 'Kijan pou rive la',
    languages: 'Anglè, Panyòl',
    locate: 'Sèvi ak kote m ye a',
  },
];

describe.skipIf(!hasChromium)('a person with a phone', () => {
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

  const namesOn = (page: Page): Promise<string[]> => page.locator('.result h3').allInnerTexts();

  describe.each(inLanguages)('who reads $lang', (words) => {
    test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
      'finds the pantry round the corner that is open, and how to reach it, with JavaScript: $javaScriptEnabled',
      async ({ javaScriptEnabled }) => {
        const context = await chromium.newContext({
          javaScriptEnabled,
          viewport: { width: 360, height: 740 },
          reducedMotion: 'reduce',
          permissions: ['geolocation'],
          geolocation: { latitude: 25.766, longitude: -80.205 },
        });
        const page = await context.newPage();
        const looksRight = async () => {
          expect(await page.locator('html').getAttribute('lang')).toBe(words.lang);
          if (!javaScriptEnabled) return;
          expect(await overflow(page), page.url()).toBeLessThanOrEqual(0);
          expect(await objections(page, everyRule), page.url()).toEqual([]);
        };

        await page.goto(`${origin}/?lang=${words.lang}`);
        await looksRight();
        await page.getByLabel(words.need).fill(words.words);
        await page.getByLabel(words.near, { exact: true }).fill('33130');
        await page.getByLabel(words.openNow).click();
        await page.getByRole('button', { name: words.search, exact: true }).click();
        await page.locator('.result').first().waitFor();
        // The next town comes after; what is closed, and another end of the state, are not there.
        expect(await namesOn(page)).toEqual(['Little Havana Food Pantry', 'Hialeah Food Pantry']);
        await looksRight();

        // A town in place of the code, and with JavaScript where the phone is.
        await page.getByLabel(words.near, { exact: true }).fill('Hialeah');
        await page.getByRole('button', { name: words.search, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: /Hialeah/ }).waitFor();
        expect((await namesOn(page))[0]).toBe('Hialeah Food Pantry');
        if (javaScriptEnabled) {
          const near = page.getByLabel(words.near, { exact: true });
          await page.getByRole('button', { name: words.locate }).click();
          await expect.poll(() => near.inputValue()).toBe('25.766,-80.205');
          await page.getByRole('button', { name: words.search, exact: true }).click();
          await page.getByRole('heading', { level: 1, name: /Hialeah/ }).waitFor({ state: 'detached' });
        } else {
          await page.goBack();
        }

        const first = page.locator('.result').first();
        expect(await first.getByRole('heading').innerText()).toBe('Little Havana Food Pantry');
        await first.getByText(words.open, { exact: true }).waitFor();
        const distance = (await first.locator('p.quiet').last().innerText()).split(' · ').at(-1);
        expect(distance).toMatch(words.about);
        await first.getByRole('heading').getByRole('link').click();
        await page.getByRole('heading', { level: 1, name: 'Little Havana Food Pantry' }).waitFor();
        await page.getByText(words.open, { exact: true }).waitFor();
        const call = page.getByRole('link', { name: words.call, exact: true });
        expect(await call.getAttribute('href')).toBe('tel:3055550100,12');
        const way = page.getByRole('link', { name: new RegExp(`^${words.way}`) });
        expect(decodeURIComponent((await way.getAttribute('href')) ?? '')).toContain('700 SW 8th Street');
        await page.getByText(words.languages, { exact: true }).waitFor();
        const share = page.locator('a[href^="sms:"]');
        expect(await share.getAttribute('href')).toContain(encodeURIComponent('/r/'));
        await looksRight();
        await context.close();
      },
    );
  });
});
