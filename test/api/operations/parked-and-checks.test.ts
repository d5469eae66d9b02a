import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupRecord } from '../../../src/backup/record.ts';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { commandDelivery, scheduleDelivery } from '../../../src/commands/webhooks/delivery.ts';
import { fanOutGroup } from '../../../src/dispatch/fan-out.ts';
import { announcedTypes } from '../../../src/dispatch/payload-of-event.ts';
import { findingOf } from '../../../src/doctor/finding.ts';
import { examinations, verifications } from '../../../src/doctor/record.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context } from '../harness.ts';
import { until } from '../../support/until.ts';

let dash: Dashboard;
let operator: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());

const page = '/dash/operations';

/** An announced event that is set aside before it has deliveries. Its id. */
async function parkedEvent(): Promise<string> {
  const { store } = dash.system;
  const parked = await store.countParked(fanOutGroup);
  const fields = { name: 'Pantry', category: 'food' } as const;
  const { state } = await submitResource(dash.system, { team: 'harbour', fields }, context());
  await commandResource(dash.system, state?.svc_id ?? '', { kind: 'approve' }, context());
  const stop = new AbortController();
  const consuming = store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    signal: stop.signal,
    handle: async (events) => events.map(() => ({ kind: 'park', reason: 'It cannot be rendered.' })),
  });
  await until(async () => (await store.countParked(fanOutGroup)) === parked + 1);
  stop.abort();
  await consuming;
  return (await store.parked(fanOutGroup)).at(-1)?.event.id ?? '';
}

/** A delivery that cannot be attempted. */
async function parkedDelivery(): Promise<string> {
  const delivery = crypto.randomUUID();
  const data = {
    delivery,
    subscription: crypto.randomUUID(),
    team: 'harbour',
    event: 'resource.approved',
    occurred_at: new Date().toISOString(),
    payload_version: 1,
  } as const;
  await scheduleDelivery(dash.system.store, data, context());
  const park = { kind: 'park', tries: 10, reason: 'Its secret cannot be read.' } as const;
  await commandDelivery(dash.system.store, delivery, park, context());
  await dash.caughtUp();
  return delivery;
}

describe('what was set aside in the whole installation', () => {
  test('is listed with its reason, and sent again or given up piece by piece', async () => {
    const [event, delivery] = [await parkedEvent(), await parkedDelivery()];
    await operator.open(page);
    expect(operator.text).toContain('It cannot be rendered.');
    expect(operator.text).toContain('Its secret cannot be read.');
    await operator.press(`Discard resource.approved ${event}`);
    expect(operator.text).toContain('It is discarded');
    expect(operator.text).not.toContain('It cannot be rendered.');
    await operator.press(`Try again resource.approved ${delivery}`);
    expect(operator.text).toContain('It is tried again within seconds.');
    expect(operator.text).not.toContain('Its secret cannot be read.');
    expect((await dash.events(`webhook-delivery-${delivery}`)).at(-1)).toMatchObject({
      type: 'DeliveryResent',
    });
    await operator.post(page, { token: operator.hidden('token'), do: 'discard-parked', id: delivery });
    expect([operator.status, operator.text]).toEqual([404, expect.stringContaining('no longer set aside')]);
  });

  test('is decided on at once', async () => {
    await parkedEvent();
    const deliveries = [await parkedDelivery(), await parkedDelivery()];
    await operator.open(page);
    await operator.press('Discard all that is set aside');
    expect(await dash.system.store.countParked(fanOutGroup)).toBe(0);
    for (const each of deliveries)
      expect((await dash.events(`webhook-delivery-${each}`)).at(-1)).toMatchObject({
        type: 'DeliveryDiscarded',
      });
    expect(operator.text).not.toContain('Set aside This failed');
  });

  test('is discarded by administrators only', async () => {
    const delivery = await parkedDelivery();
    const person = await dash.signedIn(await dash.account());
    await person.post(page, { token: person.hidden('token'), do: 'discard-parked', id: delivery });
    expect(person.status).toBe(403);
    expect((await dash.events(`webhook-delivery-${delivery}`)).at(-1)).toMatchObject({
      type: 'DeliveryParked',
    });
  });
});

describe('the check of the installation', () => {
  test('says each finding with what to do, and no password of a server', async () => {
    const sentence = 'No answer from mongodb://app:s3cret@db:27017/. Run `commonweal status`.';
    const at = '2026-03-01T00:00:00.000Z';
    const findings = [{ check: 'stores', severity: 'problem', sentence }] as const;
    await examinations(dash.system.side).put({ at, problems: 1, findings });
    await operator.open(page);
    expect(operator.text).toContain('No answer from mongodb://…@db:27017/. Run commonweal status.');
    expect(JSON.stringify(await examinations(dash.system.side).newest())).not.toContain('s3cret');
    await examinations(dash.system.side).put({ at, problems: 0, findings: [] });
    await operator.open(page);
    expect(operator.text).toContain('Nothing was found.');
  });

  test('stands beside the newest verification, the copies of backups and their tests', async () => {
    const { side } = dash.system;
    const record = backupRecord(side);
    const [taken, at] = ['2026-11-27T02:00:00.000Z', '2026-11-27T03:00:00.000Z'];
    await operator.open(page);
    expect(operator.text).toContain('The log has not been verified yet.');
    await verifications(side).put({ at, problems: 0, findings: [], events: 84_112, seconds: 3.2 });
    await record.copySucceeded(taken);
    await record.drillDone({ at, taken_at: taken, events: 84_112, seconds: 40.6, verified: true });
    await operator.open(page);
    expect(operator.text).toMatch(
      /The log was verified last on .*: 84,112 events in 4 s, as they were signed\./,
    );
    expect(operator.text).toMatch(/Newest copied backup .*2026/);
    expect(operator.text).toMatch(/Last test of a backup .*: 84,112 events restored in 41 s, verified/);
    const findings = [findingOf('event-changed', 'Leaf 7 was changed: TeamCreated.')];
    await verifications(side).put({ at, problems: 1, findings, events: 84_112, seconds: 3.2 });
    await record.copyFailed('it ended with exit code 1', new Date(at));
    const failure = { kind: 'failed', sentence: 'events.db is damaged.' } as const;
    await record.drillDone({ at, seconds: 1, verified: false, failure });
    await operator.open(page);
    expect(operator.text).toMatch(/Leaf 7 was changed: TeamCreated\. Stop the service/);
    expect(operator.text).toMatch(/Newest copied backup failed since .*: it ended with exit code 1/);
    expect(operator.text).toMatch(/Last test of a backup .* failed events\.db is damaged\./);
    await side.table('backups').delete('copied');
    await side.table('backups').delete('drilled');
    await side.table('examinations').delete('verified');
  });

  test('is asked for, and the page follows it until it has run', async () => {
    await operator.open(page);
    await operator.press('Run now the check of the installation');
    expect(operator.text).toContain('The check is requested.');
    expect(operator.html).toContain('data-live="/dash/operations/doctor"');
    expect((await operator.open('/dash/operations/doctor')).html).toContain('data-busy');
    await examinations(dash.system.side).met();
    expect((await operator.open('/dash/operations/doctor')).html).not.toContain('data-busy');
  });
});
