import type { IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widgetScriptIn } from '../../src/api/directory/widget/widget-script.ts';
import { hasChromium } from './chromium.ts';
import { colourRules, objections } from './page-checks.ts';
import {
  close,
  container,
  inside,
  pageOf,
  says,
  startWidgetSite,
  tuesday,
  type Attributes,
  type OpenedPage,
  type WidgetSite,
} from './widget-pages.ts';

const pantry = {
  name: 'Harbour Pantry',
  category: 'food' as const,
  description: 'Groceries every weekday.',
  url: 'https://pantry.example/',
  alert: 'Bring a bag',
  free: true,
  phones: [{ number: '(305) 555-0100', extension: '7' }],
  locations: [{ street: '1 Quay', city: 'Miami', region: 'FL', postal_code: '33101' }],
  opening_hours: [{ days: ['mon' as const, 'tue' as const], opens: '09:00', closes: '17:00' }],
  time_zone: 'America/New_York',
};
const kitchen = {
  name: 'Evening Kitchen',
  category: 'food' as const,
  opening_hours: [{ days: ['tue' as const, 'wed' as const], opens: '18:00', closes: '22:00' }],
  time_zone: 'America/New_York',
};

const clinic = {
  name: 'Morning Clinic',
  category: 'mental' as const,
  hours: 'Weekdays from nine to noon',
  time_zone: 'America/New_York',
};
/** Of the first one the hours were made from a source's rules. It has two places, of which the second is the nearer. */
const monthly = {
  name: 'Monthly Market',
  category: 'legal' as const,
  hours: '1st Tue of the month 09:00–12:00',
  organization: { name: 'Growers of Tampa' },
  locations: [
    { street: '1 Quay', city: 'Miami', region: 'FL', postal_code: '33101' },
    { street: '4 Bay Street', city: 'Tampa', region: 'FL', postal_code: '33602' },
  ],
};
const besideMonthly = {
  name: 'Tampa Desk',
  category: 'food' as const,
  locations: [{ street: '9 Hill Road', city: 'Tampa', region: 'FL', latitude: 27.98, longitude: -82.46 }],
};

