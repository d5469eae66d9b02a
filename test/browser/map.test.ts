import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem, type RunningSystem } from '../api/harness.ts';
import { hasChromium, launch } from './chromium.ts';
import { everyRule, objections, overflow } from './page-checks.ts';

/** A picture of one pixel. */
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!hasChromium)('the map of results in Chromium', () => {
  const asked: IncomingMessage[] = [];
  let tiles: Server;
  let chromium: Browser;
  let system: RunningSystem;
  let origin: string;
  beforeAll(async () => {
    tiles = createServer((request, response) => {
      asked.push(request);
      response.writeHead(200, { 'content-type': 'image/png' }).end(tile);
    });
    await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
    const { port } = tiles.address() as AddressInfo;
    [chromium, system] = await Promise.all([
      launch(),
      startSystem({
        environment: {
          MAP_TILES: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
          MAP_ATTRIBUTION: '© The <map> makers',
        },
      }),
    ]);
    origin = (await system.listen()).replace('127.0.0.1', 'localhost');
    const miami = { city: 'Miami', region: 'FL', country: 'US' };
    const records = [
      {
        name: 'Corner "Pantry" <b>',
        locations: [{ ...miami, street: '1 Quay', latitude: 25.77, longitude: -80.19 }],
      },
      {
        name: 'Second Pantry',
        locations: [{ ...miami, street: '2 Quay', latitude: 25.78, longitude: -80.2 }],
      },
      { name: 'Pantry of a town', locations: [{ ...miami, postal_code: '33127' }] },
      {
        name: 'Pantry of a safe house',
        locations: [
          { ...miami, street: '9 Hidden Lane', latitude: 25.1, longitude: -80.4, confidential: true },
        ],
      },
    ] as const;
    await system.resources(records.length, {
      fields: (index) => ({
        category: 'food' as const,
        ...records[index],
        locations: [...(records[index]?.locations ?? [])],
      }),
    });
  });
  afterAll(async () => {
    await chromium.close();
    await system.stop();
    tiles.closeAllConnections();
    await new Promise((resolve) => tiles.close(resolve));
  });

  const opened = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const context = await chromium.newContext({ viewport: { width: 360, height: 740 }, ...options });
    const page = await context.newPage();
    await page.goto(origin + path);
    return page;
  };

  test('asks nobody before the button is pressed, and then without saying where somebody came from', async () => {
    const page = await opened('/find?q=pantry');
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    expect(await page.locator('script[src*="leaflet"]').count()).toBe(0);
    const show = page.getByRole('button', { name: 'Show map' });
    await show.click();
    await page.locator('.map-pin').first().waitFor();
    await page.locator('.leaflet-tile-loaded').first().waitFor();
    expect(asked.length).toBeGreaterThan(0);
    expect(
      asked.filter(({ headers }) => headers.referer !== undefined || headers.cookie !== undefined),
    ).toEqual([]);
    // Those whose place is known, and no other: neither a postal code's nor a safe house.
    expect(await page.locator('.map-pin').count()).toBe(2);
    await page.getByText('2 places have no exact address and are in the list alone.').waitFor();
    await page.getByText('© The <map> makers').waitFor();
    await page.getByRole('button', { name: 'Corner "Pantry" <b>' }).press('Enter');
    const link = page.locator('.leaflet-popup a[href^="/r/"]');
    expect(await link.innerText()).toBe('Corner "Pantry" <b>');
    expect(await objections(page, everyRule)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Hide map' }).click();
    expect(await page.locator('.map').isVisible()).toBe(false);
    await link.evaluate('(element) => element.click()');
    await page.getByRole('heading', { name: 'Corner "Pantry" <b>' }).waitFor();
    await page.context().close();
  });

  test('widens the policy of its own page alone', async () => {
    const policy = async (path: string) =>
      (await fetch(origin + path)).headers.get('content-security-policy') ?? '';
    expect(await policy('/find?q=pantry')).toMatch(/img-src 'self' http:\/\/127\.0\.0\.1:\d+;/);
    for (const path of ['/', '/docs']) expect(await policy(path)).not.toContain('127.0.0.1');
  });

  test('is not there without JavaScript, and speaks the language of the page', async () => {
    const without = await opened('/find?q=pantry', { javaScriptEnabled: false });
    expect(await without.getByRole('button', { name: 'Show map' }).count()).toBe(0);
    await without.getByRole('link', { name: 'Second Pantry', exact: true }).waitFor();
    for (const [language, name] of [
      ['es', 'Mostrar mapa'],
      ['ht', 'Montre kat la'],
    ] as const) {
      const page = await opened(`/find?q=pantry&lang=${language}`);
      await page.getByRole('button', { name }).waitFor();
      await page.context().close();
    }
    await without.context().close();
  });

  test('a map that cannot be drawn leaves the list, and is tried again', async () => {
    const page = await opened('/find?q=pantry');
    await page.route('**/leaflet.js', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Show map' }).click();
    await page.getByRole('link', { name: 'Second Pantry', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Hide map' }).click();
    await page.getByRole('button', { name: 'Show map' }).click();
    await page.locator('.map-pin').first().waitFor();
    await page.context().close();
  });
});
