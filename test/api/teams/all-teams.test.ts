import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAddress, startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  browser = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());

test('an administrator creates a team, says what its keys may do, and invites its first admin', async () => {
  await browser.open('/dash/teams');
  expect(browser.text).toContain('harbour');
  await browser.press('Create a team', { name: 'Night Kitchen', slug: 'night-kitchen' });
  expect(browser.heading).toBe('Night Kitchen');
  expect(browser.text).toContain('The team is created.');
  const scopes = new URLSearchParams([
    ['token', browser.hidden('token')],
    ['scopes', 'forms:read'],
    ['scopes', 'directory:manage'],
    ['scopes', 'resources:read'],
  ]);
  await browser.post('/dash/teams/t/night-kitchen/scopes', scopes);
  expect(browser.text).toContain('What keys of this team may do is saved.');
  const email = anAddress();
  await browser.press('Send the invitation', { email });
  expect(browser.text).toContain('its email waits in the outbox. Open the outbox');
  expect(browser.html).toContain('href="/dash/outbox"');
  expect(await dash.events('team-night-kitchen')).toMatchObject([
    { type: 'TeamCreated', data: { name: 'Night Kitchen' } },
    { type: 'TeamScopesEnabled', data: { scopes: ['directory:manage', 'forms:read'] } },
    { type: 'MemberInvited', data: { role: 'admin' } },
  ]);
  await browser.post('/dash/teams/t/night-kitchen/scopes', scopes);
  expect((await dash.browser().open(await dash.link(email))).text).toContain('Night Kitchen');
});

test('what is wrong is said beside the field, and what was typed stays', async () => {
  await browser.open('/dash/teams');
  await browser.press('Create a team', { name: ' ', slug: 'No Slug' });
  expect(browser.status).toBe(422);
  expect(browser.problem('name')).toBeDefined();
  expect(browser.problem('slug')).toContain('small letters');
  expect(browser.html).toContain('value="No Slug"');
  await browser.press('Create a team', { name: 'Second', slug: 'harbour' });
  expect(browser.status).toBe(409);
  expect(browser.problem('slug')).toContain('There is a team harbour already.');
  await browser.open('/dash/teams/t/harbour');
  await browser.press('Send the invitation', { email: 'nobody' });
  expect(browser.status).toBe(422);
  expect(browser.problem('email')).toContain('This is not an email address.');
  expect((await browser.open('/dash/teams/t/no-such-team')).status).toBe(404);
});

test('an admin of a team can neither see nor change all teams', async () => {
  const person = await dash.account();
  await dash.member('harbour', person, 'admin');
  const theirs = await dash.signedIn(person);
  for (const path of ['/dash/teams', '/dash/teams/t/harbour'])
    expect((await theirs.open(path)).status).toBe(403);
  await theirs.open('/dash/me');
  const token = theirs.hidden('token');
  const before = await dash.events('team-');
  for (const path of ['/dash/teams', '/dash/teams/t/harbour/scopes', '/dash/teams/t/harbour/invite'])
    expect(
      (await theirs.post(path, { token, name: 'Mine', slug: 'mine', scopes: 'forms:read' })).status,
    ).toBe(403);
  expect(await dash.events('team-')).toEqual(before);
});

test('an administrator sets the time zone of a team, and takes it away; one that does not exist is refused', async () => {
  await browser.open('/dash/teams/t/harbour');
  const page = '/dash/teams/t/harbour/time-zone';
  const send = (time_zone: string) =>
    browser.post(page, new URLSearchParams({ token: browser.hidden('token'), time_zone }));
  await send('Mars/Olympus');
  expect(browser.status).toBe(422);
  expect(browser.problem('time_zone')).toContain('There is no such time zone.');
  expect(browser.html).toContain('value="Mars/Olympus"');
  await send(' America/Chicago ');
  expect(browser.text).toContain('The time zone of this team is changed.');
  expect(browser.html).toContain('value="America/Chicago"');
  await send('');
  const set = (await dash.events('team-harbour')).filter(({ type }) => type === 'TeamTimeZoneSet');
  expect(set.map(({ data }) => data)).toEqual([
    { team: 'harbour', time_zone: 'America/Chicago' },
    { team: 'harbour' },
  ]);
});