describe.skipIf(!hasChromium)('the widget', () => {
  let site: WidgetSite;
  beforeAll(async () => {
    site = await startWidgetSite(
      53,
      (index) => [pantry, kitchen, clinic, monthly, besideMonthly][index] ?? {},
    );
  });
  afterAll(() => site.stop());

  const names = (widget: Locator) => widget.locator('.name').allInnerTexts();
  const tag = (attributes?: Attributes) => site.tag(attributes);
  const plain = (attributes?: Attributes) => pageOf(container + tag(attributes));
  const open: WidgetSite['open'] = (...given) => site.open(...given);
  /** From then on the clock of the page stands still, and goes on as a test says. */
  const stopClock = ({ page }: OpenedPage) => page.clock.pauseAt(new Date(tuesday.getTime() + 600_000));

  test('shows the first resources after the script, one preflight and one GET, without cookies', async () => {
    const asked: string[] = [];
    const note = ({ method, url, headers }: IncomingMessage) => {
      asked.push([method, url, headers.cookie, headers.referer].filter(Boolean).join(' '));
    };
    site.system.server.server.on('request', note);
    const { page, said, widget } = await open(plain());
    await says(widget, '1–20 of 53');
    site.system.server.server.off('request', note);
    expect(asked).toEqual([
      `GET /resources-widget.js ${site.origin}/`,
      `OPTIONS /api/resources?limit=20&offset=0&lang=en ${site.origin}/`,
      `GET /api/resources?limit=20&offset=0&lang=en ${site.origin}/`,
    ]);
    expect(said).toEqual([]);
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
      '',
      0,
      0,
    ]);
    await close(page);
  });

  test('sends no cookies, not even to a service of the same site', async () => {
    const { page, widget } = await open(plain());
    await page.context().addCookies([{ name: 'session', value: 'secret', url: site.base }]);
    const cookies = new Map<string, string | undefined>();
    const note = ({ method, url, headers }: IncomingMessage) => {
      cookies.set(`${method} ${url?.split('?')[0]}`, headers.cookie);
    };
    site.system.server.server.on('request', note);
    // Another port of the same host: there browsers send cookies when a script lets them.
    await page.goto(page.url().replace('localhost', '127.0.0.1'));
    await says(widget, '1–20 of 53');
    await page.goto(`${site.base}/healthz`);
    site.system.server.server.off('request', note);
    expect(cookies.get('GET /healthz')).toBe('session=secret');
    expect(cookies.has('GET /api/resources')).toBe(true);
    expect(cookies.get('GET /api/resources')).toBeUndefined();
    await close(page);
  });

  test('says of a resource what it is, whether it is open, and how to get there', async () => {
    const opened = await open(plain({ 'data-category': 'food' }));
    const { page, widget } = opened;
    const item = widget.getByRole('listitem').filter({ hasText: 'Harbour Pantry' });
    await item.waitFor();
    const links = await inside(
      opened,
      `[...root.querySelectorAll('li')].find((item) => item.textContent.includes('Harbour'))
        .querySelectorAll('a').values().map((link) => [link.textContent, link.getAttribute('href')]).toArray()`,
    );
    expect(links).toEqual([
      ['Harbour Pantry', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/r\/r_[0-9a-f]{16}$/)],
      ['(305) 555-0100 x7', 'tel:3055550100,7'],
      ['Directions', 'https://www.openstreetmap.org/directions?to=1%20Quay%2C%20Miami%2C%20FL%2033101'],
      ['Website', 'https://pantry.example/'],
    ]);
    const text = await item.innerText();
    for (const each of ['Food', 'Free', 'Bring a bag', 'Groceries every', '1 Quay, Miami, FL 33101']) {
      expect(text).toContain(each);
    }
    expect(text).toContain('Open until 5:00 pm');
    const evening = widget.getByRole('listitem').filter({ hasText: 'Evening Kitchen' });
    expect(await evening.innerText()).toContain('Closed now, opens 6:00 pm today');
    // The mark keeps up with the clock, without a request.
    await page.clock.runFor(9 * 3_600_000);
    expect(await item.innerText()).toContain('Closed now');
    expect(await evening.innerText()).toContain('Open until 10:00 pm');
    await close(page);
  });

  test('says the hours in words where nobody knows whether it is open', async () => {
    const { page, widget } = await open(plain({ 'data-category': 'mental' }));
    const item = widget.getByRole('listitem').filter({ hasText: 'Morning Clinic' });
    expect(await item.innerText()).toContain('Weekdays from nine to noon');
    await close(page);
  });

  test('searches while somebody types, one search at a time, and filters by category', async () => {
    const opened = await open(plain());
    const { page, said, widget } = opened;
    await says(widget, '1–20 of 53');
    await stopClock(opened);
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET') searches.push(new URL(request.url()).search);
    });
    await widget.getByLabel('Search').pressSequentially('harbour', { delay: 20 });
    await page.clock.runFor(249);
    expect(searches).toEqual([]);
    await page.clock.runFor(1);
    await says(widget, '1–1 of 1');
    expect(await names(widget)).toEqual(['Harbour Pantry']);
    expect(searches).toEqual(['?limit=20&offset=0&lang=en&q=harbour']);
    // Enter does not wait, and does not ask again for what is shown.
    await widget.getByLabel('Search').fill('nowherenow');
    await widget.getByLabel('Search').press('Enter');
    await says(widget, 'Nothing found. Try other words or another category.');
    await page.clock.runFor(1_000);
    await widget.getByLabel('Search').press('Enter');
    expect(searches).toHaveLength(2);
    await widget.getByLabel('Search').fill('');
    await page.clock.runFor(250);
    await says(widget, '1–20 of 53');
    await widget.getByLabel('Category').selectOption({ label: 'Mental health' });
    await says(widget, '1–13 of 13');
    expect(new URL(page.url()).search).toBe('');
    expect(said).toEqual([]);
    await close(page);
  });

  test('says the hours that were made from rules in its language', async () => {
    for (const [lang, hours] of [
      ['en', 'First Tuesday of the month: 9:00 am – 12:00 pm'],
      ['es', 'primer martes del mes: 9:00 a. m. – 12:00 p. m.'],
      ['ht', 'premye madi'],
    ] as const) {
      const { page, widget } = await open(pageOf(`<div lang="${lang}">${container}</div>${tag()}`));
      await widget.locator('input').first().fill('Monthly Market');
      const item = widget.getByRole('listitem').filter({ hasText: 'Monthly Market' });
      await item.getByText('Growers of Tampa').waitFor();
      expect((await item.innerText()).replaceAll('\u00a0', ' ').toLowerCase()).toContain(hours.toLowerCase());
      await close(page);
    }
  });

  test('shows what is near a place, the nearest first, and how far it is', async () => {
    const { page, widget, said } = await open(plain());
    await says(widget, '1–20 of 53');
    await widget.getByLabel('Near').fill('33602');
    await widget.getByLabel('Near').press('Enter');
    await expect.poll(() => names(widget)).toEqual(['Monthly Market', 'Tampa Desk']);
    const [market = '', desk = ''] = await widget.getByRole('listitem').allInnerTexts();
    expect(market).toContain('4 Bay Street, Tampa, FL 33602 · about 1 mile away');
    expect(desk).toContain('9 Hill Road, Tampa, FL · 1.8 miles away');
    await widget.getByLabel('Search').fill('desk');
    await says(widget, '1–1');
    // Leaving the field searches as well.
    await widget.getByLabel('Near').fill('Atlantis upon Sea');
    await widget.getByLabel('Search').focus();
    await says(
      widget,
      'We do not know where “Atlantis upon Sea” is: we have no address there. Try a postal code or a city close by. These results are from everywhere. 1–1 of 1',
    );
    expect(said).toEqual([]);
    await close(page);
  });

  test('begins near the place of its tag, and pages through what is near', async () => {
    const { page, widget } = await open(plain({ 'data-near': 'Tampa, FL', 'data-limit': '1' }));
    await says(widget, '1–1');
    expect([await names(widget), await widget.getByLabel('Near').inputValue()]).toEqual([
      ['Tampa Desk'],
      'Tampa, FL',
    ]);
    await widget.getByRole('button', { name: 'Next' }).click();
    await says(widget, '2–2');
    expect(await names(widget)).toEqual(['Monthly Market']);
    expect(await widget.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await widget.getByLabel('Near').fill('');
    await widget.getByLabel('Near').press('Enter');
    await says(widget, '1–1 of 53');
    await close(page);
  });

  test('forgets a search that a later one overtakes', async () => {
    const { page, widget, said } = await open(plain());
    await says(widget, '1–20 of 53');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/q=evening/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const overtaken = page.waitForEvent('requestfailed', (request) => request.url().includes('q=evening'));
    await widget.getByLabel('Search').fill('evening');
    await widget.getByLabel('Search').press('Enter');
    await widget.getByLabel('Search').fill('harbour');
    await widget.getByLabel('Search').press('Enter');
    await says(widget, '1–1 of 1');
    expect((await overtaken).failure()?.errorText).toBe('net::ERR_ABORTED');
    release();
    expect(await names(widget)).toEqual(['Harbour Pantry']);
    expect(said).toEqual([]);
    await close(page);
  });

  test('works by keyboard alone, from the search to a phone and through the pages', async () => {
    const opened = await open(plain());
    const { page, widget } = opened;
    await says(widget, '1–20 of 53');
    await stopClock(opened);
    const focused = () =>
      inside<string>(
        opened,
        `['aria-label', 'role'].map((name) => root.activeElement?.getAttribute(name)).find(Boolean) ?? root.activeElement?.textContent`,
      );
    await page.keyboard.press('Tab');
    await page.keyboard.type('harbour');
    await page.clock.runFor(250);
    await says(widget, '1–1 of 1');
    // The results change, and the search still has the focus; then a link among them has it.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/q=harbour\+pan$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.type(' pan');
    await page.clock.runFor(250);
    expect(await widget.getByLabel('Search').inputValue()).toBe('harbour pan');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Harbour Pantry');
    expect(await inside(opened, `root.querySelector('ul').ariaBusy`)).toBe('true');
    release();
    await expect.poll(() => inside(opened, `root.querySelector('ul').ariaBusy`)).toBeNull();
    expect(await focused()).toBe('Harbour Pantry');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Call (305) 555-0100 x7, Harbour Pantry');
    // Back to the search, then through the pages.
    for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await says(widget, '1–20 of 53');
    const press = async (button: string, shown: string) => {
      await widget.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
      await says(widget, shown);
      // At the range, above the results: nothing is lost where a button is gone.
      expect(await focused()).toBe('status');
    };
    await press('Next', '21–40 of 53');
    await press('Next', '41–53 of 53');
    expect(await widget.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await press('Previous', '21–40 of 53');
    await close(page);
  });

  test('keeps letters that somebody types from the shortcuts of the page, and nothing else', async () => {
    const shortcuts = `<script>window.pressed = []; addEventListener('keydown', ({ key }) => pressed.push(key));</script>`;
    const { page, widget } = await open(pageOf(shortcuts + container + tag()));
    await widget.getByLabel('Search').pressSequentially('s/');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('pressed')).toEqual(['Escape']);
    await close(page);
  });

  test('shows two on one page, each as its tag asks', async () => {
    const { page, said } = await open(
      pageOf(
        `<div id="one"></div><div id="two" lang="es-MX"></div>` +
          tag({ 'data-target': 'one', 'data-category': 'food', 'data-limit': '5' }) +
          tag({ 'data-target': 'two', 'data-theme': 'dark', 'data-limit': '1000' }),
      ),
    );
    const [one, two] = [
      page.locator('#one').getByRole('region', { name: 'Food' }),
      page.locator('#two').getByRole('region', { name: 'Recursos de la comunidad' }),
    ];
    await says(one, '1–5 of 15');
    await says(two, '1–53 de 53');
    expect(await one.getByLabel('Category').count()).toBe(0);
    expect(await two.getByLabel('Categoría').count()).toBe(1);
    expect(await one.getAttribute('lang')).toBe('en');
    expect(await two.getAttribute('lang')).toBe('es');
    const colours = `[...document.querySelectorAll('resources-widget')].map(({ shadowRoot }) =>
      getComputedStyle(shadowRoot.querySelector('section')).backgroundColor)`;
    expect(await page.evaluate(colours)).toEqual(['rgb(255, 255, 255)', 'rgb(24, 31, 28)']);
    expect(said).toEqual([]);
    await close(page);
  });

  test('appears wherever its script stands', async () => {
    const inserted = `<script>
      const script = document.createElement('script');
      Object.assign(script.dataset, { key: '${/data-key="([^"]+)"/.exec(tag())?.[1] ?? ''}' });
      script.src = '${site.base}/resources-widget.js';
      document.head.append(script);
    </script>`;
    for (const html of [
      tag() + container,
      tag({ async: '' }) + container,
      tag({ defer: '' }) + container,
      container + inserted,
    ]) {
      const { page, said, widget } = await open(pageOf(html));
      await says(widget, '1–20 of 53');
      expect(said, html).toEqual([]);
      await close(page);
    }
  });

  test('appears when its container does, in the place of what stands there', async () => {
    const { page, said, widget } = await open(pageOf(`<p>Loading the directory</p>${tag()}`));
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toContain('There is no element with the id "service-resources"');
    await page.evaluate('document.querySelector("p").id = "service-resources"');
    await says(widget, '1–20 of 53');
    expect(await page.locator('p').getByText('Loading the directory').count()).toBe(0);
    expect(said).toHaveLength(1);
    await close(page);
  });

  test('renders nothing without its container, or twice in one, and says why in the console', async () => {
    const missing = await open(pageOf(tag({ 'data-target': 'nowhere' })));
    await expect.poll(() => missing.said).toHaveLength(1);
    expect(missing.said[0]).toContain('There is no element with the id "nowhere"');
    expect(await missing.page.locator('resources-widget').count()).toBe(0);
    await close(missing.page);
    const twice = await open(pageOf(container + tag() + tag()));
    await says(twice.widget, '1–20 of 53');
    expect(twice.said).toEqual([
      'resources-widget: #service-resources has a widget already: give each script a data-target of its own.',
    ]);
    expect(await twice.page.locator('resources-widget').count()).toBe(1);
    await close(twice.page);
    const module = await open(pageOf(container + tag({ type: 'module' })));
    await expect.poll(() => module.said).toHaveLength(1);
    expect(module.said[0]).toContain('without type="module"');
    await close(module.page);
  });

  describe('as it is documented', () => {
    const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const key = () => /data-key="([^"]+)"/.exec(tag())?.[1] ?? '';
    const filled = (html: string) =>
      html
        .replaceAll(/https:\/\/directory\.example|http:\/\/localhost:3000/g, site.base)
        .replaceAll('api_pk_…', key());
    const snippet = () => filled(/```html\n([\s\S]*?)```/.exec(textOf('docs/widget.md'))?.[1] ?? '');

    test('shows the directory by the snippet of docs/widget.md, and a link to it without JavaScript', async () => {
      const { page, widget, said } = await open(pageOf(snippet()));
      await says(widget, '1–20 of 53');
      expect(said).toEqual([]);
      await close(page);
      const without = await open(pageOf(snippet()), { javaScriptEnabled: false });
      const link = without.page.getByRole('link', { name: 'Find help in the directory' });
      expect(await link.getAttribute('href')).toBe(`${site.base}/`);
      await close(without.page);
    });

    test('shows both widgets of examples/widget', async () => {
      const { page, said } = await open(filled(textOf('examples/widget/index.html')));
      await says(page.getByRole('region', { name: 'Community resources' }), '1–20 of 53');
      await says(page.getByRole('region', { name: 'Comida' }), '1–5 de 15');
      // The page has no icon.
      expect(said.filter((text) => text.startsWith('resources-widget'))).toEqual([]);
      await close(page);
    });
  });

  describe('on a page that swaps its container', () => {
    /** What is asked of the service for lists. */
    const counted = () => {
      const asked: string[] = [];
      const note = ({ method, url = '' }: IncomingMessage) => {
        if (method === 'GET' && url.startsWith('/api/resources')) asked.push(url);
      };
      site.system.server.server.on('request', note);
      return { asked, end: () => site.system.server.server.off('request', note) };
    };
    const swap = (page: OpenedPage['page']) =>
      page.evaluate(`document.querySelector('#service-resources').outerHTML = '${container}'`);

    test('fills each new one, with one request each, and leaves nothing running in the old ones', async () => {
      const { asked, end } = counted();
      const { page, said, widget } = await open(plain());
      await says(widget, '1–20 of 53');
      for (let count = 2; count <= 4; count++) {
        await swap(page);
        await says(widget, '1–20 of 53');
        await expect.poll(() => asked.length).toBe(count);
      }
      // Emptied by the page, and taken away for a while.
      await page.evaluate(`document.querySelector('#service-resources').replaceChildren()`);
      await says(widget, '1–20 of 53');
      await page.evaluate(
        `held = document.querySelector('#service-resources'); held.remove(); setTimeout(() => document.body.append(held), 10)`,
      );
      await page.clock.runFor(20);
      await says(widget, '1–20 of 53');
      await widget.getByLabel('Search').fill('harbour');
      await page.clock.runFor(250);
      await says(widget, '1–1 of 1');
      expect(asked).toHaveLength(6);
      expect(await page.locator('resources-widget').count()).toBe(1);
      expect(said).toEqual([]);
      end();
      await close(page);
    });

    test('keeps what stands in it when the page moves it, and asks nothing anew', async () => {
      const { asked, end } = counted();
      const { page, widget } = await open(pageOf(`${container}<main></main>${tag()}`));
      await says(widget, '1–20 of 53');
      await widget.getByLabel('Search').fill('harbour');
      await page.clock.runFor(250);
      await says(widget, '1–1 of 1');
      await page.evaluate(
        `document.querySelector('main').append(document.querySelector('#service-resources'))`,
      );
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
      expect(await widget.getByLabel('Search').inputValue()).toBe('harbour');
      expect(asked).toHaveLength(2);
      end();
      await close(page);
    });

    test('leaves the next one to the script that comes with it', async () => {
      const { asked, end } = counted();
      const { page, said, widget } = await open(pageOf(`<main>${container}${tag()}</main>`));
      await says(widget, '1–20 of 53');
      await page.evaluate(`(() => {
        const main = document.querySelector('main');
        const { src, dataset } = main.querySelector('script');
        main.innerHTML = '${container}';
        const script = Object.assign(document.createElement('script'), { src });
        Object.assign(script.dataset, dataset, { limit: '1' });
        main.append(script);
      })()`);
      await says(widget, '1–1 of 53');
      expect(asked).toHaveLength(2);
      expect(said).toEqual([]);
      end();
      await close(page);
    });

    test('is filled in the language of the page, and from a copy without what was in it', async () => {
      const { page, said, widget } = await open(pageOf(`<main>${container}</main>${tag()}`, { lang: 'es' }));
      await says(widget, '1–20 de 53');
      await page.evaluate(
        `document.querySelector('main').innerHTML = '<div id="service-resources"><resources-widget></resources-widget></div>'`,
      );
      await says(widget, '1–20 de 53');
      expect(said).toEqual([]);
      await close(page);
    });
  });

  test('shows what is near coordinates, with distances in words, and of a team its records alone', async () => {
    await site.system.team('pier');
    const made = await site.system.resources(2, {
      team: 'pier',
      fields: (index) => ({
        name: `Pier Kitchen ${index}`,
        category: 'goods',
        locations: [{ city: 'Tampa', region: 'FL', latitude: 27.95 + index / 50, longitude: -82.46 }],
      }),
    });
    await site.system.caughtUp();
    const { page, said, widget } = await open(plain({ 'data-team': 'pier', 'data-near': '27.95,-82.46' }));
    await says(widget, '1–2');
    expect(await names(widget)).toEqual(['Pier Kitchen 0', 'Pier Kitchen 1']);
    expect(await widget.getByRole('listitem').last().innerText()).toMatch(/\d (mi|km)/);
    expect(said).toEqual([]);
    for (const id of made) await site.system.command(id, { kind: 'deactivate' });
    await close(page);
  });

  describe('with colours of its own', () => {
    const colours = (opened: OpenedPage) =>
      inside<Record<string, string>>(
        opened,
        `Object.fromEntries(['color', 'background-color'].map((name) => [name, getComputedStyle(root.querySelector('section')).getPropertyValue(name)])
          .concat([['link', getComputedStyle(root.querySelector('.name a')).color], ['theme', root.querySelector('section').className]]))`,
      );
    const tinted = (attributes: Attributes, address = '/resources-widget.js?colours') =>
      pageOf(container + tag(attributes).replace('/resources-widget.js', address));

    test('shows them as they are where they can be read, and axe agrees', async () => {
      const opened = await open(
        tinted({ 'data-background': '#fff8ee', 'data-text': '#222', 'data-accent': '#7A2E00' }),
      );
      await says(opened.widget, '1–20 of');
      expect(await colours(opened)).toEqual({
        color: 'rgb(34, 34, 34)',
        'background-color': 'rgb(255, 248, 238)',
        link: 'rgb(122, 46, 0)',
        theme: 'light',
      });
      expect(opened.said).toEqual([]);
      expect(await objections(opened.page, colourRules)).toEqual([]);
      await close(opened.page);
    });

    test.each([
      { 'data-accent': '#ffee00' },
      { 'data-background': '#777777' },
      { 'data-background': '#102040', 'data-accent': '#203060' },
      { 'data-background': '#ffff00', 'data-text': '#ffffff', 'data-accent': '#ff0000' },
      { 'data-theme': 'dark', 'data-accent': '#14583f' },
    ])(
      'corrects what cannot be read, tells the owner of the page, and axe agrees: %o',
      async (attributes) => {
        const opened = await open(tinted(attributes));
        await says(opened.widget, '1–20 of');
        expect(await objections(opened.page, colourRules)).toEqual([]);
        const wanted = Object.keys(attributes).filter((name) => /accent|text/.test(name)).length;
        expect(opened.said.filter((text) => text.includes('cannot be read on'))).toHaveLength(wanted);
        await close(opened.page);
      },
    );

    test('refuses what is no colour, and loads the script that knows colours where the snippet names the plain one', async () => {
      const opened = await open(
        tinted({ 'data-background': 'url(x)', 'data-accent': '#123456' }, '/resources-widget.js'),
      );
      await says(opened.widget, '1–20 of');
      expect(await colours(opened)).toMatchObject({
        link: 'rgb(18, 52, 86)',
        'background-color': 'rgb(255, 255, 255)',
      });
      expect(opened.said).toEqual([expect.stringContaining('data-background="url(x)" is no colour')]);
      await close(opened.page);
    });
  });

  describe('under the policy of docs/widget.md', () => {
    const guide = readFileSync(new URL('../../docs/widget.md', import.meta.url), 'utf8');
    const documented = /```\n(script-src [^\n]*)\n```/.exec(guide)?.[1] ?? '';
    const policy = () => documented.replaceAll('http://localhost:3000', site.base);

    test('works, and the page reports no violation, with trusted types and COEP too', async () => {
      expect(documented).toMatch(/^script-src \S+; connect-src \S+$/);
      const opened = await open(plain(), {
        headers: {
          'content-security-policy': `default-src 'none'; img-src data:; ${policy()}; require-trusted-types-for 'script'; trusted-types 'none'`,
          'cross-origin-embedder-policy': 'require-corp',
        },
      });
      const { page, said, widget } = opened;
      await says(widget, '1–20 of 53');
      await widget.getByLabel('Search').fill('harbour');
      await page.clock.runFor(250);
      await says(widget, '1–1 of 1');
      expect(await page.evaluate('violations')).toEqual([]);
      expect(said).toEqual([]);
      const height = await inside(opened, `root.querySelector('input').offsetHeight`);
      expect(height, 'it has its style').toBeGreaterThanOrEqual(44);
      await close(page);
    });

    test('has a violation reported when a directive is missing: the test sees them', async () => {
      const { page, widget } = await open(plain(), {
        headers: {
          'content-security-policy': `default-src 'none'; img-src data:; ${policy().split(';')[0] ?? ''}`,
        },
      });
      await says(widget, 'The directory cannot be reached.');
      expect(await page.evaluate('violations')).toEqual([expect.stringContaining('connect-src')]);
      await close(page);
    });

    test('works pinned by its version and integrity', async () => {
      const { versionedPath: versionedWidgetPath, integrity: widgetIntegrity } = widgetScriptIn('en');
      const pinned = (integrity: string) =>
        pageOf(
          container +
            tag({ integrity, crossorigin: 'anonymous' }).replace('/resources-widget.js', versionedWidgetPath),
        );
      const { page, said, widget } = await open(pinned(widgetIntegrity));
      await says(widget, '1–20 of 53');
      expect(said).toEqual([]);
      await close(page);
      const altered = await open(pinned(`sha384-${'A'.repeat(64)}`));
      await expect.poll(() => altered.said.join()).toContain('integrity');
      expect(await altered.widget.count()).toBe(0);
      await close(altered.page);
    });
  });
});
