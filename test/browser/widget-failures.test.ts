import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { widgetScriptIn } from '../../src/api/directory/widget/widget-script.ts';
import { hasChromium } from './chromium.ts';
import {
  close,
  container,
  inside,
  listening,
  pageOf,
  says,
  scriptTag,
  startWidgetSite,
  type Attributes,
  type WidgetSite,
} from './widget-pages.ts';

const refused = 'The directory cannot be shown on this page. You can open the directory itself.';

describe.skipIf(!hasChromium)('where something is wrong, the widget', () => {
  let site: WidgetSite;
  beforeAll(async () => {
    site = await startWidgetSite(3);
  });
  afterEach(() => site.proxy.open());
  afterAll(() => site.stop());

  const open = (attributes?: Attributes) => site.open(pageOf(container + site.tag(attributes)));
  /** What the widget says to the owner of the page. A browser also reports answers of 4xx. */
  const complaints = (said: readonly string[]) =>
    said.flatMap((text) => (text.startsWith('resources-widget: ') ? [text.slice(18)] : []));

  describe('because of the key', () => {
    test('says what it is to the owner of the page, and to visitors where else to go', async () => {
      const { system } = site;
      const { key: elsewhere } = await system.key({ domains: ['library.example'] });
      const { key: unscoped } = await system.key({ scopes: ['resources:submit'] });
      const { key: revoked, keyId } = await system.key();
      await system.revoke(keyId);
      const cases = [
        ['rubbish', '401 Invalid or inactive API key. Check data-key.'],
        [revoked, '401 Invalid or inactive API key. Check data-key.'],
        ['api_pk_…', 'data-key is no API key.'],
        [' ', 'data-key is missing: it takes an API key.'],
        [elsewhere, '403 Domain not authorized for this API key. Add localhost to the domains of the key.'],
        [unscoped, '403 This API key lacks the scope resources:read.'],
      ] as const;
      const html = cases.map(
        ([key], index) =>
          `<div id="w${index}"></div>${site.tag({ 'data-key': key, 'data-target': `w${index}` })}`,
      );
      const { page, said } = await site.open(pageOf(html.join('')));
      for (const [index] of cases.entries()) {
        const widget = page.locator(`#w${index}`);
        await says(widget, refused);
        const directory = widget.getByRole('link', { name: 'Go to the directory' });
        expect(await directory.getAttribute('href')).toBe(`${site.base}/`);
        expect(await widget.getByRole('button').count()).toBe(0);
        expect(await widget.getByLabel('Search').isVisible(), 'there is nothing to search').toBe(false);
      }
      expect(complaints(said).sort()).toEqual(cases.map(([, complaint]) => complaint).sort());
      await close(page);
    });

    test('works from the site that a restricted key names', async () => {
      const { key } = await site.system.key({ domains: ['localhost'], scopes: ['resources:read'] });
      const { page, said, widget } = await open({ 'data-key': key });
      await says(widget, '1–3 of 3');
      expect(said).toEqual([]);
      await close(page);
    });

    test('works with a restricted key on a page that tells nobody where people come from', async () => {
      const { key } = await site.system.key({ domains: ['localhost'], scopes: ['resources:read'] });
      const { page, widget } = await site.open(pageOf(container + site.tag({ 'data-key': key })), {
        headers: { 'referrer-policy': 'no-referrer' },
      });
      await says(widget, '1–3 of 3');
      await close(page);
    });
  });

  test('lets people try again when the service is away, and goes on where they were', async () => {
    const opened = await open({ 'data-limit': '2' });
    const { page, said, widget } = opened;
    await says(widget, '1–2 of 3');
    site.proxy.cut();
    await widget.getByRole('button', { name: 'Next' }).click();
    const away = 'The directory cannot be reached. Check your connection and try again.';
    await says(widget, away);
    expect(complaints(said)).toHaveLength(1);
    expect(complaints(said)[0]).toContain('/api/resources cannot be reached');
    const retry = widget.getByRole('button', { name: 'Try again' });
    // By keyboard: the button that had the focus is gone.
    await page.keyboard.press('Tab');
    expect(await inside(opened, 'root.activeElement.textContent')).toBe('Try again');
    await page.keyboard.press('Enter');
    await expect.poll(() => complaints(said)).toHaveLength(2);
    await says(widget, away);
    site.proxy.open();
    await retry.click();
    await says(widget, '3–3 of 3');
    expect(await retry.isVisible()).toBe(false);
    expect(await inside(opened, 'root.activeElement.role')).toBe('status');
    await close(page);
  });

  test('does not wait for ever for an answer', async () => {
    const { page, widget } = await open({ 'data-limit': '2' });
    await says(widget, '1–2 of 3');
    site.proxy.hang();
    await widget.getByRole('button', { name: 'Next' }).click();
    await page.clock.runFor(1_000);
    await says(widget, 'Loading…');
    await page.clock.runFor(30_000);
    await says(widget, 'The directory cannot be reached.');
    site.proxy.open();
    // A search tries again too, from the beginning.
    await widget.getByLabel('Search').press('Enter');
    await says(widget, '1–2 of 3');
    await close(page);
  });

  test('goes back to the beginning when the page that it asks for is no longer there', async () => {
    const [one] = await site.system.resources(1, { fields: () => ({ category: 'legal' }) });
    const [two] = await site.system.resources(1, { fields: () => ({ category: 'legal' }) });
    const { page, widget } = await open({ 'data-limit': '1', 'data-category': 'legal' });
    await says(widget, '1–1 of 2');
    await site.system.command(two ?? '', { kind: 'deactivate' });
    await widget.getByRole('button', { name: 'Next' }).click();
    await says(widget, '1–1 of 1');
    await site.system.command(one ?? '', { kind: 'deactivate' });
    await page.reload();
    await says(widget, 'There is nothing here yet.');
    await close(page);
  });

  test('says that a directory has switched it off', async () => {
    const gone = await site.system.another({
      now: () => new Date('2030-01-01T00:00:00Z'),
      environment: { LEGACY_AFTER_SUNSET: 'gone' },
    });
    const base = await gone.listen({ host: '127.0.0.1', port: 0 });
    const { page, said, widget } = await site.open(
      pageOf(container + scriptTag(base, { 'data-key': 'api_pk_1' })),
    );
    await says(widget, 'The directory is no longer shown on this page.');
    expect(complaints(said)[0]).toContain('This directory has switched its widget off.');
    await close(page);
  });

  describe('from a server that is not as it should be', () => {
    let answer: (response: ServerResponse) => void = () => undefined;
    let server: Awaited<ReturnType<typeof listening>>;
    beforeAll(async () => {
      server = await listening((request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', 'x-api-key');
        if (request.method === 'OPTIONS') response.end();
        else if (request.url === '/resources-widget.js') response.end(widgetScriptIn('en').body);
        else answer(response);
      });
    });
    afterAll(() => server.close());

    const openFrom = (answered: typeof answer) => {
      answer = answered;
      const base = `http://127.0.0.1:${server.port}`;
      return site.open(pageOf(container + scriptTag(base, { 'data-key': 'api_pk_1' })));
    };

    test('says in words what happened, with a button to try again', async () => {
      const cases = [
        [429, '{"error":"slow down"}', 'Too many people are asking', '429 slow down.'],
        [503, '{"error":"The service is starting"}', 'does not answer', '503 The service is starting.'],
        [200, '<h1>Sign in to the wifi</h1>', 'cannot be shown', 'The answer is not a list of resources.'],
        [500, '<h1>Bad gateway</h1>', 'does not answer', '500.'],
        [200, '{"data":', 'cannot be shown', 'The answer is not a list of resources.'],
        [404, '', 'does not answer', '404.'],
        [200, '{"data":{}}', 'cannot be shown', 'The answer is not a list of resources.'],
        [429, 'null', 'Too many people are asking', '429.'],
        [200, 'null', 'cannot be shown', 'The answer is not a list of resources.'],
      ] as const;
      const { page, said, widget } = await openFrom((response) => response.writeHead(500).end());
      await says(widget, 'does not answer');
      const expected = ['500.'];
      for (const [status, body, words, complaint] of cases) {
        answer = (response) => response.writeHead(status).end(body);
        await widget.getByRole('button', { name: 'Try again' }).click();
        await says(widget, words);
        expected.push(complaint);
        await expect.poll(() => complaints(said)).toEqual(expected);
      }
      answer = (response) => response.end('{"data":[],"has_more":false,"total":0}');
      await widget.getByRole('button', { name: 'Try again' }).click();
      await says(widget, 'There is nothing here yet.');
      await close(page);
    });

    test('shows hostile records as text, and links to nothing but the web, phones and maps', async () => {
      const script = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';
      const record = {
        svc_id: '../../evil?"><b>',
        name: script,
        category: script,
        description: `${script}\u202e`,
        alert: script,
        hours: script,
        url: 'javascript:window.hacked=1',
        phones: [{ number: 'javascript:window.hacked=1//305-555-0100', extension: '"><b>' }],
        locations: [{ street: `"><script>${script}`, city: script, latitude: 'javascript:1', longitude: 1 }],
      };
      const opened = await openFrom((response) =>
        response.end(JSON.stringify({ data: [record, {}], has_more: true })),
      );
      const { page, said, widget } = opened;
      // Without a total there is none to show.
      await says(widget, /^1–2$/);
      const links = await inside(
        opened,
        `[...root.querySelector('li').querySelectorAll('a')].map((link) => link.href)`,
      );
      expect(links).toEqual([
        `http://127.0.0.1:${server.port}/r/..%2F..%2Fevil%3F%22%3E%3Cb%3E`,
        'tel:3055550100',
        'https://www.openstreetmap.org/directions?to=javascript%3A1%2C1',
      ]);
      expect(await widget.locator('.name').first().innerText()).toBe(script);
      expect(await widget.locator('img, script').count()).toBe(0);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(said).toEqual([]);
      await close(page);
    });
  });
});
