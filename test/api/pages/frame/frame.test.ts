import { describe, expect, test } from 'vitest';
import { languages, languageOf, preferred } from '../../../../src/api/pages/frame/language.ts';
import { openingLine, timeOf } from '../../../../src/api/directory/pages/opening-line.ts';
import type { Week } from '../../../../src/events/directory/opening-status.ts';
import { textsIn, writtenTextsIn } from '../../../../src/api/pages/frame/texts.ts';
import { publicPage, type FrameSettings } from '../../../../src/api/pages/frame/public-frame.ts';
import { linkedNumbers, phoneLink } from '../../../../src/api/pages/frame/phone-links.ts';
import type { PublicView } from '../../../../src/api/pages/frame/public-page.ts';
import { html } from '../../../../src/api/pages/html.ts';
import { readConfig } from '../../../../src/config.ts';
import { categories } from '../../../../src/events/directory/category.ts';
import { weekdays } from '../../../../src/events/directory/local-time.ts';
import { notForPeople } from '../../../support/plain-words.ts';

const base = 'https://directory.example';

const shown = (
  view: Partial<PublicView>,
  { query = '', environment = {} }: { query?: string; environment?: Record<string, string> } = {},
  language = 'en',
): string => {
  const settings: FrameSettings = readConfig(environment);
  const around = { base, language, texts: textsIn(language), query: new URLSearchParams(query) };
  return publicPage({ title: 'A page', content: html`<p>Text</p>`, ...view }, around, settings);
};

describe('the language of a public page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.5, es;q=0.7', 'es'],
    ['fr-FR,fr;q=0.9,es;q=0.2', 'es'],
    ['es;q=0', 'en'],
    ['ht, *;q=0.5', 'ht'],
    ['tlh, *;q=0.5', 'en'],
    ['ES', 'es'],
    ['est', 'en'],
    [',,;;q=', 'en'],
    ['es;q=9'.repeat(5_000), 'en'],
  ] as const)('follows Accept-Language: %s', (header, language) => {
    expect(preferred(header)).toBe(language);
  });

  const of = (query: string, cookie?: string) =>
    languageOf(
      {
        headers: { 'accept-language': 'es' },
        cookies: cookie === undefined ? {} : { '__Host-commonweal-language': cookie },
      },
      new URLSearchParams(query),
      base,
    );

  test('is what the address asks for, before what was chosen earlier, before what the browser prefers', () => {
    expect(of('lang=en', 'es')).toEqual({ language: 'en', requested: 'en', kept: 'es' });
    expect(of('', 'en')).toEqual({ language: 'en', requested: undefined, kept: 'en' });
    expect(of('')).toEqual({ language: 'es', requested: undefined, kept: undefined });
    expect(of('lang=tlh', '<script>')).toEqual({ language: 'es', requested: undefined, kept: undefined });
    expect(of('lang=__proto__').requested).toBeUndefined();
  });

  test('has all texts, in words for people', () => {
    for (const language of languages) {
      const texts = textsIn(language);
      for (const each of categories) {
        expect(texts.categories[each].label.length, each).toBeGreaterThan(2);
        expect(texts.categories[each].about.length, each).toBeGreaterThan(10);
      }
      for (const day of weekdays) expect(texts.opening.days[day]).toBeTruthy();
      const all = JSON.stringify(writtenTextsIn(language));
      expect(notForPeople(all)).toBeUndefined();
    }
    const same = categories.filter(
      (each) => textsIn('en').categories[each].about === textsIn('es').categories[each].about,
    );
    expect(same).toEqual([]);
    // One form of address throughout: usted.
    expect(JSON.stringify(writtenTextsIn('es'))).not.toMatch(
      /\b(tú|tu|tus|necesitas|puedes|llama|busca|elige|vosotros|tenéis)\b/i,
    );
  });

  test.each([
    [0, 'midnight', 'Abierto hasta la medianoche'],
    [1_440, 'midnight', 'Abierto hasta la medianoche'],
    [5, '12:05 am', 'Abierto hasta las 12:05 a. m.'],
    [9 * 60, '9:00 am', 'Abierto hasta las 9:00 a. m.'],
    [12 * 60, '12:00 pm', 'Abierto hasta las 12:00 p. m.'],
    [13 * 60 + 30, '1:30 pm', 'Abierto hasta la 1:30 p. m.'],
    [17 * 60, '5:00 pm', 'Abierto hasta las 5:00 p. m.'],
  ])('writes %i minutes after midnight as %s', (minutes, english, spanish) => {
    const closes = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const week: Week = { time_zone: 'UTC', opening_hours: [{ days: ['mon'], opens: '00:01', closes }] };
    expect(timeOf(minutes, textsIn('en').opening)).toBe(english);
    expect(openingLine(week, new Date('2026-03-02T00:02:00Z'), textsIn('es').opening).text).toBe(spanish);
  });
});

