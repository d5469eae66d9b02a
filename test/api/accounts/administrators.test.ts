import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAddress, password, startDashboard, type Account, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';

let dash: Dashboard;
let first: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  first = await dash.account({ role: 'administrator', profile: { name: 'Maria First' } });
  browser = await dash.signedIn(first);
});
afterAll(() => dash.stop());

const page = '/dash/administrators';
const add = 'Make somebody an administrator';
const roles = async ({ user }: Account) =>
  (await dash.events(`user-${user}`))
    .filter(({ type }) => type === 'UserRoleChanged')
    .map(({ data }) => data);

describe('the page of administrators', () => {
  test('the last administrator cannot be removed', async () => {
    await browser.open(page);
    expect(browser.text).toContain(`Maria First you${first.email}`);
    await browser.follow('Remove Maria First');
    expect(browser.text).toContain('This is the only administrator, and stays one.');
    await browser.post(browser.url.pathname, { token: browser.hidden('token'), password });
    expect([browser.status, browser.text]).toEqual([409, expect.stringContaining('the only administrator')]);
    expect(await roles(first)).toEqual([]);
  });

  test('asks for the password before anything is told or changed', async () => {
    const second = await dash.account();
    await browser.open(page);
    await browser.press(add, { email: second.email, password: 'another password' });
    expect([browser.status, browser.problem('password')]).toEqual([
      422,
      'This is not the password of the account.',
    ]);
    expect(browser.html).toContain(`value="${second.email}"`);
    await browser.press(add, { email: anAddress(), password: '' });
    expect([browser.problem('email'), browser.problem('password')]).toEqual([
      undefined,
      'Enter your password.',
    ]);
    expect(await roles(second)).toEqual([]);
  });

  test('takes a person with a confirmed address alone', async () => {
    await browser.open(page);
    await browser.press(add, { email: anAddress(), password });
    expect([browser.status, browser.problem('email')]).toEqual([
      422,
      expect.stringContaining('Nobody has an account with this address.'),
    ]);
    const unconfirmed = await dash.account({ confirmed: false });
    await browser.press(add, { email: unconfirmed.email, password });
    expect(browser.problem('email')).toContain('Nobody has confirmed');
    expect(await roles(unconfirmed)).toEqual([]);
  });

  test('one adds another and removes them, all hear of it, and the next request is refused', async () => {
    const second = await dash.account({ profile: { name: 'Ben Second' } });
    const theirs = await dash.signedIn(second);
    expect((await theirs.open(page)).status).toBe(403);
    await browser.open(page);
    await browser.press(add, { email: second.email, password });
    expect(browser.text).toContain('They are an administrator now.');
    await browser.follow('See what was recorded');
    expect(browser.text).toContain('Ben Second');
    expect(await roles(second)).toMatchObject([{ role: 'administrator' }]);
    expect((await theirs.open(page)).status).toBe(200);
    for (const { email } of [first, second]) {
      const mail = (await dash.mails(email)).at(-1);
      expect(mail?.subject).toBe('Commonweal has a new administrator');
      expect(mail?.text).not.toMatch(/\bBen\b|@/);
    }
    await theirs.press(add, { email: first.email, password });
    expect(theirs.text).toContain('They are an administrator already');

    await browser.open(page);
    await browser.follow('Remove Ben Second');
    await browser.press('Remove Ben Second', { password: 'another password' });
    expect(browser.problem('password')).toBe('This is not the password of the account.');
    expect((await theirs.open(page)).status).toBe(200);
    await browser.press('Remove Ben Second', { password });
    expect(browser.text).toContain('They are no longer an administrator.');
    for (const path of [page, '/dash/operations', '/dash/teams'])
      expect((await theirs.open(path)).status).toBe(403);
    expect((await dash.mails(second.email)).at(-1)?.subject).toBe('Commonweal has one administrator less');
    expect((await dash.mails(first.email)).at(-1)?.subject).toBe('Commonweal has one administrator less');
  });

  test('one who gives up the role is told so, and of two who remove each other one stays', async () => {
    const [second, third] = [
      await dash.account({ role: 'administrator', profile: { name: 'Cy' } }),
      await dash.account({ role: 'administrator', profile: { name: 'Di' } }),
    ];
    await browser.open(`${page}/${first.user}`);
    await browser.press('Remove Maria First', { password });
    expect([browser.url.pathname, browser.text]).toEqual([
      '/dash/me',
      expect.stringContaining('You are no longer an administrator.'),
    ]);
    const [cy, di] = [await dash.signedIn(second), await dash.signedIn(third)];
    await Promise.all([cy.open(`${page}/${third.user}`), di.open(`${page}/${second.user}`)]);
    await Promise.all([cy.press('Remove Di', { password }), di.press('Remove Cy', { password })]);
    const changes = [...(await roles(second)), ...(await roles(third))];
    expect(changes).toMatchObject([{ role: 'person' }]);
  });

  test('is refused to everybody who is not an administrator', async () => {
    const person = await dash.signedIn(await dash.account());
    expect((await person.open(page)).status).toBe(403);
    const email = (await dash.account()).email;
    await person.post(page, { token: person.hidden('token'), email, password });
    expect(person.status).toBe(403);
  });
});
