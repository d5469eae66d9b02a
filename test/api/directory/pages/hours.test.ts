import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zoneName } from '../../../../src/api/directory/pages/hours-table.ts';
import { languages } from '../../../../src/api/pages/frame/language.ts';
import { textsIn } from '../../../../src/api/pages/frame/texts.ts';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { stateZones } from '../../../../src/places/state-zones.ts';
import { stateCodes } from '../../../../src/places/states.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

let system: RunningSystem;
/** A Tuesday, 10 am in Miami. */
const now = new Date('2026-11-24T15:00:00Z');
beforeAll(async () => {
  system = await startSystem({ now: () => now, environment: { BASE_URL: 'https://directory.example' } });
});
afterAll(() => system.stop());

const one = async (fields: Partial<UnsealedFields>) => {
  const [id = ''] = await system.resources(1, { fields: () => fields });
  return id;
};
/** What a person reads, with a plain space in times. */
const textOf = (body: string) =>
  body
    .replace(/<(script|style|head)[^]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
const page = async (id: string, lang: string) =>
  textOf((await system.server.inject(`/r/${id}?lang=${lang}`)).body);
/** The item of a list of results. */
const item = async (name: string, lang: string) => {
  const { body } = await system.server.inject(`/find?lang=${lang}&q=${encodeURIComponent(name)}`);
  const found = body.split('<li class="result">').find((each) => each.includes(`>${name}</a>`)) ?? '';
  return textOf(found.split('</li>')[0] ?? '');
};
const phones = [{ number: '305-555-0100' }];

describe('a record without structured hours', () => {
  const call = { en: 'Call to ask when they are open', es: 'Llame para preguntar el horario' };

  test('shows its words, in lists as on its page, instead of asking people to call', async () => {
    const id = await one({ name: 'Alder Kitchen', category: 'food', phones, hours: 'Weekdays nine to five' });
    for (const lang of ['en', 'es'] as const) {
      expect(await item('Alder Kitchen', lang)).toContain('Weekdays nine to five');
      expect(await item('Alder Kitchen', lang)).not.toContain(call[lang]);
      expect(await page(id, lang)).not.toContain(call[lang]);
    }
  });

  test('shows the words of its main location, cut where they are long', async () => {
    const locations = [
      { street: '1 Quay', city: 'Miami', hours: `Mornings. ${'Ring the bell. '.repeat(20)}` },
    ];
    const id = await one({ name: 'Birch Kitchen', category: 'food', phones, locations });
    expect(await item('Birch Kitchen', 'en')).toMatch(/Mornings\. (Ring the bell\. )+Ring( the)?…/);
    expect((await page(id, 'en')).match(/Mornings\./g)).toHaveLength(1);
  });

  test('asks people to call only where there is a number, and nothing where there is none', async () => {
    await one({ name: 'Cedar Kitchen', category: 'food', phones });
    await one({ name: 'Dogwood Kitchen', category: 'food', phones: [], locations: [] });
    expect(await item('Cedar Kitchen', 'en')).toContain(call.en);
    expect(await item('Dogwood Kitchen', 'en')).not.toContain(call.en);
  });
});

describe('hours that were made from rules', () => {
  const made = 'Mon–Fri 07:30–12:00, 13:00–18:00; Sat 22:00–06:00';

  test('are said in the language of the page, and not twice', async () => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
    const id = await one({
      name: 'Elm Kitchen',
      category: 'food',
      hours: made,
      time_zone: 'America/New_York',
      opening_hours: [
        { days: [...days], opens: '07:30', closes: '12:00' },
        { days: [...days], opens: '13:00', closes: '18:00' },
        { days: ['sat'], opens: '22:00', closes: '06:00' },
      ],
    });
    const spanish = await page(id, 'es');
    expect(spanish).toContain('lunes 7:30 a. m. – 12:00 p. m. 1:00 p. m. – 6:00 p. m.');
    for (const text of [spanish, await page(id, 'en')]) {
      expect(text).not.toContain('Mon–Fri');
      expect(text).not.toMatch(/As they put it|En sus propias palabras/);
    }
  });

  test.each([
    [
      'Mon–Fri 07:30–18:00; Sat, Sun 00:00–24:00',
      'lunes–viernes: 7:30 a. m. – 6:00 p. m.; sábado, domingo: Abierto las 24 horas',
      'Monday–Friday: 7:30 am – 6:00 pm; Saturday, Sunday: Open 24 hours',
    ],
    [
      '1st Sat of the month, last Tue of the month 09:00–12:00',
      'primer sábado del mes, último martes del mes: 9:00 a. m. – 12:00 p. m.',
      'first Saturday of the month, last Tuesday of the month: 9:00 am – 12:00 pm',
    ],
    [
      'Food pantry, 2026-06-01 to 2026-08-31: Tue 10:00–11:00',
      'Food pantry, del 1 de junio de 2026 al 31 de agosto de 2026: martes: 10:00 a. m. – 11:00 a. m.',
      'Food pantry, from June 1, 2026 to August 31, 2026: Tuesday: 10:00 am – 11:00 am',
    ],
    [
      '2026-12-24 to 2026-12-24: Thu 09:00–12:00',
      '24 de diciembre de 2026: jueves: 9:00',
      'December 24, 2026: Thursday: 9:00 am',
    ],
    [
      '2026-99-99 to 2026-12-31: Tue 10:00–11:00',
      '2026-99-99 to 2026-12-31: martes: 10:00',
      'Tuesday: 10:00 am',
    ],
    ['Mon–Fri 9 to 5', 'Mon–Fri 9 to 5', 'Mon–Fri 9 to 5'],
  ])('are translated when a record has only the words: %s', async (hours, spanish, english) => {
    const id = await one({ name: `Fir ${hours}`.slice(0, 300), category: 'food', hours });
    expect(await page(id, 'es')).toContain(spanish);
    expect(await page(id, 'en')).toContain(english);
  });
});

