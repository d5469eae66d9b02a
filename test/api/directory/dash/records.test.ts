import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { reportMistake } from '../../../../src/commands/directory/upkeep/mistake.ts';
import { tableTexts } from '../../../../src/api/directory/dash/table-texts.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context } from '../../harness.ts';

const team = 'harbour';
let dash: Dashboard;
let reviewer: Account;
let browser: PlainBrowser;

beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account({ profile: { name: 'Ada Keeper' } });
  await dash.member(team, reviewer, 'reviewer');
  browser = await dash.signedIn(reviewer);
});
afterAll(() => dash.stop());

const at = (path: string, also = '') => `/dash/resources${path}?team=${team}${also}`;
const eventsOf = (svcId: string) => dash.events(`resource-${svcId}`);
const typesOf = async (svcId: string) => (await eventsOf(svcId)).map(({ type }) => type);
/** Presses Save in the form of a record. Choices of a list are not in `press`. */
const values = (from: PlainBrowser, button: string): URLSearchParams =>
  new URLSearchParams([
    ...(from.forms().find(({ buttons }) => buttons.some(({ label }) => label === button))?.fields ?? []),
  ]);

describe('submitting', () => {
  test('makes a record that waits for review, once, and shows it', async () => {
    await browser.open(at('/new'));
    const typed = values(browser, 'Submit');
    typed.set('name', 'Corner Pantry');
    typed.set('category', 'food');
    typed.set('phones', '555-0100 ext. 12\n555-0101 (fax)');
    typed.set('street', '12 Harbor Street');
    typed.set('city', 'Lakewood');
    typed.set('languages', 'English\nSpanish');
    await browser.post('/dash/resources/new', typed);
    expect(browser.heading).toBe('Corner Pantry');
    expect(browser.text).toContain('It is submitted, and waits for a reviewer.');
    expect(browser.text).toContain('As people would see it');
    expect(browser.text).toContain('Ada Keeper submitted Corner Pantry to harbour.');
    const shown = browser.url.pathname;
    await browser.post('/dash/resources/new', typed);
    expect(browser.url.pathname).toBe(shown);
    const [submitted, ...more] = await eventsOf(shown.split('/').at(-1) ?? '');
    expect(more).toEqual([]);
    expect(submitted?.data['fields']).toEqual({
      name: 'Corner Pantry',
      category: 'food',
      phones: [
        { number: '555-0100', extension: '12' },
        { number: '555-0101', type: 'fax' },
      ],
      locations: [{ street: '12 Harbor Street', city: 'Lakewood' }],
      languages: ['English', 'Spanish'],
    });
  });

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    await browser.open(at('/new'));
    const typed = values(browser, 'Submit');
    typed.set('description', 'Bags of "food" & <b>more</b>.');
    typed.set('url', 'example.org');
    typed.set('city', 'x'.repeat(200));
    await browser.post('/dash/resources/new', typed);
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toBe('This is needed.');
    expect(browser.problem('category')).toBe('This is needed.');
    expect(browser.problem('url')).toBe('It must be an http or https URL.');
    expect(browser.problem('city')).toBe('It is too long. At most 120 characters fit.');
    expect(values(browser, 'Submit').get('description')).toBe('Bags of "food" & <b>more</b>.');
  });
});

describe('the form by its buttons, without a script', () => {
  test('reads the hours from the words, takes several places, and says the zone of the place', async () => {
    await browser.open(at('/new'));
    const typed = values(browser, 'Submit');
    typed.set('name', 'Noon Kitchen');
    typed.set('category', 'food');
    typed.set('hours', 'Mon-Fri 9am-12pm, 1pm-5pm');
    typed.set('postal_code', '33125');
    const press = async (does: string) => {
      const form = values(browser, 'Submit');
      for (const [name, value] of typed) form.set(name, value);
      form.set('do', does);
      await browser.post('/dash/resources/new', form);
      for (const name of [...typed.keys()]) typed.delete(name);
    };
    await press('read-hours');
    expect(browser.status).toBe(200);
    expect(browser.text).toContain('The table says what the words say.');
    expect(browser.text).toContain('America/New_York, from the postal code');
    expect(values(browser, 'Submit').get('h0-fri-1-closes')).toBe('17:00');
    await press('add-place');
    typed.set('postal_code-2', '35801');
    typed.set('h0-sat-0-opens', 'ten');
    typed.set('h0-sat-0-closes', '12');
    await press('save');
    expect(browser.status).toBe(422);
    expect(browser.problem('h0-sat')).toContain('Give times such as 9 am and 5 pm');
    expect(values(browser, 'Submit').get('h0-sat-0-opens')).toBe('ten');
    typed.set('h0-sat-0-opens', '10');
    await press('save');
    expect(browser.heading).toBe('Noon Kitchen');
    const [submitted] = await eventsOf(browser.url.pathname.split('/').at(-1) ?? '');
    expect(submitted?.data['fields']).toEqual({
      name: 'Noon Kitchen',
      category: 'food',
      hours: 'Mon-Fri 9am-12pm, 1pm-5pm',
      opening_hours: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '12:00' },
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '13:00', closes: '17:00' },
        { days: ['sat'], opens: '10:00', closes: '12:00' },
      ],
      locations: [{ postal_code: '33125' }, { postal_code: '35801' }],
    });
  });
});

