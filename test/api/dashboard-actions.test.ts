import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formIdOf, publishForm } from '../../src/commands/forms.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { createApiKey } from '../../src/commands/keys.ts';
import { recordPayment } from '../../src/commands/payments.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { anyForm } from '../support/any-form.ts';
import { context } from './harness.ts';
import { startDashboard, type Dashboard } from './accounts/harness.ts';
import type { PlainBrowser } from './accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const { store } = dash.system;
  const account = await dash.account({ role: 'administrator' });
  const member = await dash.account();
  await dash.member('harbour', account, 'admin');
  await dash.member('harbour', member, 'member');
  await dash.invited('harbour', 'newcomer@example.org', 'member');
  const by = { ...context(), actor: { kind: 'user', id: account.user } as const };
  const scopes = ['resources:read'] as const;
  for (const wish of [
    { kind: 'team', team: 'harbour' },
    { kind: 'developer', owner: account.user },
  ] as const)
    await createApiKey(dash.system, { ...wish, label: 'Kiosk', scopes, domains: [] }, randomBytes(32), {
      ...by,
      commandId: crypto.randomUUID(),
    });
  const site = await dash.site();
  await grantConsent(store, { user: account.user, client: site }, ['openid'], context());
  await dash.submission('harbour', { contacts: [{ name: 'Sample Contact' }] });
  const [record = ''] = await dash.resources(1, { team: 'harbour' });
  await reportMistake(
    dash.system,
    { svc_id: record, team: 'harbour', kind: 'closed', said: { text: 'It moved.' } },
    context(),
  );
  await publishForm(store, { team: 'harbour', slug: 'help' }, anyForm(), context());
  const form = formIdOf('harbour', 'help');
  await submitForm(dash.system, { team: 'harbour', form, version: 1 }, { name: 'Sam' }, context());
  await recordPayment(
    dash.system,
    'harbour',
    { member_id: member.user, amount_minor: 1250, currency: 'USD' },
    context(),
  );
  await createSubscription(
    dash.system,
    { team: 'harbour', url: 'https://example.org/hook', events: ['resource.approved'] },
    'whsec_secret',
    context(),
  );
  await dash.caughtUp();
  browser = await dash.signedIn(account);
});
afterAll(() => dash.stop());

/**
 * What the pages send, with the test that sends it without JavaScript (in this folder), and words of that test. A path
 * where one form does several things is followed by which.
 */
