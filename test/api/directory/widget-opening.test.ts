import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { openingLine, type OpeningLine } from '../../../src/api/directory/pages/opening-line.ts';
import { languages } from '../../../src/api/pages/frame/language.ts';
import { textsIn, type Texts } from '../../../src/api/pages/frame/texts.ts';
import { widgetTextsIn } from '../../../src/api/directory/widget/widget-texts.ts';
import { weekdays } from '../../../src/events/directory/local-time.ts';
import { statusAt, type Week } from '../../../src/events/directory/opening-status.ts';

const en = textsIn('en');

const widgetIn = (language: string): object => runInNewContext(`(${widgetTextsIn(language)})`) as object;
Object.assign(globalThis, {
  widgetTexts: widgetIn('en'),
  widgetLanguage: 'en',
  widgetLanguages: languages,
});
const part = async <Exports>(name: string): Promise<Exports> =>
  (await import(
    new URL(`../../../src/api/directory/widget/script-${name}.js`, import.meta.url).href
  )) as Exports;

const { openingOf } = await part<{
  openingOf: (record: Week, now: Date, texts: unknown) => OpeningLine;
}>('result');

/** Clocks that change by an hour, by half an hour, not at all, and once by a whole day (Samoa, December 2011). */
const zones = [
  'America/New_York',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'UTC',
];
/** Days on which clocks change somewhere, ordinary days, the turn of a year. */
const days = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-07-15',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2027-01-01',
  '2018-11-04',
  '2011-12-30',
];

describe('the widget says of every record what the pages say', () => {
  test('at any instant, in any zone, for any rules', () => {
    const random = generator(7);
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const time = () => `${two(random() * 24)}:${pick(['00', '15', '30', '59'])}`;
    const seen = new Map<string, number>();
    for (let round = 0; round < 2_000; round++) {
      const date = pick(days);
      const week: Week = {
        time_zone: pick(zones),
        opening_hours: Array.from({ length: Math.floor(random() * 4) }, () => ({
          days: weekdays.filter(() => random() < 0.4),
          opens: pick([time(), '00:00', '01:30', '02:30']),
          closes: pick([time(), '00:00', '24:00', '01:30', '02:30']),
          ...(random() < 0.2 ? { valid_from: date } : {}),
          ...(random() < 0.2 ? { valid_to: pick([date, '2026-01-01']) } : {}),
        })),
        ...(random() < 0.1 ? { availability: pick(['open', 'temporarily_closed', 'defunct']) } : {}),
      };
      const at = new Date(Date.parse(date) + (random() * 72 - 36) * 3_600_000);
      const status = statusAt(week, at);
      const line = openingLine(week, at, en.opening);
      expect([week, at, openingOf(week, at, en.opening)]).toEqual([week, at, line]);
      const kind = [status.state, ...Object.keys(status).slice(1)].join(' ');
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    // Each kind of answer was compared.
    for (const kind of ['open until', 'closed opens', 'closed', 'unknown']) {
      expect(seen.get(kind), kind).toBeGreaterThan(15);
    }
  });

  test('where the place is always open', () => {
    const week: Week = {
      time_zone: 'America/New_York',
      opening_hours: [{ days: [...weekdays], opens: '00:00', closes: '24:00' }],
    };
    const at = new Date('2026-03-06T12:00:00Z');
    expect(statusAt(week, at)).toEqual({ state: 'open' });
    expect(openingOf(week, at, en.opening)).toEqual({ state: 'open', text: 'Open now' });
  });

  test('except where the browser does not know the zone: there it says nothing', () => {
    const week: Week = {
      time_zone: 'Moon/Tranquility',
      opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
    };
    expect(openingOf(week, new Date(), en.opening)).toEqual({ state: 'unknown', text: '' });
  });
});

test('the widget names categories and times in the words of the pages', () => {
  const week: Week = {
    time_zone: 'UTC',
    opening_hours: [
      { days: ['tue'], opens: '00:30', closes: '13:00' },
      { days: ['fri'], opens: '00:00', closes: '00:00' },
    ],
  };
  for (const language of languages) {
    const page = textsIn(language);
    const widget = widgetIn(language) as { categories: Record<string, string>; opening: Texts['opening'] };
    expect(widget.categories).toEqual(
      Object.fromEntries(Object.entries(page.categories).map(([slug, { label }]) => [slug, label])),
    );
    for (let hour = 0; hour < 7 * 24; hour++) {
      const now = new Date(Date.UTC(2026, 2, 2, hour, 15));
      expect(openingOf(week, now, widget.opening)).toEqual(openingLine(week, now, page.opening));
    }
    // Of what is unknown it says nothing.
    expect(openingOf({}, new Date(), widget.opening)).toEqual({ state: 'unknown', text: '' });
  }
});

const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');

/** The same numbers on every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