describe('hours at a further location', () => {
  test('stand there, in the language of the page, with days on which it is closed', async () => {
    const rules: UnsealedFields['opening_hours'] = [{ days: ['tue'], opens: '10:00', closes: '12:00' }];
    const id = await one({
      name: 'Gum Kitchen',
      hours: 'Mon 09:00–17:00\nClosed, 2026-12-25',
      opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
      locations: [
        { street: '1 Quay', city: 'Miami', region: 'FL' },
        {
          street: '2 Quay',
          city: 'Miami',
          region: 'FL',
          hours: 'Tue 10:00–12:00\nClosed, 2026-12-24 to 2026-12-26',
          opening_hours: rules,
        },
        {
          street: '3 Quay',
          city: 'Miami',
          region: 'FL',
          hours: 'Tuesdays ten to noon',
          opening_hours: rules,
        },
      ],
    });
    const spanish = await page(id, 'es');
    expect(spanish).toContain('Cerrado, 25 de diciembre de 2026');
    expect(spanish).toContain(
      'martes: 10:00 a. m. – 12:00 p. m. Cerrado, del 24 de diciembre de 2026 al 26 de diciembre de 2026',
    );
    expect(spanish).toContain('martes: 10:00 a. m. – 12:00 p. m. Tuesdays ten to noon');
    expect(spanish).not.toContain('Closed');
    expect(spanish).not.toContain('Mon 09:00');
  });
});

describe('the zone of a table of hours', () => {
  const opening_hours: UnsealedFields['opening_hours'] = [{ days: ['mon'], opens: '09:00', closes: '17:00' }];

  test('is called as people call it, in the language of the page', async () => {
    const id = await one({ opening_hours, locations: [{ city: 'Pensacola', region: 'FL' }] });
    expect(await page(id, 'en')).toContain('(Central time)');
    expect(await page(id, 'es')).toContain('(hora del centro)');
    expect(await page(id, 'ht')).toContain('(lè santral)');
  });

  test('is called after its city where people have no name for it', async () => {
    const id = await one({ opening_hours, time_zone: 'America/Argentina/Buenos_Aires' });
    for (const lang of ['en', 'es', 'ht']) expect(await page(id, lang)).toContain('(Buenos Aires)');
  });

  test('has a name in every language for nearly all of the United States', () => {
    const nameless = stateCodes
      .flatMap((state) => stateZones(state)?.zones ?? [])
      .filter((zone) =>
        languages.some((lang) => zone.endsWith(zoneName(zone, textsIn(lang)).replaceAll(' ', '_'))),
      );
    expect([...new Set(nameless)]).toEqual(['America/Adak']);
  });
});