const sentBy: Readonly<Record<string, readonly [file: string, words: string]>> = {
  '/dash/administrators': ['accounts/administrators', 'press(add'],
  '/dash/audit': ['audit/dash/auditor', 'audit('],
  '/dash/audit/as-of': ['audit/dash/past-and-exports', 'asOf('],
  '/dash/audit/exports/file': ['audit/dash/past-and-exports', 'exports/file'],
  '/dash/developers': ['keys/developer-keys', 'Create'],
  '/dash/developers/{id}': ['keys/developer-keys', 'Save'],
  '/dash/developers/{id}/revoke': ['keys/developer-keys', 'Revoke'],
  '/dash/developers/{id}/roll': ['keys/key-life', 'Make the new key'],
  '/dash/developers/widget': ['directory/widget-generator', '/dash/developers/widget'],
  '/dash/first-steps/dismiss': ['home-lines', 'Close this list'],
  '/dash/integrations/api-tokens': ['keys/team-keys', 'Create'],
  '/dash/integrations/api-tokens/{id}': ['keys/developer-keys', 'Save'],
  '/dash/integrations/api-tokens/{id}/revoke': ['keys/team-keys', 'Revoke'],
  '/dash/integrations/api-tokens/{id}/roll': ['keys/key-life', 'Make the new key'],
  '/dash/integrations/webhooks/deliveries': ['webhooks/deliveries-pages', 'deliveries'],
  '/dash/integrations/webhooks/new': ['webhooks/webhooks-pages', '/new'],
  '/dash/integrations/webhooks/{id}/delete': ['webhooks/webhooks-pages', 'Delete'],
  '/dash/integrations/webhooks/{id}/deliveries': ['webhooks/deliveries-pages', 'deliveries'],
  '/dash/integrations/webhooks/{id}/name': ['webhooks/deliveries-pages', 'Save the name'],
  '/dash/integrations/webhooks/{id}/pause': ['webhooks/webhooks-pages', 'Pause'],
  '/dash/integrations/webhooks/{id}/prepare': ['webhooks/webhooks-pages', 'Prepare the next secret'],
  '/dash/integrations/webhooks/{id}/replay': ['webhooks/deliveries-pages', 'replay'],
  '/dash/integrations/webhooks/{id}/resend-failed': ['webhooks/deliveries-pages', 'Send again'],
  '/dash/integrations/webhooks/{id}/rotate': ['webhooks/webhooks-pages', '/rotate'],
  '/dash/integrations/webhooks/{id}/send-waiting': ['webhooks/deliveries-pages', 'Send now'],
  '/dash/integrations/webhooks/{id}/settings': ['webhooks/webhooks-pages', '/settings'],
  '/dash/integrations/webhooks/{id}/test': ['webhooks/deliveries-pages', 'Send a test'],
  '/dash/me/apps/revoke': ['oauth/connected-apps', 'Revoke'],
  '/dash/me/data': ['accounts/erase', 'data'],
  '/dash/me/email': ['accounts/account', 'Ask for the link'],
  '/dash/me/passkeys': ['accounts/passkeys', 'passkeys'],
  '/dash/me/password': ['accounts/account', 'password'],
  '/dash/me/profile': ['accounts/account', 'profile'],
  '/dash/me/mails': ['directory/dash/decision-mails', 'Your choice is saved'],
  '/dash/me/sessions/end-all': ['accounts/account', 'everywhere'],
  '/dash/me/teams/leave': ['teams/joining', 'Leave'],
  '/dash/operations examine': ['operations/parked-and-checks', 'Run now'],
  '/dash/operations rebuild': ['operations/rebuilds', 'rebuild'],
  '/dash/resources': ['directory/dash/records', 'q='],
  '/dash/resources/bulk': ['directory/dash/bulk', 'resources/bulk'],
  '/dash/resources/duplicates': ['directory/dash/duplicates', 'Not duplicates'],
  '/dash/resources/import': ['directory/dash/import', 'Compare'],
  '/dash/resources/import/followed look': ['directory/upkeep/following-page', 'Look at it'],
  '/dash/resources/new': ['directory/dash/records', 'Submit'],
  '/dash/resources/organizations': ['directory/dash/organizations', 'q='],
  '/dash/resources/organizations/new': ['directory/dash/organizations', 'Submit'],
  '/dash/resources/review': ['directory/dash/review', 'Approve'],
  '/dash/resources/{id}/edit': ['directory/dash/records', 'Save'],
  '/dash/resources/{id}/merge': ['directory/dash/duplicates', 'Merge'],
  '/dash/resources/{id}/people': ['directory/dash/records', 'Erase'],
  '/dash/resources/{id}/status': ['directory/dash/records', 'Take out of the directory'],
  '/dash/sign-out': ['accounts/signing-in', 'Sign out'],
  '/dash/sites/oauth/new': ['oauth/sites', 'Register'],
  '/dash/sites/oauth/{id}': ['oauth/sites', 'Save'],
  '/dash/sites/oauth/{id}/domains': ['oauth/domains', 'Check now'],
  '/dash/sites/oauth/{id}/preview': ['oauth/sites', 'preview'],
  '/dash/sites/oauth/{id}/status': ['oauth/sites', 'Deactivate'],
  '/dash/team/forms/f/{form}': ['forms/dash/answers', 'state=done'],
  '/dash/team/forms/f/{form}/answers': ['forms/dash/answers', 'Search'],
  '/dash/team/forms/f/{form}/answers/{id}/state': ['forms/dash/answers', 'Save the state'],
  '/dash/team/forms/f/{form}/answers/{id}/erase': ['forms/dash/forms', 'Erase'],
  '/dash/team/forms/f/{form}/close': ['forms/dash/forms', 'Close'],
  '/dash/team/forms/f/{form}/edit': ['forms/dash/forms', 'save'],
  '/dash/team/forms/f/{form}/readers': ['forms/dash/forms', 'Save'],
  '/dash/team/forms/f/{form}/settings/mails': ['forms/mails', 'settings/mails'],
  '/dash/team/forms/f/{form}/settings/retention': ['forms/mails', 'Save the days'],
  '/dash/team/forms/f/{form}/texts': ['forms/dash/translations', 'Save'],
  '/dash/team/forms/new': ['forms/dash/forms', 'add'],
  '/dash/team/invitation-link': ['teams/joining-at-once', 'Copy the link'],
  '/dash/team/invite': ['teams/members-page', '/dash/team/invite'],
  '/dash/team/members/{id}/remove': ['teams/members-page', 'Remove'],
  '/dash/team/members/{id}/role': ['teams/members-page', '/role'],
  '/dash/team/payments': ['payments/payment-pages', 'member='],
  '/dash/team/payments/record': ['payments/payment-pages', '/record'],
  '/dash/team/payments/members': ['payments/members', 'which=overdue'],
  '/dash/team/payments/members/add': ['payments/members', 'Add a member'],
  '/dash/team/payments/members/add-many': ['payments/members', 'Add them'],
  '/dash/team/payments/{id}/reverse': ['payments/payment-pages', 'Reverse'],
  '/dash/team/passkeys': ['teams/passkeys-required', 'Require passkeys'],
  '/dash/team/settings': ['teams/settings', 'Save the name'],
  '/dash/team/settings/close': ['teams/closing', 'Close the team'],
  '/dash/team/withdraw': ['teams/members-page', 'Withdraw'],
  '/dash/teams': ['teams/all-teams', 'Create a team'],
  '/dash/teams/t/{team}/invite': ['teams/all-teams', 'Send the invitation'],
  '/dash/teams/t/{team}/scopes': ['teams/all-teams', 'scopes'],
  '/dash/teams/t/{team}/time-zone': ['teams/all-teams', 'time-zone'],
};

