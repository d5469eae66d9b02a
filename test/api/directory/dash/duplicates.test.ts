import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { duplicateGroups } from '../../../../src/actions/directory/duplicates.ts';
import { createSubscription } from '../../../../src/commands/webhooks/subscription.ts';
import { fanOut } from '../../../../src/dispatch/fan-out.ts';
import { newSigningSecret } from '../../../../src/dispatch/signature.ts';
import { entityId } from '../../../../src/hsds/export/ids.ts';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { ofTeam } from '../../../../src/api/pages/paths.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { unsupervised } from '../../../dispatch/harness.ts';
import { context, legacy, v1, type TestKey } from '../../harness.ts';

let dash: Dashboard;
let reviewer: Account;
let browser: PlainBrowser;
let key: TestKey;
let team: string;
let count = 0;

beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account({ profile: { name: 'Ada Keeper' } });
  key = await dash.key();
});
afterAll(() => dash.stop());

beforeEach(async () => {
  team = `team-${String(++count)}`;
  await dash.team(team);
  await dash.member(team, reviewer, 'reviewer');
  browser = await dash.signedIn(reviewer);
});

const place = { street: '12 Harbor Street', city: 'Lakewood', region: 'AK', postal_code: '99501' };
const pantry: Partial<UnsealedFields> = {
  name: 'Corner Pantry',
  phones: [{ number: '555-010-7788' }],
  locations: [place],
};
const listed = (...all: readonly Partial<UnsealedFields>[]) =>
  dash.resources(all.length, { team, fields: (index) => ({ phones: [], locations: [], ...all[index] }) });
const at = (path: string, also: Record<string, string> = {}) => ofTeam(`/dash/resources${path}`, team, also);
const groups = async () =>
  (await duplicateGroups(dash.system.documents, team)).map(({ records }) => [...records].sort());
const read = (url: string) => dash.server.inject({ url, headers: key.bearer });
const typesOf = async (svcId: string) => (await dash.events(`resource-${svcId}`)).map(({ type }) => type);

/** Merges by the page, as a person does. */
async function merge(goes: string, stays: string): Promise<void> {
  await browser.open(at(`/${goes}/merge`, { into: stays }));
  expect(browser.status).toBe(200);
  await browser.press('Merge as chosen Corner Pantry');
}

describe('the groups', () => {
  test('are records of one name with a phone, an address or a web page in common, and not the same help at two places', async () => {
    const [one = '', other = ''] = await listed(
      pantry,
      { ...pantry, name: 'CORNER PANTRY, Inc.', locations: [{ ...place, street: '12 Harbor St, Suite 4' }] },
      { ...pantry, locations: [{ ...place, street: '40 Hill Road' }] },
      { ...pantry, name: 'Night Shelter' },
      { name: 'Corner Pantry' },
      { name: 'Help Line', url: 'https://www.help.example/line/' },
    );
    const waiting = await dash.submission(team, {
      name: 'Help line',
      url: 'http://help.example/line',
      phones: [],
      locations: [],
    });
    const found = await groups();
    expect(found).toContainEqual([one, other].sort());
    expect(found).toHaveLength(2);
    expect(found.flat()).toContain(waiting);
    await browser.open(at('/duplicates'));
    expect(browser.text).toContain('2 groups, 4 records.');
    expect(browser.text).toMatch(/Same name Same phone Same address/);
    await browser.open(at('/duplicates', { as: 'csv' }));
    expect(browser.html.split('\n').filter(Boolean)).toHaveLength(5);
    expect(browser.html).toMatch(/^group,in_common,svc_id,name/);
    await browser.open(at(''));
    await browser.follow('Duplicates');
    expect(browser.heading).toBe('Duplicates');
  });

  test('that are dismissed stay away, and come back when they have more in common', async () => {
    const [one = '', other = ''] = await listed({ ...pantry, locations: [] }, { ...pantry, locations: [] });
    await browser.open(at('/duplicates'));
    await browser.press('Not duplicates Corner Pantry');
    expect(browser.text).toContain('They are no longer shown as duplicates.');
    expect(browser.text).toContain('No records look like duplicates.');
    await dash.command(one, { kind: 'revise', change: { description: 'Bags of food.' } });
    expect(await groups()).toEqual([]);
    await dash.command(one, { kind: 'revise', change: { locations: [place] } });
    expect(await groups()).toEqual([]);
    await dash.command(other, { kind: 'revise', change: { locations: [place] } });
    expect(await groups()).toHaveLength(1);
  });

  test('of other teams are none of this one', async () => {
    await listed(pantry, pantry);
    const others = `${team}-others`;
    await dash.team(others);
    expect(await duplicateGroups(dash.system.documents, others)).toEqual([]);
    const member = await dash.account();
    await dash.member(team, member, 'member');
    const theirs = await dash.signedIn(member);
    await theirs.open(at('/duplicates'));
    // Who may not open a page is told nothing of it.
    expect(theirs.status).toBe(404);
  });
});