describe('the list', () => {
  test('is searched by words, status, kind and number, and goes on by pages', async () => {
    const other = 'list-team';
    await dash.team(other);
    await dash.member(other, reviewer, 'member');
    const ids = await dash.resources(60, {
      team: other,
      fields: (index) => ({
        name: index === 7 ? '\u202eReversed <script>x</script> name' : `Shelter ${index}`,
        category: index % 2 ? 'food' : 'legal',
      }),
    });
    await dash.submission(other, { name: 'Waiting Pantry', category: 'food' });
    await dash.submission(team, { name: 'Pantry of another team', category: 'food' });
    const list = (also: string) => browser.open(`/dash/resources?team=${other}${also}`);
    const shown = () =>
      [...browser.html.matchAll(/\/dash\/t\/[a-z-]+\/resources\/(r_[0-9a-f]{16})/g)].map(([, id]) => id);
    await list('');
    const first = shown();
    expect(first).toHaveLength(50);
    expect(browser.text).toContain('61 records. Page 1 of 2.');
    await browser.follow('Next');
    expect(new Set([...first, ...shown()]).size).toBe(61);
    await list('&q=pantry');
    expect(browser.text).toContain('Waiting Pantry');
    expect(shown()).toHaveLength(1);
    await list('&status=submitted');
    expect(shown()).toHaveLength(1);
    await list('&category=food&status=approved');
    expect(shown()).toHaveLength(30);
    await list(`&q=${ids[7] ?? ''}`);
    expect(shown()).toEqual([ids[7]]);
    expect(browser.html).not.toContain('<script>x');
    await list('&q=nothinglikethat');
    expect(browser.text).toContain('No record was found.');
  });
});