test('every form that an admin and administrator comes to by links is sent by a test without JavaScript', async () => {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = ['/dash/t/harbour'];
  while (open.length > 0) {
    const path = open.pop() ?? '';
    if (seen.has(kindOf(path))) continue;
    seen.add(kindOf(path));
    await browser.open(path);
    expect([path, browser.status]).toEqual([path, 200]);
    for (const { action, fields } of browser.forms()) {
      const does = new Map(fields).get('do') ?? '';
      found.add(`${kindOf(action)} ${does}`.trim());
    }
    for (const [, to = ''] of browser.html.matchAll(/<a\s[^>]*href="(\/dash[^"]*)/g))
      open.push(to.replaceAll('&#38;', '&').replace(/#.*/, ''));
  }
  // A form whose buttons each do something of their own is one form.
  expect([...found].sort(), 'name the test that sends it in the list above').toEqual(
    Object.keys(sentBy).sort(),
  );
  for (const [file, words] of Object.values(sentBy)) {
    const test = readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8');
    expect([file, words, test.includes(words)]).toEqual([file, words, true]);
  }
});

/** A path without what names one of many things. */
const kindOf = (path: string): string =>
  (path.split(/[?#]/)[0] ?? '')
    .replace(/^\/dash\/t\/[^/]+/, '/dash')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
    .replaceAll(/\/(r_[0-9a-f]{16}|site_\w+)/g, '/{id}')
    .replaceAll(/\/(developers|api-tokens|keys)\/[0-9A-Za-z]{12}(?=\/|$)/g, '/$1/{id}')
    .replaceAll(/\/t\/[a-z-]+/g, '/t/{team}')
    .replaceAll(/\/f\/[a-z-]+/g, '/f/{form}');
