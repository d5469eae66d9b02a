import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { submitOrganization, commandOrganization } from '../../../src/commands/directory/organization.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { publishForm } from '../../../src/commands/forms.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { anyForm } from '../../support/any-form.ts';
import { until } from '../../support/until.ts';
import { anAddress, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context, legacy, v1, type TestKey } from '../harness.ts';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
let team: string;
let teams = 0;
beforeAll(async () => {
  dash = await startDashboard();
  admin = await dash.account({ profile: { name: 'Ada Admin' } });
});
afterAll(() => dash.stop());
beforeEach(async () => {
  team = `house-${++teams}`;
  await dash.team(team, ['team:manage', 'members:read']);
  await dash.member(team, admin, 'admin');
  browser = await dash.signedIn(admin);
});

const page = (path = '') => `/dash/t/${team}/team/settings${path}`;
async function close(name = team): Promise<void> {
  await browser.open(page('/close'));
  await browser.press('Close the team', { name });
}
async function reopen(): Promise<void> {
  await browser.open(page());
  await browser.press('Open the team again');
  expect(browser.text).toContain('The team is open again.');
}
const closings = async () =>
  (await dash.events(`team-${team}`)).map(({ type }) => type).filter((type) => /Closed|Reopened/.test(type));
const get = (url: string, key: TestKey, server = dash.server) => server.inject({ url, headers: key.bearer });
const gone = async (path: string) => (await dash.browser().open(path)).status;

