import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dayBegins,
  dayEnds,
  instantTyped,
  localTime,
  readerClockOf,
  readerDay,
  withClock,
} from '../../../src/api/pages/reader-clock.ts';
import { paidOn, time, withTimes } from '../../../src/api/pages/time.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import { context } from '../harness.ts';

const inZone = <Result>(zone: string, work: () => Result): Result =>
  withClock({ zone, locale: 'en-GB', namesZone: false }, work);

describe('a day of the reader', () => {
  test.each([
    ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
    ['America/New_York', '2026-01-31', '2026-01-31T05:00:00.000Z', '2026-02-01T04:59:59.999Z'],
    // Clocks are put forward: 23 hours. Put back: 25.
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    // At midnight it is one o'clock at once.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z'],
  ])('in %s, %s, begins and ends', (zone, day, begins, ends) => {
    inZone(zone, () => {
      expect(dayBegins(day)?.toISOString()).toBe(begins);
      expect(dayEnds(day)?.toISOString()).toBe(ends);
      for (const edge of [begins, ends]) expect(readerDay(new Date(edge))).toBe(day);
    });
  });

  test('that a month does not have is none', () => {
    for (const day of ['2026-02-29', '2026-13-01', '', 'yesterday', '2026-1-1'])
      expect([dayBegins(day), dayEnds(day), instantTyped(day)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a time that a reader types', () => {
  test('is by their clock, unless UTC stands behind it', () => {
    inZone('America/Chicago', () => {
      expect(instantTyped('2026-07-01')?.toISOString()).toBe('2026-07-01T05:00:00.000Z');
      for (const text of [
        '2026-07-01T17:05',
        '2026-07-01 17:05',
        '2026-07-01 22:05 UTC',
        '2026-07-01T22:05Z',
      ])
        expect(instantTyped(text)?.toISOString(), text).toBe('2026-07-01T22:05:00.000Z');
      expect(localTime(new Date('2026-07-01T22:05:59Z'))).toBe('2026-07-01T17:05');
    });
  });
});

describe('the clock of a reader', () => {
  const read = (zone: string | undefined, language?: string) =>
    readerClockOf(
      {
        cookies: zone === undefined ? {} : { 'commonweal-zone': zone },
        headers: language === undefined ? {} : { 'accept-language': language },
      },
      'America/Denver',
    );

  test('is that of the browser', () => {
    expect(read('Asia/Tokyo')).toMatchObject({ zone: 'Asia/Tokyo', namesZone: false });
  });

  test.each([undefined, '', 'Nowhere/Atlantis', '<script>', '+01:00', 'x'.repeat(5_000), '__proto__', '%'])(
    'is that of the team or the installation, and named, when the cookie is %s',
    (zone) => expect(read(zone)).toMatchObject({ zone: 'America/Denver', namesZone: true }),
  );

  test.each([
    ['en-US,en;q=0.9', 'en-US'],
    ['es-MX,es;q=0.9,en-ca;q=0.5', 'en-CA'],
    ['en', 'en-GB'],
    ['fr', 'en-GB'],
    ['en-XX', 'en-GB'],
    ['*', 'en-GB'],
    [undefined, 'en-GB'],
  ])('has the region of the language %s', (language, locale) => {
    expect(read(undefined, language).locale).toBe(locale);
  });
});

describe('on a page', () => {
  test('a time has the exact time in UTC beside it', () => {
    inZone('Asia/Tokyo', () => {
      const { text } = time('2026-01-31T15:00:01.234Z', 'second');
      expect(text).toContain('datetime="2026-01-31T15:00:01.234Z"');
      expect(text).toContain('title="2026-01-31 15:00:01 UTC"');
      expect(text).toContain('1 February 2026 at 00:00:01');
    });
  });

  test('a day that somebody named is not shifted by zones, and an instant is', () => {
    for (const zone of ['Pacific/Auckland', 'Pacific/Pago_Pago'])
      inZone(zone, () => expect(paidOn('2026-03-31T12:00:00.000Z').text).toContain('31 March 2026'));
    inZone('America/Chicago', () =>
      expect(paidOn('2026-04-01T02:00:00.000Z').text).toContain('31 March 2026'),
    );
  });

  test('a sentence with a time of a machine is read by people, and stays a text', () => {
    inZone('UTC', () => {
      const { text } = withTimes(
        '<b> 2026-01-31T15:00:01.234Z is in the future: it is 2026-01-30T15:00:00Z now.',
      );
      expect(text.replace(/<time[^>]*>|<\/time\s*>/g, '')).toBe(
        '&#60;b&#62; 31 January 2026 at 15:00:01 is in the future: it is 30 January 2026 at 15:00:00 now.',
      );
    });
  });
});

describe('the dashboard', () => {
  let dash: Dashboard;
  let admin: Account;
  beforeAll(async () => {
    dash = await startDashboard({ environment: { TIME_ZONE: 'America/New_York' } });
    await dash.team('library');
    admin = await dash.account();
    for (const team of ['harbour', 'library']) await dash.member(team, admin, 'admin');
    await commandTeam(
      dash.system.store,
      { kind: 'set-time-zone', team: 'library', timeZone: 'Asia/Tokyo' },
      context(),
    );
    await dash.caughtUp();
  });
  afterAll(() => dash.stop());

  test('writes times in the zone of the browser, else of the team, else of the installation', async () => {
    const browser = await dash.signedIn(admin);
    await browser.open('/dash/t/harbour/audit');
    expect(browser.text).toMatch(/\d{4} at \d\d:\d\d:\d\d E[SD]T/);
    await browser.open('/dash/t/library/audit');
    expect(browser.text).toMatch(/\d{4} at \d\d:\d\d:\d\d GMT\+9/);
    browser.cookies.set('commonweal-zone', 'America%2FLos_Angeles');
    await browser.open('/dash/t/library/audit');
    expect(browser.text).toMatch(/\d{4} at \d\d:\d\d:\d\d ·/);
    const [, at = '', shown = ''] = /datetime="([^"]+)"[^>]*>([^<]+)</.exec(browser.html) ?? [];
    expect(shown).toBe(
      new Intl.DateTimeFormat('en-GB', {
        dateStyle: 'long',
        timeStyle: 'medium',
        timeZone: 'America/Los_Angeles',
      }).format(new Date(at)),
    );
  });

  test('reads the times of a filter by the clock of the reader', async () => {
    const browser = await dash.signedIn(admin);
    await browser.open('/dash/t/library/audit?type=TeamCreated');
    const [, at = ''] = /datetime="([^"]+)"/.exec(browser.html) ?? [];
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      browser.cookies.set('commonweal-zone', encodeURIComponent(zone));
      const shown = inZone(zone, () => localTime(new Date(at)));
      const found = async (name: string, time: string) => {
        await browser.open(
          `/dash/t/library/audit?${new URLSearchParams({ type: 'TeamCreated', [name]: time }).toString()}`,
        );
        expect(browser.html).toContain(`value="${time}"`);
        return browser.text.includes('created the team library');
      };
      expect(await found('from', shown), zone).toBe(true);
      expect(await found('until', shown), zone).toBe(false);
    }
    browser.cookies.delete('commonweal-zone');
    await browser.open('/dash/t/library/audit');
    expect(browser.text).toContain('In the time zone Asia/Tokyo.');
  });

  test('offers the day that the reader has as that of a payment', async () => {
    const browser = await dash.signedIn(admin);
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      browser.cookies.set('commonweal-zone', encodeURIComponent(zone));
      await browser.open('/dash/t/harbour/team/payments/record');
      const days = [0, 60_000].map((ago) => inZone(zone, () => readerDay(new Date(Date.now() - ago))));
      expect(days).toContain(browser.hidden('date'));
    }
  });
});
