import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayErasures } from '../../../src/erasure/replay.ts';
import { personOf } from '../../../src/personal/personal-data.ts';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { addListed } from '../../../src/commands/teams/listed-member.ts';
import { context } from '../harness.ts';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
let member: PlainBrowser;
const list = '/dash/team/payments/members?team=harbour';
beforeAll(async () => {
  dash = await startDashboard({ now: () => new Date('2026-11-20T12:00:00Z') });
  admin = await dash.account();
  const plain = await dash.account();
  await dash.member('harbour', admin, 'admin');
  await dash.member('harbour', plain, 'member');
  browser = await dash.signedIn(admin);
  member = await dash.signedIn(plain);
});
afterAll(() => dash.stop());

const kinds = async (of: string) => (await dash.events(of)).map(({ type }) => type);
const rows = async (csv: string) => {
  await browser.open('/dash/team/payments/members/add-many?team=harbour');
  return browser.press('Add them', { rows: csv });
};
const open = async (name: string) => {
  await browser.open(list);
  return browser.follow(name);
};
test('a member is written down, changed, and found as overdue; no event holds who it is', async () => {
  await browser.open(list);
  expect(browser.text).toContain('There is no member without an account yet.');
  await browser.follow('Add a member');
  for (const [field, wrong] of [
    ['name', ' '],
    ['email', 'not an address'],
    ['paid_until', '2026-02-30'],
    ['phone', 'x'.repeat(41)],
  ] as const) {
    await browser.press('Save', { name: 'Zora "Q" <b>', email: 'zora@example.org', [field]: wrong });
    expect([browser.status, browser.problem(field) === undefined], field).toEqual([422, false]);
  }
  await browser.press('Save', {
    name: 'Zora "Q" <b>Quill',
    email: 'zora@example.org',
    phone: '305 555 0100',
    paid_until: '2026-11-19',
  });
  expect(browser.text).toContain('The member is added.');
  expect(browser.html).not.toContain('<b>Quill');
  expect(browser.text).toContain('overdue');
  await browser.open(`${list}&which=overdue`);
  expect(browser.text).toContain('Zora');
  await open('Zora "Q" <b>Quill');
  await browser.press('Save', { paid_until: '2026-11-20', note: 'Pays in cash' });
  expect(browser.text).toContain('The member is changed.');
  await browser.press('Save');
  expect(await kinds('listed-member-')).toEqual(['ListedMemberAdded', 'ListedMemberChanged']);
  await browser.open(`${list}&which=overdue`);
  expect(browser.text).toContain('Nobody is overdue.');
  expect(JSON.stringify(await dash.events('listed-member-'))).not.toMatch(/Zora|zora|555|cash/);
});

test('payments are recorded for them; the currency is remembered, and sums are by currency', async () => {
  await open('Zora "Q" <b>Quill');
  await browser.follow('Record a payment');
  const [first] = await dash.events('listed-member-');
  const id = String(first?.data['member']);
  const record = (amount: string, currency: string, more = {}) =>
    browser.press('Record', { member: id, amount, currency, memo: 'Dues', ...more });
  for (const amount of ['-5', '0', '1e3', '9'.repeat(17)]) {
    await record(amount, 'USD');
    expect([browser.status, browser.problem('amount') === undefined], amount).toEqual([422, false]);
  }
  await record('12.50', 'EUR');
  expect(browser.text).toContain('The payment is recorded.');
  expect(browser.text).toContain('Zora');
  await browser.follow('Record a payment');
  expect(browser.html).toContain('value="EUR"');
  await record('40', 'USD');
  await browser.open(list);
  expect(browser.text).toContain('12.50 EUR, 40.00 USD');
  await browser.open('/dash/team/payments?team=harbour');
  expect(browser.text).toContain('Together: 12.50 EUR, 40.00 USD');
});

