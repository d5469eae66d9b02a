import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suggestChange } from '../../src/commands/directory/upkeep/suggestion.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { commandResource } from '../../src/commands/directory/resource.ts';
import { commandForm, formIdOf, publishForm } from '../../src/commands/forms.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { recordOfInstallation } from '../../src/commands/installation-record.ts';
import { auditEvents } from '../../src/projections/audit.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { appendImport } from '../support/append-import.ts';
import { startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import { context } from './harness.ts';

let dash: Dashboard;
let [ana, ben]: Account[] = [];

beforeAll(async () => {
  dash = await startDashboard();
  ana = await dash.account({ profile: { name: 'Ana Diaz' } });
  ben = await dash.account({ profile: { name: 'Ben Ode' } });
});
afterAll(() => dash.stop());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const by = (account: Account | undefined, at = new Date()) => ({
  ...context(),
  at,
  actor: { kind: 'user', id: account?.user ?? '' } as const,
});
const indexed = async () => {
  const { documents, store } = dash.system;
  await dash.caughtUp();
  await visible(documents, [auditEvents.collection.name], await store.head());
};
/** A team with both people. The rest of the story is the test’s. */
const team = async (name: string) => {
  await dash.team(name);
  await dash.member(name, ana as Account, 'admin');
  await dash.member(name, ben as Account, 'reviewer');
};
const submitted = async (of: string, count: number) => {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push(await dash.submission(of, { name: `Record ${n}` }));
  return made;
};
const approve = (svcId: string | undefined, context: ReturnType<typeof by>) =>
  commandResource(dash.system, svcId ?? '', { kind: 'approve' }, context);
const home = async (of: string, account = ana) => {
  await indexed();
  const browser = await dash.signedIn(account as Account);
  return browser.open(`/dash?team=${of}`);
};
const linesOf = (html: string): string[] => {
  const feed = html.split('<ul class="feed">')[1]?.split('</ul>')[0] ?? '';
  return [...feed.matchAll(/<a href="[^"]*"\s*>([^<]*)<\/a/g)].map(([, text = '']) => text.trim());
};

describe('what happened', () => {
  test('says in one line what one person did again within an hour, and opens all of it', async () => {
    await team('pier');
    const ids = await submitted('pier', 6);
    for (const [n, id] of ids.slice(0, 3).entries()) await approve(id, by(ana, minutesAgo(30 - n)));
    await approve(ids[3], by(ben, minutesAgo(20)));
    // More than an hour before.
    await approve(ids[4], by(ana, minutesAgo(200)));
    const browser = await home('pier');
    const lines = linesOf(browser.html);
    expect(lines.filter((each) => each.includes('approved')).toSorted()).toEqual([
      'Ana Diaz approved 3 records.',
      'Ana Diaz approved Record 4.',
      'Ben Ode approved Record 3.',
    ]);
    await browser.follow('Ana Diaz approved 3 records.');
    expect(browser.heading).toBe('Audit log');
    for (const n of [0, 1, 2]) expect(browser.text).toContain(`Ana Diaz approved Record ${n}.`);
    for (const other of ['Record 3.', 'Record 4.']) expect(browser.text).not.toContain(`approved ${other}`);
  });

  test('says once what one request did, with the first of it', async () => {
    await team('quay');
    const ids = await submitted('quay', 2);
    const request = { ...by(ben), correlationId: crypto.randomUUID() };
    await approve(ids[0], request);
    await commandResource(
      dash.system,
      ids[1] ?? '',
      { kind: 'reject', reason: 'It is closed.' },
      { ...request, commandId: crypto.randomUUID() },
    );
    const lines = linesOf((await home('quay')).html);
    expect(lines.filter((each) => each.startsWith('Ben Ode'))).toEqual(['Ben Ode approved Record 0.']);
  });

  test('keeps imports apart, each one line', async () => {
    await team('mole');
    for (let n = 0; n < 2; n += 1) await appendImport(dash.system.store, { team: 'mole', records: 3 });
    const lines = linesOf((await home('mole')).html);
    const line = 'An operator imported from county into the directory of mole: 3 new.';
    expect(lines.filter((each) => each === line)).toHaveLength(2);
  });
});

describe('what needs somebody', () => {
  test('has numbers and leads where it is done', async () => {
    await team('dock');
    const ids = await submitted('dock', 3);
    await approve(ids[0], by(ana));
    await dash.caughtUp();
    await reportMistake(
      dash.system,
      { svc_id: ids[0] ?? '', team: 'dock', kind: 'phone', said: {} },
      context(),
    );
    await suggestChange(
      dash.system,
      { svc_id: ids[0] ?? '', team: 'dock', by: 'visitor', kind: 'closed', suggested: {} },
      context(),
    );
    const of = { team: 'dock', slug: 'help' };
    const definition = {
      languages: ['en'],
      title: { en: 'Ask for help' },
      fields: [{ key: 'name', kind: 'text' as const, required: true, label: { en: 'Name' } }],
      allowed_origins: [],
    };
    await publishForm(dash.system.store, of, definition, context());
    await commandForm(dash.system.store, of, { kind: 'choose readers', readers: 'admin' }, context());
    const form = formIdOf('dock', 'help');
    for (const name of ['Zoe', 'Cy'])
      await submitForm(dash.system, { team: 'dock', form, version: 1 }, { name }, context());
    await dash.invited('dock', 'zoe@example.org', 'member');
    const browser = await home('dock');
    for (const sentence of [
      '2 records wait for a decision.',
      '1 mistake was reported.',
      '1 change is suggested.',
      '2 answers to forms are new: nobody has begun with them.',
      '1 person is invited and has not joined yet.',
    ])
      expect(browser.text).toContain(sentence);
    for (const to of [
      '/dash/t/dock/resources/review"',
      '/dash/t/dock/resources/review?show=mistakes"',
      '/dash/t/dock/resources/review?show=suggestions"',
      '/dash/t/dock/team/forms/f/help"',
      '/dash/t/dock/team"',
    ])
      expect(browser.html).toContain(`href="${to}`);
    // What another may not do or read is not theirs to see.
    const reviewer = await home('dock', ben);
    expect(reviewer.text).toContain('2 records wait for a decision.');
    expect(reviewer.text).not.toMatch(/answers to forms|invited/);
  });
});

describe('the first steps', () => {
  const open = (text: string, step: string) => text.includes(`${step}: not done yet`);
  const done = (text: string, step: string) => text.includes(`${step}: done`);

  test('tick themselves from what there is, and leave when all are done', async () => {
    await dash.team('bay');
    await dash.member('bay', ana as Account, 'admin');
    let { text } = await home('bay');
    for (const step of ['Fill the directory', 'Invite somebody', 'Show it on your page'])
      expect(open(text, step), step).toBe(true);
    expect(text).not.toContain('Back it up');
    expect(text.indexOf('First steps'), 'nothing needs anybody').toBeLessThan(text.indexOf('What needs you'));
    await dash.submission('bay');
    await dash.invited('bay', 'new@example.org', 'member');
    ({ text } = await home('bay'));
    for (const step of ['Fill the directory', 'Invite somebody']) expect(done(text, step), step).toBe(true);
    expect(open(text, 'Show it on your page')).toBe(true);
    expect(text.indexOf('First steps'), 'a record waits').toBeGreaterThan(text.indexOf('1 record waits'));
    await dash.key({ kind: 'team', team: 'bay', scopes: ['resources:read'], domains: ['example.org'] });
    await dash.caughtUp();
    ({ text } = await home('bay'));
    expect(text).not.toContain('First steps');
  });

  test('have the backup for an administrator of the installation', async () => {
    await dash.team('cape');
    const administrator = await dash.account({ role: 'administrator' });
    expect(open((await home('cape', administrator)).text, 'Back it up')).toBe(true);
    const backup = { taken_at: new Date().toISOString(), events: 12, digest: 'a'.repeat(64) };
    await recordOfInstallation(dash.system, { kind: 'backup-taken', backup }, context());
    expect(done((await home('cape', administrator)).text, 'Back it up')).toBe(true);
  });

  test('are closed by an admin for the team alone, and by nobody else', async () => {
    await dash.team('reef');
    for (const name of ['reef', 'bight']) {
      if (name === 'bight') await dash.team(name);
      await dash.member(name, ana as Account, 'admin');
    }
    await dash.member('reef', ben as Account, 'reviewer');
    expect((await home('reef', ben)).text).not.toContain('First steps');
    const reviewer = await dash.signedIn(ben as Account);
    await reviewer.open('/dash/me');
    const refused = await fetch(`${dash.origin}/dash/t/reef/first-steps/dismiss`, { method: 'POST' });
    expect([403, 404]).toContain(refused.status);
    const browser = await home('reef');
    expect(browser.text).toContain('First steps');
    await browser.press('Close this list');
    expect([browser.status, browser.heading]).toEqual([200, 'Home']);
    expect(browser.text).not.toContain('First steps');
    expect((await home('bight')).text).toContain('First steps');
  });
});

test.each(['team=nothing', 'team=%00', `team=${'x'.repeat(5_000)}`, 'team[]=a', 'from=x&until=y'])(
  'rubbish in the address is no fault: %s',
  async (query) => {
    const browser = await dash.signedIn(ana as Account);
    await browser.open(`/dash?${query}`);
    expect(browser.status).toBeLessThan(500);
  },
);