describe('editing', () => {
  test('changes what was typed, leaves what the form does not show, and says what changed', async () => {
    const before = {
      name: 'FOOD PLACE',
      category: 'food',
      description: 'Old words.',
      capacity: '20 beds',
      contacts: [{ name: 'Ben Door' }],
      opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
      phones: [{ number: '555-0199', note: 'Ask for intake', languages: ['Spanish'] }],
      locations: [
        {
          name: 'Main',
          street: '1 Old Road',
          city: 'Lakewood',
          latitude: 3,
          longitude: 4,
          accessibility: 'Ramp',
        },
        { street: '2 Second Road', city: 'Elsewhere' },
      ],
    } as const;
    const id = await dash.submission(team, before as never);
    const [first] = await eventsOf(id);
    const { contacts } = first?.data['fields'] as { contacts: unknown };
    await browser.open(at(`/${id}/edit`));
    await browser.press('Save');
    expect(browser.text).toContain('Nothing was different, so nothing was changed.');
    expect(await typesOf(id)).toEqual(['ResourceSubmitted']);
    await browser.open(at(`/${id}/edit`));
    await browser.press('Save', {
      description: 'New words.',
      phones: '555-0200',
      street: '9 New Road',
      email: 'pantry@example.org',
    });
    expect(browser.text).toContain('Your change is saved.');
    expect(browser.text).toContain('Ada Keeper changed FOOD PLACE.');
    expect(browser.text).toMatch(/Description ?Old words\. ?New words\./);
    const { contacts: kept, ...fields } = (await eventsOf(id)).at(-1)?.data['fields'] as Record<
      string,
      unknown
    >;
    expect(kept).toEqual(contacts);
    const { contacts: _, ...rest } = before;
    expect(fields).toEqual({
      ...rest,
      description: 'New words.',
      email: 'pantry@example.org',
      phones: [{ number: '555-0200', note: 'Ask for intake', languages: ['Spanish'] }],
      locations: [
        { name: 'Main', street: '9 New Road', city: 'Lakewood', accessibility: 'Ramp' },
        before.locations[1],
      ],
    });
  });

  test('overwrites nothing that somebody else has saved meanwhile, and shows both', async () => {
    const id = await dash.submission(team, { name: 'Shared Place', description: 'First.', cost: 'Free' });
    await browser.open(at(`/${id}/edit`));
    await dash.command(id, { kind: 'revise', change: { description: 'Theirs.', cost: '5 dollars' } });
    await browser.press('Save', { description: 'Ours.' });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed this since you opened it.');
    expect(browser.text).toMatch(/Description ?Theirs\. ?Ours\./);
    expect(await typesOf(id)).toHaveLength(2);
    expect(values(browser, 'Save').get('cost')).toBe('5 dollars');
    expect(values(browser, 'Save').get('description')).toBe('Ours.');
    await browser.press('Save');
    expect(browser.text).toContain('Your change is saved.');
    expect((await eventsOf(id)).at(-1)?.data['fields']).toMatchObject({
      description: 'Ours.',
      cost: '5 dollars',
    });
  });

  test('is refused by the command when somebody saves at the same moment', async () => {
    const id = await dash.submission(team, { name: 'Raced Place' });
    const change = { kind: 'revise', change: { cost: 'Ours' }, unchangedSince: 0n } as const;
    await expect(commandResource(dash.system, id, change, context())).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('the status', () => {
  test('is changed from the page of the record', async () => {
    const id = await dash.submission(team, { name: 'Coming Place' });
    await browser.open(at(`/${id}`));
    await browser.press('Reject Coming Place', { words: '' });
    expect(browser.status).toBe(422);
    await browser.press('Reject Coming Place', { words: 'Not yet.' });
    expect(browser.text).toContain('It is rejected.');
    await browser.press('Approve Coming Place');
    expect(browser.text).toContain('As people see it');
    await browser.press('Still right today Coming Place', { part: 'hours' });
    expect(browser.text).toContain('It is confirmed as of today.');
    expect(browser.text).toContain('Checked by the people of this directory today.');
    await browser.press('Take out of the directory Coming Place', { words: 'Closed in winter.' });
    expect(browser.text).toContain('It is taken out.');
    expect(browser.text).toContain('Closed in winter.');
    expect((await dash.browser().open(`/r/${id}`)).status).toBe(410);
    await browser.press('Put back into the directory Coming Place');
    expect(browser.text).toContain('It is back, and everybody can see it.');
    expect(await typesOf(id)).toEqual(
      ['Submitted', 'Rejected', 'Approved', 'Confirmed', 'Deactivated', 'Reactivated'].map(
        (what) => `Resource${what}`,
      ),
    );
  });

  test('a share of less than one per cent is said in records, so that the first ones count', () => {
    expect([0, 2, 5, 491].map((confirmed) => tableTexts.confirmedShare(492, confirmed))).toEqual(
      ['0 %', '2', '1 %', '99 %'].map(
        (share) => `${share} of 492 public records confirmed within six months.`,
      ),
    );
  });

  test('the table says which share was confirmed lately, and leads to the others', async () => {
    const fresh = 'freshness';
    await dash.team(fresh);
    await dash.member(fresh, reviewer, 'reviewer');
    const imported = async (id: string, last_modified: string) =>
      importResource(
        dash.system,
        {
          team: fresh,
          source: { system: 'county', id },
          fields: { name: `Listing ${id}`, category: 'food', last_modified },
          active: true,
          approve: true,
        },
        context(),
      );
    await imported('old', '2018');
    await imported('older', '2017-03-04');
    await imported('new', new Date().toISOString().slice(0, 10));
    await dash.caughtUp();
    await browser.open(`/dash/resources?team=${fresh}`);
    expect(browser.text).toContain(
      '33 % of 3 public records confirmed within six months. 2 records to confirm',
    );
    await browser.follow('2 records to confirm');
    expect(browser.text).toContain('2 records.');
    expect(browser.text.indexOf('Listing older')).toBeLessThan(browser.text.indexOf('Listing old '));
    expect(browser.text).not.toContain('Listing new');
    await browser.follow('Listing old');
    await browser.press('Still right today Listing old');
    await browser.open(`/dash/resources?team=${fresh}`);
    expect(browser.text).toContain(
      '66 % of 3 public records confirmed within six months. 1 record to confirm',
    );
  });

  test('which share was confirmed at the end of each month is drawn as a line, with its numbers beside it', async () => {
    const own = 'line';
    await dash.team(own);
    await dash.member(own, reviewer, 'reviewer');
    const month = (before: number, day: number) => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, day));
    };
    const imported = (id: string, on: Date) =>
      importResource(
        dash.system,
        {
          team: own,
          source: { system: 'county', id },
          fields: { name: `Line ${id}`, category: 'food', last_modified: on.toISOString().slice(0, 10) },
          active: true,
          approve: true,
        },
        { ...context(), at: month(3, 5) },
      );
    await imported('one', month(3, 1));
    await imported('two', month(7, 15));
    const lastDay = (before: number) =>
      month(before - 1, 0).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const row = (before: number, ...numbers: readonly number[]) =>
      expect(browser.text).toMatch(new RegExp([lastDay(before), ...numbers].join('\\s*')));
    await dash.caughtUp();
    await browser.open(`/dash/resources?team=${own}`);
    expect(browser.html).toMatch(/<polyline class="line" points="0\.0,[\d.]+ /);
    // At the end of the month in which both came, the older one was confirmed within six months as well.
    row(3, 100, 2, 2);
    row(1, 50, 1, 2);
    expect(browser.text).not.toContain(lastDay(4));
    expect(browser.text).toContain('50 % of 2 public records confirmed within six months.');
  });

  test('what is reported about a record is settled there', async () => {
    const [id = ''] = await dash.resources(1, { team, fields: () => ({ name: 'Reported Place' }) });
    const said = { text: 'It has moved.' };
    await reportMistake(dash.system, { svc_id: id, team, kind: 'address', said }, context());
    await dash.caughtUp();
    await browser.open(at(`/${id}`));
    expect(browser.text).toContain('It has moved.');
    await browser.press('It is corrected The address is wrong');
    expect(browser.heading).toBe('Reported Place');
    expect(browser.text).toContain('The report is settled');
    expect(browser.text).not.toContain('It has moved.');
  });

  test('people whom a record names are listed, and erased from all of it', async () => {
    const id = await dash.submission(team, { name: 'Named Place', contacts: [{ name: 'Ben Door' }] });
    await browser.open(at(`/${id}`));
    await browser.follow('People it names');
    expect(browser.text).toContain('Ben Door');
    await browser.press('Erase Ben Door');
    expect(browser.text).toContain('The person is erased from the record and its history.');
    expect(browser.text).not.toContain('Ben Door');
    expect(await typesOf(id)).toContain('ResourcePersonErased');
  });
});

describe('who may not', () => {
  test('a member reads and submits, but changes nothing', async () => {
    const id = await dash.submission(team, { name: 'Guarded Place' });
    const account = await dash.account();
    await dash.member(team, account, 'member');
    const member = await dash.signedIn(account);
    await member.open(at(`/${id}`));
    expect(member.heading).toBe('Guarded Place');
    expect(member.text).not.toContain('Edit');
    for (const path of [`/${id}/edit`, `/${id}/status`, `/${id}/people`]) {
      expect((await member.open(at(path))).status, path).toBe(404);
      await member.open('/dash/me');
      const sent = { token: member.hidden('token'), team, action: 'approve', name: 'Other' };
      expect((await member.post(`/dash/resources${path}`, sent)).status, path).toBe(404);
    }
    expect(await typesOf(id)).toEqual(['ResourceSubmitted']);
  });

  test('people of other teams do not see it', async () => {
    const id = await dash.submission(team, { name: 'Foreign Place' });
    await dash.team('elsewhere');
    const account = await dash.account();
    await dash.member('elsewhere', account, 'admin');
    const stranger = await dash.signedIn(account);
    for (const path of ['', '/edit', '/people']) {
      expect((await stranger.open(at(`/${id}${path}`))).status).toBe(404);
      expect((await stranger.open(`/dash/resources/${id}${path}?team=elsewhere`)).status).toBe(404);
      expect(stranger.text).not.toContain('Foreign Place');
    }
    expect((await stranger.open('/dash/resources/r_0000000000000000?team=elsewhere')).status).toBe(404);
  });
});
