import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupRecord } from '../../../src/backup/record.ts';
import { commandSubscription, createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { auditEvents } from '../../../src/projections/audit.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import { failuresTable } from '../../../src/projections/engine/stalled-projections.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { subscriptions } from '../../../src/projections/webhooks/subscriptions.ts';
import { alterReadModel } from '../../support/alter-read-model.ts';
import { until } from '../../support/until.ts';
import { context } from '../harness.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
  await backupRecord(dash.system.side).taken({ at: new Date().toISOString(), folder: 'elsewhere' });
});
afterAll(() => dash.stop());

const { name } = subscriptions.collection;
const model = modelNamed(name);
const alter = (body: string) => alterReadModel(dash.folder, name, body);
const failure = () => dash.system.side.table(failuresTable).get(name);

test('an operator sees a read model that a device has altered, finds the event that stopped it, mends and rebuilds it', async () => {
  const { system } = dash;
  const wish = { team: 'harbour', url: 'https://example.org/hook', events: ['resource.approved'] } as const;
  const { subscriptionId } = await createSubscription(system, wish, 'a secret', context());
  await dash.caughtUp();
  const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));

  alter(`json_set(_body, '$.choices', 5)`);
  await commandSubscription(system, subscriptionId, { kind: 'pause' }, context());
  await until(failure);
  await visible(system.documents, [auditEvents.collection.name], await system.store.head());
  await operator.open('/dash/operations');
  expect(operator.text).toContain('Something needs you.');
  await operator.follow('See the event that stopped it');
  expect(operator.text).toContain('paused the webhooks to example.org');

  // Nothing is mended yet, so it fails again.
  await operator.open('/dash/operations');
  await operator.press(`Retry ${model}`);
  expect(operator.text).toContain('It is tried again at once.');
  expect(operator.text).toContain('Something needs you.');
  alter(`json_set(_body, '$.choices', json('[]'))`);
  await operator.press(`Retry ${model}`);
  await until(async () => !(await failure()));
  await operator.open('/dash/operations');
  expect(operator.text).toContain('Everything works.');

  // Whatever else was altered, built again it is as the log says.
  const before = await system.documents.collection(subscriptions.collection).get(subscriptionId);
  expect(before?.choices).toHaveLength(1);
  alter(`json_set(_body, '$.url', 'https://example.org/elsewhere')`);
  await dash.withoutProjector(async () => {
    await operator.press('Rebuild', { model });
    expect(operator.text).toContain('The rebuild is requested.');
    expect(operator.html).toContain('<progress');
  });
  await until(async () => !(await operator.open('/dash/operations')).html.includes('<progress'));
  const after = await system.documents.collection(subscriptions.collection).get(subscriptionId);
  expect(after?.origin).toBe('https://example.org');
});
