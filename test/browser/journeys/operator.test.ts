import { describe, test } from 'vitest';
import { backupRecord } from '../../../src/backup/record.ts';
import { commandSubscription, createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { auditEvents } from '../../../src/projections/audit.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import { failuresTable } from '../../../src/projections/engine/stalled-projections.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { subscriptions } from '../../../src/projections/webhooks/subscriptions.ts';
import { context } from '../../api/harness.ts';
import { alterReadModel } from '../../support/alter-read-model.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { screens, startService, visit } from './journey.ts';

const model = modelNamed(subscriptions.collection.name);

describe.skipIf(!hasChromium)('in a real browser, an operator', () => {
  const service = startService();

  test.each(screens)(
    'sees what stopped a read model, mends it, and builds it again, on %s screen',
    { timeout: 120_000 },
    async (_, screen) => {
      const { dash } = service;
      const { system } = dash;
      await backupRecord(system.side).taken({ at: new Date().toISOString(), folder: 'elsewhere' });
      const team = `quay-${screen.width}`;
      await dash.team(team);
      const wish = { team, url: 'https://example.org/hook', events: ['resource.approved'] } as const;
      const secret = `whsec_${'A'.repeat(43)}=`;
      const { subscriptionId } = await createSubscription(system, wish, secret, context());
      await dash.caughtUp();
      const account = await dash.account({ role: 'administrator' });
      const operator = await visit(service, screen);
      const { page } = operator;
      await operator.signIn(account);
      await operator.goTo('Operations');
      await operator.sees('Everything works.');
      await operator.looksRight('operations');

      // A failing device has altered the read model, so the next event cannot be folded into it.
      alterReadModel(dash.folder, subscriptions.collection.name, `json_set(_body, '$.choices', 5)`);
      await commandSubscription(system, subscriptionId, { kind: 'pause' }, context());
      await until(() => system.side.table(failuresTable).get(subscriptions.collection.name));
      await visible(system.documents, [auditEvents.collection.name], await system.store.head());
      await operator.goTo('Operations');
      await operator.sees('Something needs you.');
      await operator.looksRight('operations-failed');
      await operator.follow('See the event that stopped it');
      await operator.heading('Event');
      await operator.sees(/paused the webhooks to/);
      await page.goBack();
      await operator.press(`Retry ${model}`);
      await operator.sees('It is tried again at once.');
      await operator.sees('Something needs you.');

      alterReadModel(dash.folder, subscriptions.collection.name, `json_set(_body, '$.choices', json('[]'))`);
      await operator.press(`Retry ${model}`);
      // The projector also tries by itself, and may have been first.
      await operator.sees(/^(It is tried again at once|It has not failed, so nothing was done)\.$/);
      await until(async () => !(await system.side.table(failuresTable).get(subscriptions.collection.name)));
      await operator.goTo('Operations');
      await operator.sees('Everything works.');

      // Whatever else the device has altered, built again it is as the log says.
      await dash.withoutProjector(async () => {
        await page.locator('summary', { hasText: 'Rebuild read models' }).click();
        await page.getByLabel('Read model', { exact: true }).selectOption(model);
        await page.getByRole('button', { name: 'Rebuild', exact: true }).click();
        await operator.sees('The rebuild is requested.');
        await page.getByRole('progressbar').first().waitFor();
        await operator.looksRight('operations-rebuilding');
      });
      // The page goes on by itself.
      await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
      await operator.sees('Everything works.');
      await operator.leave();
    },
  );
});
