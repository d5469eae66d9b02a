import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium } from './chromium.ts';
import {
  close,
  container,
  inside,
  pageOf,
  says,
  startWidgetSite,
  type OpenedPage,
  type WidgetSite,
} from './widget-pages.ts';

const long = {
  name: `Harbour${'x'.repeat(200)}`,
  category: 'food' as const,
  description: 'Groceries every weekday. '.repeat(40),
  url: 'https://pantry.example/',
  alert: 'Closed on Friday',
  free: true,
  phones: [{ number: '(305) 555-0100 (ask for the person who is there in the evening)', extension: '7' }],
  locations: [{ street: `1 ${'Quay'.repeat(40)}`, city: 'Miami', region: 'FL', postal_code: '33101' }],
  opening_hours: [{ days: ['mon' as const, 'tue' as const], opens: '09:00', closes: '17:00' }],
  time_zone: 'America/New_York',
};

type Styles = readonly (readonly [name: string, Readonly<Record<string, string>>])[];

/** The computed styles of the host element and of all that is in it. */
const stylesInside = (opened: OpenedPage) =>
  inside<Styles>(
    opened,
    `[root.host, ...root.querySelectorAll('*')].map((element) => {
      const style = getComputedStyle(element);
      const before = getComputedStyle(element, '::before');
      const all = [...style].map((name) => [name, style.getPropertyValue(name)]);
      return [
        element.localName + '.' + element.className,
        Object.fromEntries([['::before', [before.content, before.display].join(' ')], ...all]),
      ];
    })`,
  );

/** What a script can see of the page around the widget. Only the elements that hold it may grow. */
const pageOutside = (page: Page) =>
  page.evaluate<Readonly<Record<string, unknown>>>(
    `(() => {
      const holder = document.querySelector('#service-resources');
      const grows = /^(height|block-size|perspective-origin|transform-origin)$/;
      return {
        styles: [...document.querySelectorAll('*')]
          .filter((element) => !element.closest('resources-widget'))
          .map((element) => {
            const style = getComputedStyle(element);
            const names = [...style].filter((name) => !(element.contains(holder) && grows.test(name)));
            return [element.localName, names.map((name) => [name, style.getPropertyValue(name)].join(': '))];
          }),
        sheets: [document.styleSheets.length, document.adoptedStyleSheets.length],
        head: document.head.innerHTML,
        globals: Object.getOwnPropertyNames(window).sort(),
        address: location.pathname.length + location.search + location.hash,
        history: history.length,
      };
    })()`,
  );