describe('the frame of a public page', () => {
  test('names its language, and leads to the same page in the others', () => {
    const body = shown({ canonical: '/r/r_1' }, { query: 'q=food+%26+rent&lang=es' }, 'es');
    expect(body).toContain('<html lang="es">');
    expect(body).toContain(
      '<a href="?q=food+%26+rent&#38;lang=en" lang="en" hreflang="en">English</a>'.replaceAll(
        '&#38;',
        '&#38;',
      ),
    );
    expect(body).toContain(`<link rel="canonical" href="${base}/r/r_1?lang=es" />`);
    for (const each of ['en', 'es'])
      expect(body).toContain(`<link rel="alternate" hreflang="${each}" href="${base}/r/r_1?lang=${each}" />`);
    expect(body).toContain(`<link rel="alternate" hreflang="x-default" href="${base}/r/r_1" />`);
    expect(shown({ canonical: '/r/r_1' })).toContain(`<link rel="canonical" href="${base}/r/r_1" />`);
    expect(shown({})).toContain('<meta name="robots" content="noindex, follow" />');
  });

  test('leads developers to /docs and everybody to where people sign in', () => {
    expect(shown({})).toContain('href="/docs"');
    expect(shown({})).toContain('href="/dash/sign-in"');
    expect(shown({}, { environment: { AUTH_URL: 'https://id.example' } })).toContain(
      'href="https://id.example/dash/sign-in"',
    );
  });

  test('names numbers to call on pages about emergencies and mental health alone', () => {
    for (const about of [['emergency'], ['food', 'mental']] as const) {
      const body = shown({ about });
      expect(body).toContain('<a href="tel:911">911</a>');
      expect(body).toContain('<a href="tel:988">988</a>');
    }
    expect(shown({ about: ['emergency'] }, {}, 'es')).toContain('Emergencia: <a href="tel:911">911</a>');
    // A box where somebody may be in danger, whatever the page is about.
    expect(shown({ danger: true }, {}, 'es')).toContain('llame al <a href="tel:911">911</a>');
    expect(shown({ danger: true, about: ['food'] }, {}, 'ht')).toMatch(/class="crisis box"[^]*tel:988/);
    expect(shown({ danger: true })).toContain('class="exit"');
    expect(shown({ about: ['food', 'legal'] })).not.toContain('tel:');
  });

  test('shows the operator’s own sentence instead, or none', () => {
    const view = { about: ['emergency'] } as const;
    const own = { CRISIS_TEXT: 'Call 112 <now>.' };
    expect(shown(view, { environment: own })).toContain('Call <a href="tel:112">112</a> &#60;now&#62;.');
    expect(shown(view, { environment: own }, 'es')).toContain('tel:112');
    const both = { ...own, CRISIS_TEXT_ES: 'Llame al 112.' };
    expect(shown(view, { environment: both }, 'es')).toContain('Llame al <a href="tel:112">112</a>.');
    for (const language of ['en', 'es'] as const)
      expect(shown(view, { environment: { CRISIS_TEXT: 'off' } }, language)).not.toContain('class="crisis');
  });

  test('lets people leave quickly where somebody could be endangered by being seen', () => {
    for (const each of categories) {
      const sensitive = ['emergency', 'mental', 'legal', 'housing'].includes(each);
      expect(shown({ about: [each] }).includes('class="exit"'), each).toBe(sensitive);
    }
    expect(shown({ about: ['housing'] })).toMatch(
      /<a class="exit" href="https:\/\/www\.weather\.gov\/" rel="noreferrer[^"]*"/,
    );
    const elsewhere = { QUICK_EXIT: 'https://news.example/?a=1&b=2' };
    expect(shown({ about: ['housing'] }, { environment: elsewhere })).toContain(
      'href="https://news.example/?a=1&#38;b=2"',
    );
    expect(shown({ about: ['housing'] }, { environment: { QUICK_EXIT: 'off' } })).not.toContain('"exit"');
    expect(() => readConfig({ QUICK_EXIT: 'javascript:alert(1)' })).toThrow(/^QUICK_EXIT/);
  });

  test('escapes a hostile title and description', () => {
    const evil = '</title><script>alert(1)</script>" onload="x';
    const body = shown({ title: evil, description: evil, canonical: '/' });
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('" onload');
  });
});

test.each([
  ['Call 911.', 'Call <a href="tel:911">911</a>.'],
  [
    '305-555-0100 or +1 (305) 555-0101',
    '<a href="tel:3055550100">305-555-0100</a> or <a href="tel:+13055550101">+1 (305) 555-0101</a>',
  ],
  ['24 hours, 7 days', '24 hours, 7 days'],
  ['3055550100305555', '3055550100305555'],
  ['<b>988</b>', '&#60;b&#62;<a href="tel:988">988</a>&#60;/b&#62;'],
  ['', ''],
])('%s has its numbers as links to call', (text, linked) => {
  expect(linkedNumbers(text).text).toBe(linked);
});

test.each([
  [{ number: '305-555-0100' }, 'tel:3055550100'],
  [{ number: '(305) 555-0100 or (305) 555-0101' }, 'tel:3055550100'],
  [{ number: '+1 305.555.0100', extension: 'ext. 12' }, 'tel:+13055550100,12'],
  [{ number: '1-800-273-TALK' }, 'tel:18002738255'],
  [{ number: '211' }, 'tel:211'],
  [{ number: 'Dial 911' }, 'tel:911'],
  [{ number: '305-555-0100 Ext 7' }, 'tel:3055550100,7'],
  [{ number: '(305) 555-0100 x5' }, 'tel:3055550100,5'],
  [{ number: '3055550100305555' }, undefined],
  [{ number: '741741', type: 'text' }, 'sms:741741'],
  [{ number: '305-555-0100', type: 'tty' }, 'tel:3055550100'],
  [{ number: '305-555-0100', type: 'fax' }, undefined],
  [{ number: 'See website' }, undefined],
  [{ number: '12' }, undefined],
  [{ number: 'javascript:alert(1)' }, undefined],
] as const)('the link of %j is %s', (phone, link) => {
  expect(phoneLink(phone)).toBe(link);
});
