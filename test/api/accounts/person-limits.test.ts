import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';
import { givePasskey } from './soft-passkey.ts';

const changesPerHour = 4;
const signInsPerHour = 3;

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard({
    environment: { CHANGES_PER_HOUR: `${changesPerHour}`, SIGN_INS_PER_HOUR: `${signInsPerHour}` },
  });
});
afterAll(() => dash.stop());

const head = () => dash.system.store.head();

const savesName = async (browser: PlainBrowser, name: string) => {
  await browser.open('/dash/me/profile');
  return browser.press('Save', { name });
};

async function changesAll(browser: PlainBrowser): Promise<void> {
  for (let n = 0; n < changesPerHour; n++)
    expect((await savesName(browser, `Name ${n}`)).text).toContain('Your profile is saved.');
}

function expectRefusal(browser: PlainBrowser): void {
  expect(browser.status).toBe(429);
  expect(Number(browser.answer.get('retry-after'))).toBeGreaterThan(0);
  expect(browser.text).toMatch(/Wait (a minute|\d+ minutes) and try again\./);
}

describe('changes', () => {
  test('of one person end in 429, which keeps what was typed, and refusals append nothing', async () => {
    const account = await dash.account();
    await dash.member('harbour', account, 'admin');
    const browser = await dash.signedIn(account);
    await changesAll(browser);
    const before = await head();
    await savesName(browser, 'Ona van Example');
    expectRefusal(browser);
    expect(browser.text).toContain('What you typed is kept on this page.');
    expect(browser.hidden('name')).toBe('Ona van Example');
    await browser.press('Send it now');
    expectRefusal(browser);
    await browser.open('/dash/me/password');
    await browser.post('/dash/me/password', { token: browser.hidden('token'), password: 'a secret' });
    expectRefusal(browser);
    expect(browser.html).not.toContain('a secret');
    // A view that is recorded is appended like a change.
    expectRefusal(await browser.open('/dash/audit?team=harbour'));
    expect(await head()).toBe(before);
    const other = await dash.signedIn(await dash.account());
    expect((await savesName(other, 'Another Person')).text).toContain('Your profile is saved.');
  });

  test('that are refused for another reason do not count', async () => {
    const browser = await dash.signedIn(await dash.account());
    for (let n = 0; n < changesPerHour * 2; n++) {
      await savesName(browser, ' ');
      expect(browser.status).toBe(422);
    }
    await changesAll(browser);
    await savesName(browser, 'One more');
    expectRefusal(browser);
  });

  test('that one person sends at the same time are limited too', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me/profile');
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const token = browser.hidden('token');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        fetch(`${dash.origin}/dash/me/profile`, {
          method: 'POST',
          body: new URLSearchParams({ token, name: `Name ${n}` }),
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
          redirect: 'manual',
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - changesPerHour);
    expect(answers.filter(({ status }) => status === 303).length).toBeGreaterThan(0);
  });

  test('never keep anybody from signing out', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await changesAll(browser);
    await browser.open('/dash/me/sessions');
    await browser.press('Sign out everywhere');
    expect(browser.text).toContain('You are signed out everywhere.');
  });
});

describe('sign-ins', () => {
  const signsIn = async ({ email }: Account, secret = password) => {
    const browser = await dash.browser().open('/dash/sign-in');
    return browser.press('Sign in', { email, password: secret });
  };

  test('that succeed end in 429 and append nothing, and those that fail do not count', async () => {
    const account = await dash.account();
    const passkey = await givePasskey(dash, account);
    for (let n = 0; n < signInsPerHour + 1; n++)
      expect((await signsIn(account, 'nine patient otters diving')).status).toBe(422);
    let first: PlainBrowser | undefined;
    for (let n = 0; n < signInsPerHour; n++) {
      const browser = await signsIn(account);
      expect(browser.heading).toBe('Home');
      first ??= browser;
    }
    const before = await head();
    const refused = await signsIn(account);
    expectRefusal(refused);
    expect(refused.html).toContain(`value="${account.email}"`);
    await refused.post('/dash/sign-in/passkey', passkey.answerTo(refused));
    expectRefusal(refused);
    expect(await head()).toBe(before);
    expect((await first?.open('/dash/me'))?.status).toBe(200);
    expect((await signsIn(await dash.account())).heading).toBe('Home');
  });

  test('begin anew with a new password by mail', async () => {
    const account = await dash.account();
    for (let n = 0; n < signInsPerHour; n++) await signsIn(account);
    const browser = await signsIn(account);
    expectRefusal(browser);
    await browser.open('/dash/reset');
    await browser.press('Ask for the link', { email: account.email });
    await browser.open(await dash.link(account.email));
    const fresh = 'eleven brave lanterns humming';
    await browser.press('Set the password', { password: fresh });
    expect((await signsIn(account, fresh)).heading).toBe('Home');
  });
});

test('counts name nobody', async () => {
  const account = await dash.account();
  await savesName(await dash.signedIn(account), 'Counted Person');
  const db = new DatabaseSync(join(dash.folder, 'side.db'), { readOnly: true });
  const rows = db.prepare("SELECT key FROM limits WHERE key LIKE 'person-%'").all();
  db.close();
  expect(rows.length).toBeGreaterThan(1);
  for (const { key } of rows) expect(key).toMatch(/^person-[a-z-]+:[\w-]{43}$/);
});
