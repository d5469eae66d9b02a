import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem, type RunningSystem, type TestKey } from '../api/harness.ts';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium, launch } from './chromium.ts';
import { colourRules, everyRule, objections, overflow } from './page-checks.ts';

describe.skipIf(!hasChromium)('the page of a record in Chromium', () => {
  let chromium: Browser;
  let system: RunningSystem;
  let origin: string;
  let team: TestKey;
  let svcId: string;
  /** The form asks people to take a moment; the clock of the server takes it. */
  let skipped = 0;
  beforeAll(async () => {
    [chromium, system] = await Promise.all([
      launch(),
      startSystem({ now: () => new Date(Date.now() + skipped) }),
    ]);
    origin = (await system.listen()).replace('127.0.0.1', 'localhost');
    await system.team('harbour', ['directory:manage']);
    team = await system.key({
      kind: 'team',
      team: 'harbour',
      scopes: ['resources:read', 'directory:manage'],
    });
    [svcId = ''] = await system.resources(1, {
      team: 'harbour',
      fields: () => ({
        name: 'Harbour Shelter',
        category: 'housing',
        categories: ['mental'],
        organization: { name: 'Harbour House' },
        description: 'A bed for tonight.\nNobody is turned away.',
        locations: [
          {
            name: 'Main hall',
            street: '1 Quay',
            city: 'Miami',
            region: 'FL',
            postal_code: '33101',
            latitude: 25.77,
            longitude: -80.19,
          },
          { name: 'Safe house', city: 'Miami', confidential: true },
        ],
        phones: [
          { number: '305-555-0100', extension: '7', note: 'Day and night' },
          { number: '305-555-0103', type: 'fax' },
        ],
        hours: 'Every evening',
        opening_hours: [
          { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], opens: '18:00', closes: '08:00' },
        ],
        time_zone: 'America/New_York',
        alert: 'Bring a blanket',
        documents: ['Photo ID'],
        url: 'https://shelter.example/a/very/long/path/that/does/not/fit/into/a/narrow/window/at/all',
        last_verified: '2026-03-31',
      }),
    });
  });
  afterAll(async () => {
    await chromium.close();
    await system.stop();
  });

  test('has nothing that axe objects to, and fits at 360 px, in both languages, in light and dark', async () => {
    const context = await chromium.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    const forms = ['report', 'suggest'].flatMap((form) => [
      `/r/${svcId}/${form}`,
      `/r/${svcId}/${form}?done=`,
    ]);
    for (const path of [`/r/${svcId}`, ...forms, '/r/unknown']) {
      for (const language of ['en', 'es']) {
        await page.goto(`${origin}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        requirePlainWords(await page.innerText('body'), path);
        for (const [colorScheme, rules] of [
          ['light', everyRule],
          ['dark', colourRules],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await objections(page, rules), `${path} ${language} ${colorScheme}`).toEqual([]);
        }
        expect(await overflow(page), `${path} ${language}`).toBeLessThanOrEqual(0);
      }
    }
    await context.close();
  });

  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'https://maps.apple.com/?daddr=',
    ],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/130.0 Mobile Safari/537.36', 'geo:25.77,-80.19'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36',
      'https://www.openstreetmap.org/directions?to=',
    ],
  ])('the way there opens what the device has: %s', async (userAgent, begin) => {
    const context = await chromium.newContext({ userAgent, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`${origin}/r/${svcId}`);
    const way = page.getByRole('link', { name: 'Directions to 1 Quay' });
    expect((await way.getAttribute('href'))?.startsWith(begin)).toBe(true);
    await context.close();
  });

  test('a link is copied, where it is shared', async () => {
    const context = await chromium.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto(`${origin}/r/${svcId}`);
    await page.getByText('Share', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('The link is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(new RegExp(`/r/${svcId}$`));
    expect(await objections(page, everyRule)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await context.close();
  });

  test('without JavaScript: from the record to a report in the queue of its reviewers', async () => {
    const context = await chromium.newContext({
      javaScriptEnabled: false,
      locale: 'es-MX',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto(`${origin}/r/${svcId}`);
    await page.getByRole('heading', { name: 'Harbour Shelter' }).waitFor();
    expect(await page.getByRole('link', { name: 'Llamar al' }).getAttribute('href')).toBe('tel:3055550100,7');
    expect(await page.getByRole('button', { name: 'Imprimir' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Avisar de un error' }).click();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Elija qué está mal.').waitFor();
    skipped = 10_000;
    await page.getByLabel('El número de teléfono está mal').check();
    await page.getByLabel('¿Qué debemos saber?').fill('El correcto es 305-555-0199');
    await page.getByLabel('Su correo electrónico o teléfono').fill('ana@example.org');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: 'Gracias' }).waitFor();
    await page.getByRole('link', { name: 'Volver a la página' }).click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Report a mistake' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/r/${svcId}`);
    await system.caughtUp();
    const queue = await system.server.inject({
      url: '/dash/api/v1/reports?status=open',
      headers: team.bearer,
    });
    expect(queue.json()).toMatchObject({
      data: [
        { svc_id: svcId, what: 'phone', text: 'El correcto es 305-555-0199', contact: 'ana@example.org' },
      ],
    });
    await context.close();
  });

  test('without JavaScript: a change is suggested on a phone, and what was typed survives an error', async () => {
    const context = await chromium.newContext({
      javaScriptEnabled: false,
      locale: 'es-MX',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto(`${origin}/r/${svcId}`);
    await page.getByRole('link', { name: 'Sugerir un cambio' }).click();
    await page.getByLabel('Sitio web').fill('no es una dirección');
    await page.getByLabel('Horario').fill('Lun-Vie 18:00-20:00');
    await page.getByRole('button', { name: 'Enviar la sugerencia' }).click();
    await page.getByText('Esto no es una dirección de internet.').waitFor();
    expect(await page.getByLabel('Horario').inputValue()).toBe('Lun-Vie 18:00-20:00');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByLabel('Sitio web').fill('shelter.example');
    await page.getByLabel('¿Hay algo más?').fill('Pasé por allí');
    await page.getByRole('button', { name: 'Enviar la sugerencia' }).click();
    await page.getByRole('heading', { name: 'Gracias' }).waitFor();
    await system.caughtUp();
    const queue = await system.server.inject({ url: '/dash/api/v1/suggestions', headers: team.bearer });
    expect(queue.json()).toMatchObject({
      data: [
        {
          svc_id: svcId,
          by: 'visitor',
          note: 'Pasé por allí',
          changes: [
            { field: 'url', suggested: 'https://shelter.example' },
            { field: 'hours', before: 'Every evening', suggested: 'Lun-Vie 18:00-20:00' },
            {
              field: 'opening_hours',
              suggested: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '18:00', closes: '20:00' }],
            },
          ],
        },
      ],
    });
    await context.close();
  });

  test('is left quickly: nothing of it stays in the history of the window', async () => {
    const context = await chromium.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    // The neutral page is never asked for: this machine answers in its place.
    let referrer: string | undefined = 'not asked';
    await page.route('https://www.weather.gov/**', (route) => {
      referrer = route.request().headers()['referer'];
      return route.fulfill({ contentType: 'text/html', body: '<h1>Weather</h1>' });
    });
    await page.goto(`${origin}/robots.txt`);
    await page.goto(`${origin}/r/${svcId}`);
    await page.getByRole('link', { name: 'Leave this page quickly' }).click();
    await page.getByRole('heading', { name: 'Weather' }).waitFor();
    expect(referrer).toBeUndefined();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/robots.txt');
    await context.close();
  });

  test('is printed with its address, and without what is only for a screen', async () => {
    const context = await chromium.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(`${origin}/r/${svcId}`);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    for (const gone of ['Leave this page quickly', 'Report a mistake', 'Español', 'Directions', 'Sign in'])
      expect(await page.getByText(gone, { exact: false }).first().isVisible(), gone).toBe(false);
    for (const kept of ['305-555-0100', '1 Quay', 'Bring a blanket', `${origin}/r/${svcId}`])
      expect(await page.getByText(kept).filter({ visible: true }).count(), kept).toBeGreaterThan(0);
    const pdf = await page.pdf();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await context.close();
  });
});