describe('closing a team', () => {
  test('says first what it does, and is done by who types the name', async () => {
    await dash.resources(2, { team });
    await dash.key({ kind: 'team', team, scopes: ['members:read'] });
    await browser.open(page());
    await browser.follow('Close the team');
    expect(browser.heading).toBe(`Close ${team}?`);
    for (const text of [
      'API keys (1)',
      'Webhooks (0)',
      'Public records (2) and organizations (0)',
      '30 days',
    ])
      expect(browser.text).toContain(text);
    await browser.press('Close the team', { name: 'another' });
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toContain('This is not the name of the team.');
    expect(await closings()).toEqual([]);
    await browser.press('Close the team', { name: ` ${team} ` });
    expect(browser.text).toContain('The team is closed. Nothing of it is erased.');
    expect(await closings()).toEqual(['TeamClosed']);
    await browser.open(`/dash/t/${team}/audit`);
    expect(browser.text).toContain(`Ada Admin closed ${team}`);
  });

  test('refuses its keys with the next request, also where they are cached, until it is open again', async () => {
    const key = await dash.key({ kind: 'team', team, scopes: ['resources:read', 'members:read'] });
    const servers = [dash.server, await dash.another()];
    const statuses = async () =>
      Promise.all(
        servers.flatMap((server) =>
          [v1, '/dash/api/v1/members'].map(async (url) => (await get(url, key, server)).statusCode),
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await close();
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    const revoked = await dash.key({});
    await dash.revoke(revoked.keyId);
    expect((await get(v1, key)).json()).toEqual((await get(v1, revoked)).json());
    await reopen();
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test('takes out what is public of its directory, and opening it puts back the same', async () => {
    const reader = await dash.key();
    const [record = '', withdrawn = ''] = await dash.resources(3, { team });
    const waiting = await dash.submission(team);
    await dash.command(withdrawn, { kind: 'deactivate' });
    const trust = { team, fields: { name: 'Harbor Trust', description: 'Food.' } };
    const { state } = await submitOrganization(dash.system, trust, context());
    const org = state?.org_id ?? '';
    await commandOrganization(dash.system, org, { kind: 'approve' }, context());
    await dash.caughtUp();
    const changesUrl = '/dash/api/v1/changes';
    interface Changes {
      readonly cursor: string;
      readonly data: readonly { readonly svc_id: string; readonly change: string }[];
    }
    const { cursor } = (await get(changesUrl, reader)).json<Changes>();
    const shown = async () =>
      Promise.all([`/r/${record}`, `/r/${withdrawn}`, `/r/${waiting}`, `/o/${org}`].map(gone));
    const before = await shown();
    expect(before).toEqual([200, 410, 404, 200]);
    await close();
    expect(await shown()).toEqual([410, 410, 404, 410]);
    expect((await get(`${v1}/${record}`, reader)).statusCode).toBe(404);
    expect((await get(legacy, reader)).body).not.toContain(record);
    const { data } = (await get(`${changesUrl}?cursor=${cursor}`, reader)).json<Changes>();
    expect(data.find(({ svc_id }) => svc_id === record)).toMatchObject({ change: 'removed' });
    await browser.open(page());
    expect(browser.text).toContain('0 public');

    await reopen();
    await until(async () => (await shown()).every((status, place) => status === before[place]));
    expect((await get(`${v1}/${record}`, reader)).statusCode).toBe(200);
    const [taken] = (await dash.events(`resource-${record}`)).slice(-2);
    expect(taken).toMatchObject({ type: 'ResourceDeactivated', data: { reason: 'The team was closed.' } });
  });

  test('ends only when no node lets anything through that saw the team open a moment before', async () => {
    const { personal } = dash.system;
    const elsewhere = { personal, store: altered<EventStore>(dash.system.store, {}) };
    const [seen, waiting] = [await dash.submission(team), await dash.submission(team)];
    await browser.open(page('/close'));
    await commandResource(elsewhere, seen, { kind: 'reject', reason: 'No such place.' }, context());
    await browser.press('Close the team', { name: team });
    await expect(commandResource(elsewhere, waiting, { kind: 'approve' }, context())).rejects.toThrow(
      'is closed',
    );
  });

  test('closes its forms and its invitations', async () => {
    const { store } = dash.system;
    const origin = 'https://house.example';
    await publishForm(store, { team, slug: 'help' }, anyForm({ allowed_origins: [origin] }), context());
    const email = anAddress();
    await dash.invited(team, email, 'member');
    await close();
    const form = await dash.browser().open(`/f/${team}/help`);
    expect(form.text).toContain('closed');
    const headers = { origin, accept: 'application/json', 'content-type': 'application/json' };
    const sent = await dash.server.inject({ method: 'POST', url: `/f/${team}/help`, headers, payload: '{}' });
    expect([sent.statusCode, sent.json()]).toMatchObject([410, { error: 'form_closed' }]);
    const invited = await dash.browser().open(await dash.link(email));
    expect(invited.status).toBe(410);
    expect(invited.text).toContain('This team is closed');
    await reopen();
    expect((await dash.browser().open(`/f/${team}/help`)).text).not.toContain('closed');
    expect((await dash.browser().open(await dash.link(email))).status).toBe(200);
  });

  test('shows its members that it is closed, and lets admins alone open it again', async () => {
    const reviewer = await dash.account();
    await dash.member(team, reviewer, 'reviewer');
    const theirs = await dash.signedIn(reviewer);
    await theirs.open('/dash/me');
    const token = theirs.hidden('token');
    await close();
    for (const path of ['team', 'resources', 'resources/review', 'team/forms']) {
      expect((await theirs.open(`/dash/t/${team}/${path}`)).status, path).toBe(403);
      expect(theirs.heading).toBe(`${team} is closed`);
    }
    await theirs.open(`/dash/t/${team}`);
    expect(theirs.status).toBe(200);
    expect(theirs.text).toContain('An admin of the team can open it again.');
    await theirs.open('/dash/me/teams');
    expect(theirs.text).toContain('closed');
    expect((await theirs.post(page('/reopen'), { token, team })).status).toBe(404);
    // What the admin could do before is refused, too, by the page and by what it does.
    await browser.open('/dash/me');
    const own = browser.hidden('token');
    const before = await dash.events('');
    for (const [path, values] of [
      ['team/invite', { email: anAddress(), role: 'member' }],
      ['integrations/api-tokens', { label: 'New', scopes: 'resources:read' }],
      ['resources/new', { name: 'Pantry', category: 'food' }],
      ['team/settings', { name: 'Renamed', before: team }],
    ] as const) {
      const sent = await browser.post(`/dash/t/${team}/${path}`, { token: own, team, ...values });
      expect([403, 409], path).toContain(sent.status);
    }
    expect(await dash.events('')).toEqual(before);
    await browser.open(`/dash/t/${team}/audit`);
    expect(browser.status).toBe(200);
    await reopen();
    expect((await theirs.open(`/dash/t/${team}/team`)).status).toBe(200);
    expect(await closings()).toEqual(['TeamClosed', 'TeamReopened']);
  });

  test('twice is closing it once, and so is opening it', async () => {
    const other = await dash.signedIn(admin);
    await other.open(page('/close'));
    await close();
    await other.press('Close the team', { name: team });
    expect(other.text).toContain('The team is closed.');
    await other.open(page());
    await reopen();
    await other.press('Open the team again');
    expect(other.status).toBe(200);
    expect(await closings()).toEqual(['TeamClosed', 'TeamReopened']);
  });

  test('is refused for the team of those without one', async () => {
    const administrator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    await administrator.open('/dash/t/commons/team/settings');
    expect(administrator.text).not.toContain('Close the team');
    await administrator.open('/dash/t/commons/team/settings/close');
    await administrator.press('Close the team', { name: 'Commons' });
    expect(administrator.status).toBe(409);
    expect(administrator.text).toContain('This team gets the records of everybody without a team');
  });

  test('is done by a key with team:manage, which is refused from then on', async () => {
    await dash.resources(1, { team });
    const key = await dash.key({ kind: 'team', team, scopes: ['team:manage'] });
    const send = (name: string) =>
      dash.server.inject({
        method: 'POST',
        url: '/dash/api/v1/team/close',
        headers: key.bearer,
        payload: { name },
      });
    const wrong = await send('another');
    expect([wrong.statusCode, wrong.json()]).toMatchObject([422, { error: 'invalid' }]);
    const closed = await send(team);
    expect(closed.json()).toEqual({ slug: team, name: team, closed: true, taken_out: 1 });
    expect((await send(team)).statusCode).toBe(401);
    await browser.open(page());
    expect(browser.text).toContain('This team is closed');
    await reopen();
  });
});