describe.skipIf(!hasChromium)('the widget on the pages of others', () => {
  let site: WidgetSite;
  beforeAll(async () => {
    site = await startWidgetSite(12, (index) => (index === 0 ? long : {}));
  });
  afterAll(() => site.stop());

  test.each([
    ['unsets everything', '* { all: unset !important; font-size: 3px !important }'],
    [
      'gives everything a style',
      `* { letter-spacing: 9px !important; color: red !important; float: right !important; position: fixed !important;
        opacity: 0.1 !important; transform: rotate(9deg) !important; animation: turn 1s infinite !important;
        transition: all 9s !important; pointer-events: none !important; width: 10px !important; margin: 99px !important }
      @keyframes turn { to { color: blue } }
      html, body, #service-resources { all: unset !important; display: block !important }
      *::before, *::after { content: 'hostile' !important; display: block !important }`,
    ],
    [
      'has a style to inherit',
      `html { font: italic small-caps 700 40px/3 cursive !important; letter-spacing: 9px; word-spacing: 9px; color: red;
        text-transform: uppercase; text-align: right; text-indent: 50px; text-shadow: 1px 1px red; white-space: pre; cursor: wait;
        direction: rtl; writing-mode: horizontal-tb; list-style: square; quotes: none; hyphens: auto; user-select: none;
        --paper: red; --ink: red; --quiet: red; --line: red; --edge: red; --accent: red; --soft: red; --warn: red; --focus: red }`,
    ],
    [
      'names its parts',
      `resources-widget, section, form, label, input, select, ul, li, a, button, .name, .marks, .open, .status, .links, .pages {
        display: none !important; color: red !important; font-size: 99px !important; --accent: red !important }
      :root { font-size: 99px !important }`,
    ],
  ])('looks as it should where the page %s', async (_, style) => {
    const expected = await (undisturbed ??= shown(''));
    expect(expected.length).toBeGreaterThan(50);
    const found = await shown(style);
    const differences = expected.flatMap(([name, values], index) => {
      const [there, hostile] = found[index] ?? ['', {}];
      expect(there).toBe(name);
      return Object.entries(values).flatMap(([property, value]) =>
        hostile[property] === value ? [] : [`${name} ${property}: ${hostile[property] ?? ''}, not ${value}`],
      );
    });
    expect(found.length).toBe(expected.length);
    expect(differences).toEqual([]);
  });

  let undisturbed: Promise<Styles> | undefined;
  async function shown(style: string): Promise<Styles> {
    const head = `<style>body { margin: 0 } ${style}</style>`;
    const opened = await site.open(pageOf(container + site.tag({ 'data-limit': '4' }), { head }));
    await says(opened.widget, '1–4 of 12');
    const styles = await stylesInside(opened);
    expect(opened.said).toEqual([]);
    await close(opened.page);
    return styles;
  }

  test('leaves the page as it is: every computed style, the head, the globals, the address', async () => {
    const around = `<main><h1>Page</h1><section class="dark"><p class="name status open">Text <a href="#">link</a></p>
      <form><label>Label <input type="search"><select><option>One</option></select></label><button class="button">Go</button></form>
      <ul role="list"><li>Item</li></ul></section>${container}<p hidden>After</p></main>`;
    const style = '<style>h1 { font: 30px serif } .open { color: red } ul { list-style: square }</style>';
    const outside = async (script: string) => {
      const { page, widget } = await site.open(pageOf(around + script, { head: style }));
      if (script.includes('text/plain')) expect(await widget.count()).toBe(0);
      else await says(widget, '1–12 of 12');
      const found = await pageOutside(page);
      await close(page);
      return found;
    };
    const without = await outside(site.tag({ type: 'text/plain' }));
    expect(await outside(site.tag({ type: 'text/javascript' }))).toEqual(without);
  });

  describe('at every size, in both themes and languages', () => {
    const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const inspect = async (page: Page, at: string) => {
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate<axe.AxeResults>(
        `axe.run(document, ${JSON.stringify({ runOnly: everyRule })})`,
      );
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        at,
      ).toEqual([]);
      // It looked inside.
      const seen = passes.flatMap(({ nodes }) => nodes.map(({ html }) => html));
      expect(seen.some((html) => html.includes('role="status"'))).toBe(true);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${at} is wider than the window`).toBeLessThanOrEqual(0);
    };

    test.each([
      ['en', 'light', 360],
      ['es', 'dark', 360],
      ['es', 'light', 1440],
      ['en', 'dark', 1440],
    ] as const)(
      'in %s, %s, at %i px: nothing that axe objects to, and it fits',
      async (lang, theme, width) => {
        const at = `${lang} ${theme} at ${width} px`;
        const { page, widget, said } = await site.open(
          pageOf(
            `<main><h1>A page</h1>${container}<div id="second"></div></main>` +
              site.tag({ 'data-theme': theme, 'data-limit': '5' }) +
              site.tag({ 'data-theme': theme, 'data-target': 'second' }),
            { lang },
          ),
          { viewport: { width, height: 800 } },
        );
        const words =
          lang === 'es'
            ? {
                first: '1–5 de 12',
                search: 'Buscar',
                nothing: 'No se encontró nada',
                away: 'No se puede conectar',
              }
            : { first: '1–5 of 12', search: 'Search', nothing: 'Nothing found', away: 'cannot be reached' };
        await says(widget, words.first);
        await says(page.locator('#second'), lang === 'es' ? '1–12 de 12' : '1–12 of 12');
        await inspect(page, at);
        requirePlainWords(await widget.innerText(), at);
        await widget.getByLabel(words.search).fill('harbourxx');
        await widget.getByLabel(words.search).press('Enter');
        await says(widget, /1–1/);
        await inspect(page, `${at}, one`);
        expect(await widget.getByRole('listitem').innerText()).toContain(
          lang === 'es' ? 'Abierto hasta las 5:00 p. m.' : 'Open until 5:00 pm',
        );
        await widget.getByLabel(words.search).fill('nowherenow');
        await widget.getByLabel(words.search).press('Enter');
        await says(widget, words.nothing);
        await inspect(page, `${at}, nothing found`);
        expect(said).toEqual([]);
        site.proxy.cut();
        await widget.getByLabel(words.search).fill('');
        await widget.getByLabel(words.search).press('Enter');
        await says(widget, words.away);
        site.proxy.open();
        await inspect(page, `${at}, away`);
        requirePlainWords(await widget.innerText(), at);
        await close(page);
      },
    );
  });
});
