import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backupRecord } from '../../../src/backup/record.ts';
import { createSubscription, commandSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { eventVersions } from '../../../src/events/catalogue.ts';
import { examinations } from '../../../src/doctor/record.ts';
import { mailRecord } from '../../../src/mail/record.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { RequestDurations } from '../../../src/status/request-durations.ts';
import type { Problem } from '../../../src/status/problems.ts';
import { gatherStatus } from '../../../src/status/status.ts';
import { statusText } from '../../../src/status/status-text.ts';
import { NodeRegistry } from '../../../src/stores/leases/node-registry.ts';
import { context } from '../harness.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { until } from '../../support/until.ts';

const page = '/dash/operations';
const requestDurations = new RequestDurations();
/** What the server looks at all the time has found. */
let looked: readonly Problem[] = [];
let dash: Dashboard;
let operator: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard({ requestDurations, problems: () => looked });
  operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());
beforeEach(() => dash.system.side.table('backups').delete('newest'));

const backedUp = () =>
  backupRecord(dash.system.side).taken({ at: new Date().toISOString(), folder: 'elsewhere' });
const entry = (release: string, projects: boolean) => ({
  ...{ release, projects, readModels: {}, events: eventVersions(), keys: [] },
  answered: requestDurations.lately(),
});
/** Opens the page until it says so: nodes are listed anew each second. */
const opened = (text: RegExp) => until(async () => text.test((await operator.open(page)).text));
/** The address to which `What to do` leads for something. */
const guideFor = (title: string): string | undefined =>
  new RegExp(`href="([^"]+)"\\s*>What to do<span class="unseen"> ${title}<`).exec(operator.html)?.[1];

describe('the first line of Operations', () => {
  test('has requests, errors, durations, servers, version and emails, and status has the same', async () => {
    await backedUp();
    const [first, second] = [
      new NodeRegistry(() => dash.system.side),
      new NodeRegistry(() => dash.system.side),
    ];
    requestDurations.observe('/a', 'GET', 500, 0.002);
    await first.announce(entry('1.0.0', true));
    await opened(/Servers 1 running, and builds the read models/);
    expect(operator.text).toMatch(/Requests \d+ in \d+ minutes?, since the start/);
    expect(operator.text).toMatch(
      /Errors \d[\d.]* % 1 by a fault of the server; \d[\d.]* % were refused or not found/,
    );
    expect(operator.text).toMatch(/Answered within [\d.]+ m?s half of them; 95 % within [\d.]+ m?s/);
    expect(operator.text).toContain('Emails Not set up');
    expect(operator.html.indexOf('class="figures"')).toBeLessThan(operator.html.indexOf('Everything works.'));
    const lines = statusText(await gatherStatus(dash.system)).join('\n');
    expect(lines).toMatch(
      /^Requests: \d+ \(in \d+ minutes?, since the start\)\nErrors: .*\nAnswered within: /,
    );
    expect(lines).not.toContain('WARNING');

    await second.announce(entry('1.1.0', false));
    await opened(/Servers 2 running; 1 can build the read models/);
    expect(operator.text).toContain('Servers of several releases run: 1.0.0, 1.1.0.');
    expect(guideFor('Servers')).toBe('/docs/updating#upgrade');
    await first.leave();
    await opened(/No server builds the read models/);
    await second.leave();
    await opened(/Servers 0/);
  });
});

describe('what Operations warns of', () => {
  test('stands before “Everything works”, which stands there when nothing else does', async () => {
    await operator.open(page);
    expect(operator.text).toContain('It works. Look at this before it fails.');
    expect(operator.text).toContain('BACKUP_DIR is unset, so no backup is taken by itself.');
    expect(operator.text).not.toContain('Everything works.');
    expect(guideFor('Backups')).toBe('/docs/backup#back-up');
    const status = await gatherStatus(dash.system);
    expect(statusText(status).join('\n')).toContain('WARNING backup: BACKUP_DIR is unset');
    await backedUp();
    await operator.open(page);
    expect(operator.text).toContain('Everything works.');
  });

  test('is what the check of the installation found, without what is looked at anew', async () => {
    await backedUp();
    const at = new Date().toISOString();
    const findings = [
      { check: 'clock', severity: 'warning', sentence: 'The clock jumps. Set it by `ntpd`.' },
      { check: 'disk', severity: 'problem', sentence: 'DATA_DIR /x has 3 MB free (0 %).', id: 'disk' },
    ] as const;
    await examinations(dash.system.side).put({ at, problems: 1, findings });
    await operator.open(page);
    expect(operator.text).toContain('warning Clock The clock jumps. Set it by ntpd.');
    expect(operator.text).not.toContain('3 MB free');
    expect(operator.text).toContain('It works. Look at this before it fails.');
    // Of a run that an older release recorded, only the number is there.
    await examinations(dash.system.side).put({ at, problems: 2 });
    await operator.open(page);
    expect(operator.text).toContain('Something needs you.');
    expect(operator.text).toContain('The daily check found problems (2)');
    await examinations(dash.system.side).put({ at, problems: 0, findings: [] });
  });

  test('is what the server looks at all the time, and nothing of it twice', async () => {
    await backedUp();
    const moved: Problem = {
      ...{ id: 'moved side.db', check: 'files', stopsChanges: true },
      severity: 'problem',
      sentence: 'side.db was moved.',
    };
    await dash.system.side.table('job-failures').put('mail 1', {
      ...{ job: 'mail', since: new Date().toISOString(), error: 'No answer.' },
    });
    const [failing] = (await gatherStatus(dash.system)).problems;
    looked = [moved, ...(failing ? [failing] : [])];
    await operator.open(page);
    looked = [];
    await dash.system.side.table('job-failures').delete('mail 1');
    expect(operator.text).toContain('side.db was moved.');
    expect(operator.text.match(/The background job mail has failed/g)).toHaveLength(1);
  });

  test('is a mail server that takes no emails, and webhooks that the service has paused', async () => {
    await backedUp();
    const { side, masterKey } = dash.system;
    const outbox = new Outbox({ side, masterKey }, () => new Date(Date.now() - 3_700_000));
    await outbox.put({ to: 'somebody@example.org', subject: 'A', text: 'B' }, 7_200);
    await operator.open(page);
    expect(operator.text).toContain(
      '1 email has waited for more than an hour, because no mail server is set up.',
    );
    await mailRecord(side).refused(new Date(Date.now() - 900_000), 'No.');
    const config = { ...dash.system.config, smtpUrl: 'smtp://127.0.0.1:1' };
    const lines = statusText(await gatherStatus({ ...dash.system, config })).join('\n');
    expect(lines).toMatch(/^Emails: Refused \(since 20.*Z; 1 waits\)$/m);
    expect(lines).toMatch(/^WARNING mail: The mail server has taken no email since 20/m);
    expect(lines).not.toContain('somebody@');
    await mailRecord(side).sent(new Date());
    for (const mail of await outbox.waiting()) await outbox.remove(mail);

    const hook = { team: 'harbour', url: 'https://example.org/hook', events: ['resource.approved'] } as const;
    const { subscriptionId } = await createSubscription(dash.system, hook, 'a secret', context());
    const pause = { kind: 'auto-pause', reason: 'It did not respond.' } as const;
    await commandSubscription(dash.system, subscriptionId, pause, context());
    await dash.caughtUp();
    await operator.open(page);
    expect(operator.text).toContain('1 webhook is paused, because the receiver did not respond.');
    expect(guideFor('Paused webhooks')).toBe('/docs/webhooks#states');
  });
});
