import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outbox } from '../../../src/api/accounts/outbox.ts';
import type { PageDependencies } from '../../../src/api/dashboard-dependencies.ts';
import type { SignedInPageContext, View } from '../../../src/api/pages/page-context.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { anAddress, password, startDashboard, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

test('the outbox shows no email when its opening cannot be recorded, and says so', async () => {
  const { system } = dash;
  const mails = new Outbox(system);
  await mails.put({ to: 'somebody@example.org', subject: 'A link', text: 'https://x.example/' }, 3_600);
  const store = altered(system.store, {
    append: () => Promise.reject(new StoreError('full', 'There is no room left.')),
  });
  const page = outbox({ ...system, store, outbox: mails } as unknown as PageDependencies);
  const context = { context: () => aCommand() } as unknown as SignedInPageContext;
  if (page.audience !== 'administrators') throw new Error('The outbox is for administrators.');
  const view = (await page.get?.(context)) as View;
  expect(view.status).toBe(503);
  expect(view.headers).toEqual({ 'retry-after': '5' });
  expect(view.content.text).toContain('no email is shown');
  expect(view.content.text).not.toContain('somebody');
});

test('the outbox names emails that cannot be opened by their times, and shows the others', async () => {
  const { side } = dash.system;
  const foreign = new Outbox({ side, masterKey: randomBytes(32) });
  await foreign.put({ to: 'nobody@example.org', subject: 'Lost', text: 'Lost' }, 3_600);
  await new Outbox(dash.system).put({ to: 'reader@example.org', subject: 'Kept', text: 'Kept' }, 3_600);
  const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
  expect(operator.status).toBe(200);
  await operator.open('/dash/outbox');
  expect(operator.status).toBe(200);
  expect(operator.text).toMatch(
    /One email cannot be opened and will not be sent: .* Written \d+ \w+ \d{4} at/,
  );
  expect(operator.text).toContain('reader@example.org');
});

test('an email leaves the outbox when its link was used, or works no more', async () => {
  const subjects = async (to: string) => (await dash.mails(to)).map(({ subject }) => subject);
  const email = anAddress();
  const browser = await dash.browser().open('/dash/register');
  await browser.press('Create account', { name: 'Sample Person', email, password });
  expect(await subjects(email)).toEqual(['Confirm your email address']);
  await browser.open(await dash.link(email));
  await browser.press('Confirm and sign in', { password });
  expect(await subjects(email), 'confirmed').toEqual([]);
  const visitor = await dash.browser().open('/dash/reset');
  await visitor.press('Ask for the link', { email });
  await visitor.open('/dash/reset');
  await visitor.press('Ask for the link', { email });
  expect(await subjects(email)).toEqual(['Choose a new password', 'Choose a new password']);
  await visitor.open(await dash.link(email));
  await visitor.press('Set the password', { password: 'nine patient otters diving' });
  expect(await subjects(email), 'used, and void').toEqual([
    'Your Commonweal account: a new password was set',
  ]);
  const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
  const next = anAddress();
  const account = await dash.account();
  const person = await dash.signedIn(account);
  await person.open('/dash/me/email');
  await person.press('Ask for the link', { email: next, password });
  expect(await subjects(next)).toEqual(['Confirm your new email address']);
  await person.open('/dash/me/sessions');
  await person.press('Sign out everywhere');
  await operator.open('/dash/outbox');
  expect(operator.text).not.toContain(next);
  expect(await subjects(next), 'void').toEqual([]);
});