describe('a merge', () => {
  test('suggests what says more, shows the result, and leads everybody from the one that goes to the one that stays', async () => {
    const [stays = '', goes = ''] = await listed(
      { ...pantry, description: 'Bags of food on Mondays.' },
      { ...pantry, phones: [{ number: '555-010-7788' }, { number: '555-010-7799' }], description: 'Food.' },
    );
    await browser.open(at(`/${goes}/merge`, { into: stays }));
    expect(browser.heading).toBe('Merge two records');
    const result = browser.text.slice(browser.text.indexOf('The result'));
    expect(result).toContain('Bags of food on Mondays.');
    expect(result).toContain('555-010-7799');
    await browser.open(
      at(`/${goes}/merge`, { into: stays, 'use-phones': 'stays', 'use-description': 'goes' }),
    );
    const chosen = browser.text.slice(browser.text.indexOf('The result'));
    expect(chosen).not.toContain('555-010-7799');
    expect(chosen).not.toContain('Mondays');
    await browser.press('Merge as chosen Corner Pantry');
    expect(browser.path).toBe('/dash/resources/duplicates');
    expect(browser.text).toContain('They are merged.');
    expect(await groups()).toEqual([]);
    expect(await typesOf(goes)).toEqual(['ResourceSubmitted', 'ResourceApproved', 'ResourceMerged']);
    expect(await typesOf(stays)).toEqual([
      'ResourceSubmitted',
      'ResourceApproved',
      'ResourceAbsorbed',
      'ResourceRevised',
    ]);

    const page = await dash.server.inject({ url: `/r/${goes}` });
    expect([page.statusCode, page.headers.location, page.headers['cache-control']]).toEqual([
      308,
      `/r/${stays}`,
      'no-cache',
    ]);
    const report = await dash.server.inject({ url: `/r/${goes}/report` });
    expect([report.statusCode, report.headers.location]).toEqual([308, `/r/${stays}/report`]);
    const service = await read(`/hsds/services/${entityId(goes, 'service')}`);
    expect([service.statusCode, service.headers.location]).toEqual([
      308,
      `/hsds/services/${entityId(stays, 'service')}`,
    ]);
    const gone = await read(`${v1}/${goes}`);
    expect(gone.statusCode).toBe(410);
    expect(gone.headers['content-type']).toContain('application/problem+json');
    expect(gone.json()).toMatchObject({ error: 'merged', merged_into: stays, status: 410 });
    expect((await read(`${v1}/${stays}`)).json()).toMatchObject({ description: 'Food.' });
    const changes = (await read('/dash/api/v1/changes?limit=100')).json<{
      data: { svc_id: string; change: string }[];
    }>();
    expect(changes.data.find(({ svc_id }) => svc_id === goes)).toMatchObject({ change: 'removed' });
    for (const list of [`${v1}?limit=100`, `${legacy}?limit=100&key=${key.key}`, '/sitemap/0-1.xml']) {
      const { statusCode, payload } = await read(list);
      expect([list, statusCode]).toEqual([list, 200]);
      expect(payload, list).toContain(stays);
      expect(payload, list).not.toContain(goes);
    }
    await browser.open(at(`/${goes}`));
    expect(browser.text).toContain('was merged into another one');
    expect(browser.text).not.toContain('Put back');
    expect(browser.text).toMatch(/Ada Keeper merged Corner Pantry into Corner Pantry/);
  });

  test('leads along a chain to the last, and is undone in the reverse order', async () => {
    const [one = '', two = '', three = ''] = await listed(pantry, pantry, pantry);
    await merge(one, two);
    await merge(two, three);
    const page = await dash.server.inject({ url: `/r/${one}` });
    expect(page.headers.location).toBe(`/r/${three}`);
    expect((await read(`${v1}/${one}`)).json()).toMatchObject({ merged_into: three });
    await browser.post(at(`/${one}/unmerge`), { token: browser.hidden('token') });
    expect(browser.status).toBe(409);
    await browser.open(at(`/${two}`));
    await browser.press('Undo the merge Corner Pantry');
    expect(browser.text).toContain('The merge is undone.');
    expect((await dash.server.inject({ url: `/r/${two}` })).statusCode).toBe(200);
    expect((await dash.server.inject({ url: `/r/${one}` })).headers.location).toBe(`/r/${two}`);
  });

  test('undone from the list of duplicates, the record is public again, and is a duplicate again', async () => {
    const [stays = '', goes = ''] = await listed(pantry, { ...pantry, description: 'Food.' });
    await merge(goes, stays);
    expect((await read(`${v1}/${stays}`)).json()).toMatchObject({ description: 'Food.' });
    await browser.press('Undo the merge Corner Pantry');
    expect(browser.path).toBe(`/dash/resources/${goes}`);
    expect((await read(`${v1}/${goes}`)).statusCode).toBe(200);
    expect((await read(`${v1}/${stays}`)).json()).toMatchObject({ description: null });
    expect(await groups()).toHaveLength(1);
  });

  test('is refused when one of the two was changed meanwhile, and shows both anew', async () => {
    const [stays = '', goes = ''] = await listed(pantry, pantry);
    await browser.open(at(`/${goes}/merge`, { into: stays }));
    await dash.command(stays, { kind: 'revise', change: { description: 'New.' } });
    await browser.press('Merge as chosen Corner Pantry');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed one of the two records');
    expect(browser.text).toContain('New.');
    await browser.press('Merge as chosen Corner Pantry');
    expect(browser.text).toContain('They are merged.');
  });

  test('of other teams, into itself, of rubbish and without the right is refused', async () => {
    const [stays = '', goes = ''] = await listed(pantry, pantry);
    const [foreign = ''] = await dash.resources(1, { team: 'harbour' });
    for (const [path, into, status] of [
      [goes, foreign, 404],
      [foreign, stays, 404],
      [goes, goes, 422],
      [goes, '<b>', 404],
      [goes, '', 404],
      ['r_0000000000000000', stays, 404],
    ] as const) {
      await browser.open(at(`/${path}/merge`, { into }));
      expect(browser.status, `${path} ${into}`).toBe(status);
    }
    await browser.open(at(`/${goes}/merge`, { into: stays }));
    const token = browser.hidden('token');
    await browser.post(at(`/${goes}/merge`), {
      token,
      do: 'merge',
      into: stays,
      'use-rubbish': 'goes',
      seen: 'x',
    });
    expect(browser.status).toBe(409);
    await browser.post(at('/duplicates'), { token, record: '<script>' });
    expect(browser.status).toBe(422);
    const member = await dash.account();
    await dash.member(team, member, 'member');
    const theirs = await dash.signedIn(member);
    await theirs.open(at(''));
    await theirs.post(at(`/${goes}/merge`), { token: 'x', into: stays });
    expect(theirs.status).toBeGreaterThanOrEqual(403);
    expect(await typesOf(goes)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
  });
});

describe('beside a merge', () => {
  test('webhooks say once of each step what became of the records, also when it is undone and made again', async () => {
    const [stays = '', goes = ''] = await listed(pantry, { ...pantry, description: 'Food.' });
    const secret = newSigningSecret(randomBytes);
    const chosen = { team, url: 'https://receiver.example/', events: ['resource.changed'] } as const;
    await createSubscription(dash.system, chosen, secret, context());
    await dash.caughtUp();
    await merge(goes, stays);
    await browser.press('Undo the merge Corner Pantry');
    await merge(goes, stays);
    const sources = (svcId: string) => dash.events(`resource-${svcId}`);
    await dash.command(stays, { kind: 'revise', change: { hours: 'Mondays' } });

    const stop = new AbortController();
    const dispatching = { ...dash.system, now: () => new Date(), onFault: () => () => undefined };
    const fanning = fanOut(dispatching as never, stop.signal, { ...unsupervised });
    const scheduled = async () =>
      (await dash.events('webhook-delivery-')).flatMap(({ type, data }) =>
        type === 'DeliveryScheduled' && data['team'] === team ? [data['source'] as Source] : [],
      );
    interface Source {
      readonly stream: string;
      readonly revision: number;
    }
    const isLast = (all: readonly Source[], last: number) =>
      all.some(({ stream, revision }) => stream === `resource-${stays}` && revision === last);
    const last = (await sources(stays)).length - 1;
    await expect.poll(async () => isLast(await scheduled(), last), { timeout: 20_000 }).toBe(true);
    stop.abort();
    await fanning;
    const found = (await scheduled()).map(({ stream, revision }) => `${stream} ${String(revision)}`);
    expect(new Set(found).size).toBe(found.length);
    const announced: string[] = [];
    for (const id of [goes, stays])
      for (const [revision, { type }] of (await sources(id)).entries())
        if (found.includes(`resource-${id} ${String(revision)}`)) announced.push(`${id} ${type}`);
    const each = (id: string, ...types: string[]) => types.map((type) => `${id} Resource${type}`);
    expect(announced).toEqual([
      ...each(goes, 'Merged', 'Unmerged', 'Merged'),
      ...each(stays, 'Revised', 'Revised', 'Revised', 'Revised'),
    ]);
  });

  test('a confidential address goes along and stays confidential', async () => {
    const hidden = { street: '9 Hidden Lane', city: 'Lakewood', region: 'AK', confidential: true } as const;
    const [stays = '', goes = ''] = await listed(
      { ...pantry, locations: [] },
      { ...pantry, locations: [hidden] },
    );
    await browser.open(at(`/${goes}/merge`, { into: stays, 'use-locations': 'goes' }));
    await browser.press('Merge as chosen Corner Pantry');
    expect(browser.text).toContain('They are merged.');
    for (const url of [
      ...[`/r/${stays}`, `${v1}/${stays}`, `${v1}?q=hidden+lane`, `${legacy}?limit=100&key=${key.key}`],
      ...[`/hsds/services/${entityId(stays, 'service')}`, '/dash/api/v1/changes?limit=100'],
    ]) {
      const { statusCode, payload } = await read(url);
      expect([url, statusCode]).toEqual([url, 200]);
      expect(payload, url).not.toContain('9 Hidden Lane');
    }
    expect((await read(`${v1}/${stays}`)).payload).toContain('Lakewood');
  });

  test('a decision about many passes over the one that went, and says so', async () => {
    const [stays = '', goes = '', third = ''] = await listed(pantry, pantry, { name: 'Night Shelter' });
    await merge(goes, stays);
    await browser.open(at('/import'));
    const values = new URLSearchParams({ team, do: 'take-out', token: browser.hidden('token') });
    values.set('once', crypto.randomUUID());
    for (const id of [goes, third]) values.append('record', id);
    await browser.post(at('/bulk'), values);
    await browser.press('Take 2 records out', { reason: 'Closed.' });
    expect(browser.text).toContain('Done 1');
    expect(browser.text).toMatch(/Skipped: [^0-9]* 1/);
    expect((await typesOf(goes)).at(-1)).toBe('ResourceMerged');
    expect((await typesOf(third)).at(-1)).toBe('ResourceDeactivated');
  });
});