test('many are added by a table: with one row that is wrong none, and nobody twice', async () => {
  const before = (await kinds('listed-member-')).length;
  await rows('name,email,paid_until\nAda,ada@example.org,2026-12-31\nBob,bob@,2026-02-30\n,x@example.org,\n');
  expect(browser.status).toBe(422);
  for (const row of ['Row 3', 'Row 4']) expect(browser.text).toContain(row);
  expect(await kinds('listed-member-')).toHaveLength(before);
  for (const rubbish of ['', 'name', '"', 'a;b\n"x', '__proto__,constructor\n1,2']) {
    await rows(rubbish);
    expect(browser.status, rubbish).toBe(422);
  }
  await rows(
    'Name;E-mail;Email;Paid until\nAda;-;ada@example.org;2026-12-31\n=SUM(1);;;\nZ;;zora@example.org;\nA;;ada@example.org;',
  );
  expect(browser.text).toContain('The members are added.');
  expect(await kinds('listed-member-')).toHaveLength(before + 2);
  await browser.open('/dash/team/payments/members.csv?team=harbour');
  expect(browser.html).toContain("'=SUM(1)");
  expect(browser.html).toMatch(
    /Zora ""Q"" <b>Quill",zora@example.org,305 555 0100,Pays in cash,2026-11-20,,"12.50 EUR, 40.00 USD"/,
  );
});

test('who joins with the same address becomes one with the member, and the payments follow', async () => {
  const zora = await dash.account({ email: 'zora@example.org', profile: { name: 'Zora Account' } });
  await open('Zora "Q" <b>Quill');
  expect(browser.text).not.toContain('Make one with the account');
  await dash.member('harbour', zora, 'member');
  await open('Zora "Q" <b>Quill');
  const [first] = await dash.events('listed-member-');
  const id = String(first?.data['member']);
  await browser.press('Make one with the account Zora "Q" <b>Quill');
  expect(browser.text).toContain('They are one now.');
  expect(await kinds('payment-')).toEqual([
    'PaymentRecorded',
    'PaymentRecorded',
    'PaymentReassigned',
    'PaymentReassigned',
  ]);
  expect(await dash.system.vault.get(personOf(id))).toBeUndefined();
  await browser.open(`/dash/team/payments?team=harbour&member=${zora.user}`);
  expect(browser.text).toContain('Zora Account');
  expect(browser.text).toContain('Dues');
  await browser.open(list);
  expect(browser.text).not.toContain('Zora');
  // One row under the name of the account, with links to it and back.
  await browser.open(`${list}&which=joined`);
  await browser.follow('Zora Account');
  await browser.follow('The member with the account');
  expect([browser.heading, browser.status]).toEqual(['Zora Account', 200]);
  await browser.follow('Was on the list of members without an account');
  expect([browser.heading, browser.status]).toEqual(['Zora Account', 200]);
});

test('one is erased for ever, also again after a restored backup, and payments stay without a name', async () => {
  await open('Ada');
  await browser.open(browser.html.match(/href="([^"]*\/data[^"]*)"/)?.[1]?.replaceAll('&#38;', '&') ?? '');
  expect(JSON.parse(browser.html)).toMatchObject({ name: 'Ada', email: 'ada@example.org', payments: [] });
  await open('Ada');
  await browser.press('Erase Ada');
  expect(browser.text).toContain('The member is erased.');
  expect(browser.text).not.toContain('Ada');
  // A key that came back with a backup, of a log from before the erasure.
  const { system } = dash;
  const id = crypto.randomUUID();
  await addListed(system, 'harbour', id, { name: 'Back' }, context());
  const entries = async function* () {
    yield { holder: personOf(id), at: '2026-01-01T00:00:00.000Z' };
  };
  expect(await replayErasures(system, { entries })).toEqual([personOf(id)]);
  expect((await kinds('listed-member-')).at(-1)).toBe('ListedMemberErased');
});

test('is for admins alone, of their own team', async () => {
  await member.open(list);
  expect(member.status).toBe(404);
  const [first] = await dash.events('listed-member-');
  await dash.team('library');
  await dash.member('library', admin, 'admin');
  for (const id of [String(first?.data['member']), 'rubbish', '__proto__']) {
    await browser.open(`/dash/team/payments/members/${id}?team=library`);
    expect(browser.status, id).toBe(404);
  }
});
