import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { commandResource } from '../../src/commands/directory/resource.ts';
import { auditEvents } from '../../src/projections/audit.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { appendImport } from '../support/append-import.ts';
import { startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import { context } from './harness.ts';

let dash: Dashboard;
let reviewer: Account;
beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account();
  await dash.member('harbour', reviewer, 'reviewer');
});
afterAll(() => dash.stop());

describe('home', () => {
  test('says how many records nobody has confirmed within six months, and leads to them', async () => {
    const other = await dash.account();
    await dash.team('quay');
    await dash.member('quay', other, 'reviewer');
    const browser = await dash.signedIn(other);
    const source = { system: 'county', id: '1' };
    const fields = { name: 'Old Pantry', category: 'food', last_modified: '2018-05' } as const;
    const record = { team: 'quay', source, fields, active: true, approve: true };
    const { state } = await importResource(dash.system, record, context());
    await dash.caughtUp();
    await browser.open('/dash');
    expect(browser.text).toContain('1 record is due: nobody has confirmed it within six months.');
    const [, to = ''] = /href="([^"]*verified=6-months[^"]*)"/.exec(browser.html) ?? [];
    await browser.open(to.replaceAll('&amp;', '&'));
    expect(browser.text).toContain('Old Pantry');
    await commandResource(dash.system, state?.svc_id ?? '', { kind: 'confirm', by: 'team' }, context());
    await dash.caughtUp();
    await browser.open('/dash');
    expect(browser.text).not.toContain('is due');
  });

  test('says what waits for the role of the person, and where it is done', async () => {
    const browser = await dash.signedIn(reviewer);
    expect(browser.text).toContain('What needs you at harbour');
    expect(browser.text).toContain('Nothing is waiting for you.');
    await dash.submission('harbour', { name: 'Corner Pantry' });
    await browser.open('/dash');
    expect(browser.text).toContain('1 record waits for a decision.');
    expect(browser.html).toContain('href="/dash/t/harbour/resources/review"');
  });

  test('says to a member nothing that a member cannot do', async () => {
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const browser = await dash.signedIn(member);
    expect(browser.text).toContain('Nothing is waiting for you.');
    expect(browser.text).not.toContain('What happened');
  });

  test('tells an admin in sentences what has happened', async () => {
    const admin = await dash.account();
    await dash.member('harbour', admin, 'admin');
    await dash.invited(
      'harbour',
      'somebody@example.org',
      'member',
      new Date(Date.now() - 6 * 24 * 3_600_000),
    );
    const browser = await dash.signedIn(admin);
    expect(browser.text).toContain('What happened');
    expect(browser.text).toContain('1 person is invited and has not joined yet. 1 invitation ends soon.');
    expect(browser.html).toContain('/dash/t/harbour/audit/walk/');
    expect(browser.text).not.toContain('somebody@example.org');
  });

  test('leaves out what was read in the audit log, which says it itself', async () => {
    const admin = await dash.account();
    await dash.member('harbour', admin, 'admin');
    const browser = await dash.signedIn(admin);
    await browser.open('/dash/audit?team=harbour');
    await dash.caughtUp();
    await browser.open('/dash/audit?team=harbour');
    expect(browser.text).toContain('searched the audit log');
    await browser.open('/dash?team=harbour');
    expect(browser.text).toMatch(/The service made Sample Person an admin of harbour(, and \d more)?\./);
    expect(browser.text).not.toContain('searched the audit log');
  });

  test('has an import as one line, which opens its records, and what people did before it', async () => {
    const admin = await dash.account({ profile: { name: 'Ines Importer' } });
    await dash.member('harbour', admin, 'admin');
    await appendImport(dash.system.store, { team: 'harbour', records: 60 });
    await indexed(dash);
    const browser = await dash.signedIn(admin);
    await browser.open('/dash?team=harbour');
    expect(browser.text).toMatch(/The service made Ines Importer an admin of harbour(, and \d more)?\./);
    expect(browser.text).not.toContain('Imported');
    await browser.follow('An operator imported from county into the directory of harbour: 60 new.');
    expect(browser.heading).toBe('Audit log');
    expect(browser.text).toContain('Imported 59');
  });

  test('tells an administrator that emails wait, and nobody else', async () => {
    const browser = await dash.signedIn(await dash.account({ role: 'administrator' }));
    expect(browser.text).toMatch(/emails? waits? to be handed on/);
  });

  test('tells a person without a team how to come to one', async () => {
    const browser = await dash.signedIn(await dash.account());
    expect(browser.text).toContain('You belong to no team yet.');
  });
});

const indexed = async ({ system: { documents, store } }: Dashboard) =>
  visible(documents, [auditEvents.collection.name], await store.head());
