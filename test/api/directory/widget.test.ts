import { hash } from 'node:crypto';
import { Script, runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widgetPath, widgetScripts } from '../../../src/api/directory/widget/widget-script.ts';
import { widgetTextsIn } from '../../../src/api/directory/widget/widget-texts.ts';
import { languages } from '../../../src/api/pages/frame/language.ts';
import { categories } from '../../../src/events/directory/category.ts';
import { startSystem, type RunningSystem } from '../harness.ts';
import { get } from './read.ts';

const textsOf = (language: string): Readonly<Record<string, unknown>> =>
  runInNewContext(`(${widgetTextsIn(language)})`) as Readonly<Record<string, unknown>>;
Object.assign(globalThis, { widgetTexts: textsOf('en'), widgetLanguage: 'en', widgetLanguages: languages });
const [english] = widgetScripts;
if (!english) throw new Error('There is a script in English.');
const { body: widgetScript, versionedPath: versionedWidgetPath, integrity: widgetIntegrity } = english;
/** The parts are browser scripts without types. */
const part = async <Exports>(name: string): Promise<Exports> =>
  (await import(
    new URL(`../../../src/api/directory/widget/script-${name}.js`, import.meta.url).href
  )) as Exports;

describe('/resources-widget.js', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  test('is a script that pages of every origin may load, for an hour without asking', async () => {
    const answer = await get(system.server, widgetPath);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(widgetScript);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'content-location': versionedWidgetPath,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('is not sent again to who has it', async () => {
    const first = await get(system.server, widgetPath);
    const again = await get(system.server, `${widgetPath}?v=7`, {
      'if-none-match': String(first.headers.etag),
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers['cache-control']).toBe('public, max-age=3600');
    expect((await get(system.server, widgetPath, { 'if-none-match': '"another"' })).statusCode).toBe(200);
  });

  test('is under 10 kB compressed, and compressed for who accepts it', async () => {
    for (const { body, colours } of widgetScripts)
      expect(gzipSync(body).length).toBeLessThan(colours ? 11_000 : 10_000);
    for (const encoding of ['gzip', 'br', 'gzip']) {
      const answer = await get(system.server, widgetPath, { 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.rawPayload.length).toBeLessThan(10_000);
    }
  });

  test('has a versioned address that may be cached for ever and checked by integrity', async () => {
    const answer = await get(system.server, versionedWidgetPath);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(widgetIntegrity).toBe(`sha384-${hash('sha384', answer.rawPayload, 'base64')}`);
  });

  test('of another release leads to the one that there is', async () => {
    for (const path of ['/resources-widget-abcdefghijkl.js', '/resources-widget-abcdefghijkl.js?v=1']) {
      const answer = await get(system.server, path);
      expect([answer.statusCode, answer.headers.location]).toEqual([307, widgetPath]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
    expect((await get(system.server, '/resources-widget-.js')).statusCode).toBe(404);
    expect((await get(system.server, '/resources-widget-a/b.js')).statusCode).toBe(404);
  });

  test('takes GET and HEAD alone', async () => {
    for (const path of [widgetPath, versionedWidgetPath]) {
      const ask = (method: string) => system.server.inject({ method: method as 'GET', url: path });
      const head = await ask('HEAD');
      expect([head.statusCode, head.body]).toEqual([200, '']);
      expect(head.headers.etag).toBe((await get(system.server, path)).headers.etag);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await ask(method);
        expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
      }
    }
  });
});

describe('the script', () => {
  test('is one classic script, and has nothing in it that a page with trusted types would refuse', () => {
    expect(() => new Script(widgetScript)).not.toThrow();
    expect(widgetScript).not.toMatch(/^\s*(import|export)\b/m);
    expect(widgetScript).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
  });

  test('says the same things in each language, and knows every category', () => {
    const inEnglish = textsOf('en');
    for (const language of languages) {
      const texts = textsOf(language);
      expect(Object.keys(texts)).toEqual(Object.keys(inEnglish));
      expect(Object.keys(texts['categories'] as object)).toEqual(categories);
    }
  });

  test('carries one language, which its address chooses', async () => {
    const system = await startSystem();
    const said = { en: 'Community resources', es: 'Recursos de la comunidad', ht: 'Resous kominote a' };
    for (const [language, title] of Object.entries(said)) {
      const { body, headers } = await get(system.server, `${widgetPath}?lang=${language}`);
      expect(Object.values(said).filter((each) => body.includes(each))).toEqual([title]);
      const pinned = await get(system.server, String(headers['content-location']));
      expect([pinned.statusCode, pinned.body]).toEqual([200, body]);
    }
    for (const other of ['', 'tlh', '__proto__', 'es&lang=ht'])
      expect((await get(system.server, `${widgetPath}?lang=${other}`)).statusCode).toBe(200);
    expect((await get(system.server, `${widgetPath}?lang=tlh`)).body).toBe(widgetScript);
    await system.stop();
  });
});

describe('the attributes', () => {
  type Options = Readonly<
    Record<'base' | 'key' | 'category' | 'near' | 'limit' | 'target' | 'theme' | 'team' | 'colours', unknown>
  >;
  const read = async (
    dataset: Readonly<Record<string, string>>,
    src = 'https://dir.example/resources-widget.js',
  ) => {
    const { optionsOf } = await part<{
      optionsOf: (script: object, complain: (message: string) => void) => Options;
    }>('options');
    const complaints: string[] = [];
    return { ...optionsOf({ src, dataset }, (message) => complaints.push(message)), complaints };
  };

  test('have the defaults of interface 4.4', async () => {
    expect(await read({ key: 'api_pk_1' })).toEqual({
      base: 'https://dir.example',
      key: 'api_pk_1',
      category: '',
      near: '',
      limit: 20,
      target: 'service-resources',
      theme: 'light',
      team: '',
      colours: undefined,
      complaints: [],
    });
  });

  test('data-team takes a slug, and the colours are left to the part that knows them', async () => {
    expect(await read({ team: ' harbour ', accent: 'red' })).toMatchObject({
      team: 'harbour',
      colours: { accent: 'red' },
      complaints: [],
    });
  });

  test.each([
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
    ['0', 20],
    ['-5', 20],
    ['1.5', 20],
    ['abc', 20],
    ['', 20],
    ['1e2', 20],
  ])('data-limit="%s" gives pages of %i', async (limit, size) => {
    expect(await read({ limit })).toMatchObject({ limit: size });
  });

  test.each([
    ['dark', 'dark'],
    ['light', 'light'],
    ['Dark', 'light'],
    ['auto', 'light'],
    ['', 'light'],
  ])('data-theme="%s" is %s', async (theme, shown) => {
    expect(await read({ theme })).toMatchObject({ theme: shown });
  });

  test('data-category takes a slug; what is none shows all, and the owner of the page is told', async () => {
    expect(await read({ category: 'food' })).toMatchObject({ category: 'food', complaints: [] });
    expect(await read({ category: 'all' })).toMatchObject({ category: '', complaints: [] });
    expect(await read({ category: '' })).toMatchObject({ category: '', complaints: [] });
    for (const category of ['pizza', '__proto__', 'constructor', 'toString']) {
      const { category: taken, complaints } = await read({ category });
      expect([taken, complaints.length]).toEqual(['', 1]);
    }
  });

  test('data-near takes a place, cut where it is too long', async () => {
    expect(await read({ near: ' Miami, FL ' })).toMatchObject({ near: 'Miami, FL', complaints: [] });
    expect(String((await read({ near: 'x'.repeat(500) })).near)).toHaveLength(120);
  });

  test('the service is where the script comes from', async () => {
    const base = async (src: string) => (await read({}, src)).base;
    expect(await base('https://dir.example/resources-widget.js?v=1#x')).toBe('https://dir.example');
    expect(await base('https://dir.example/resources-widget-abc.js')).toBe('https://dir.example');
    expect(await base('http://localhost:3000/help/resources-widget.js')).toBe('http://localhost:3000/help');
  });
});

describe('the colours', () => {
  interface Colours {
    readonly contrast: (one: string, other: string) => number;
    readonly readable: (colour: string, paper: string) => string;
  }

  test('are compared as WCAG 2.2 does', async () => {
    const { contrast } = await part<Colours>('colours');
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#ffffff', '#ffffff')).toBe(1);
    // By hand, from the formula of WCAG.
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.542, 3);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrast('#ff0000', '#ffffff')).toBeCloseTo(3.998, 3);
    expect(contrast('#0a0a0a', '#ffffff')).toBeCloseTo(19.798, 3);
  });

  test('stay what they are where they can be read, and are else as near to it as can be', async () => {
    const { contrast, readable } = await part<Colours>('colours');
    expect(readable('#14583f', '#ffffff')).toBe('#14583f');
    expect(readable('#767676', '#ffffff')).toBe('#767676');
    expect(readable('#777777', '#ffffff')).not.toBe('#777777');
    expect(contrast(readable('#777777', '#ffffff'), '#ffffff')).toBeLessThan(5.2);
    const grey = (part: number) => `#${part.toString(16).padStart(2, '0').repeat(3)}`;
    const papers = [...Array(256).keys()]
      .map(grey)
      .concat('#ff0000', '#00ff00', '#0000ff', '#ffff00', '#808000');
    for (const paper of papers)
      for (const colour of ['#000000', '#ffffff', '#ffee00', '#0000ff', paper])
        expect(contrast(readable(colour, paper), paper), `${colour} on ${paper}`).toBeGreaterThanOrEqual(4.5);
  });
});

describe('the links', () => {
  type Reader = (given: unknown) => unknown;
  const links = () => part<Record<'phoneOf' | 'directionsOf' | 'webAddress' | 'addressOf', Reader>>('links');

  test.each([
    ['305-555-0100', 'tel:3055550100'],
    ['(305) 555-0100', 'tel:3055550100'],
    ['+1 305.555.0100', 'tel:+13055550100'],
    ['211', 'tel:211'],
    ['Call 211', 'tel:211'],
    ['305-555-0100 or 211', 'tel:3055550100'],
    ['305-555-0100 (ask for Ana)', 'tel:3055550100'],
    ['305-555-0100 EXT 5', 'tel:3055550100'],
    ['305-555-0100/0101', 'tel:3055550100'],
    ['1-800-FLOWERS', 'tel:18003569377'],
    ['1-800-273-TALK', 'tel:18002738255'],
    ['Ask at the desk', ''],
    ['12', ''],
    ['javascript:alert(1)', ''],
    ['2 lines: 305-555-0100', 'tel:3055550100'],
    ['1'.repeat(16), ''],
  ])('of the phone %s is %s', async (number, href) => {
    const { phoneOf } = await links();
    expect(phoneOf({ phones: [{ number }] })).toEqual({ text: number, href });
  });

  test('call the main location first, a voice and no fax, with the extension', async () => {
    const { phoneOf } = await links();
    const record = {
      phones: [{ number: '305-555-0100' }],
      locations: [
        { virtual: true, phones: [{ number: '305-555-0101' }] },
        {
          city: 'Miami',
          phones: [
            { number: '305-555-0102', type: 'fax' },
            { number: '305-555-0103', extension: '7' },
          ],
        },
      ],
    };
    expect(phoneOf(record)).toEqual({ text: '305-555-0103 x7', href: 'tel:3055550103,7' });
    expect(phoneOf({ phones: [{ number: '1234567', extension: 'the "desk"' }] })).toEqual({
      text: '1234567 xthe "desk"',
      href: 'tel:1234567',
    });
    expect(phoneOf({ phones: [{ number: '305-555-0102', type: 'fax' }] })).toBeUndefined();
    expect(phoneOf({})).toBeUndefined();
  });

  test('lead to the main location by coordinates or address, and never to a confidential one', async () => {
    const { directionsOf, addressOf } = await links();
    const street = { street: '1 Quay & Co', city: 'Miami', region: 'FL', postal_code: '33101' };
    expect(addressOf({ locations: [street] })).toBe('1 Quay & Co, Miami, FL 33101');
    const destination = (location: object) =>
      new URL(String(directionsOf({ locations: [location] }))).searchParams.get('to');
    expect(destination(street)).toBe('1 Quay & Co, Miami, FL 33101');
    expect(destination({ ...street, latitude: 25.77, longitude: -80.19 })).toBe('25.77,-80.19');
    expect(directionsOf({ locations: [{ city: 'Miami' }] })).toBeUndefined();
    expect(directionsOf({ locations: [{ ...street, confidential: true }] })).toBeUndefined();
    expect(directionsOf({ locations: [{ ...street, virtual: true }] })).toBeUndefined();
    expect(directionsOf({})).toBeUndefined();
  });

  test.each([
    ['https://example.org/a b', 'https://example.org/a%20b'],
    ['http://example.org', 'http://example.org/'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    [' \u0001javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['example.org', undefined],
    ['//example.org', undefined],
    [null, undefined],
    [{}, undefined],
  ])('to the web address %s is %s', async (given, href) => {
    const { webAddress } = await links();
    expect(webAddress(given)).toBe(href);
  });
});
