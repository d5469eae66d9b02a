import { newSigningSecret } from '../src/dispatch/signature.ts';
import { randomBytes } from 'node:crypto';
import { createSubscription } from '../src/commands/webhooks/subscription.ts';
import { projections } from '../src/projections/all.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { startDashboard } from '../test/api/accounts/harness.ts';
import { context } from '../test/api/harness.ts';
import { schedule } from './held-deliveries.ts';
import { percentile, type Row } from './measure.ts';
import { seedResources } from './seed.ts';

const team = 'harbour';
const rounds = 60;

/** Pages of the dashboard, by their path. */
const paths = (subscription: string): readonly string[] => [
  '/dash',
  '/dash/resources',
  '/dash/resources?q=food',
  '/dash/resources?status=approved',
  '/dash/resources/review',
  '/dash/team',
  '/dash/team/forms',
  '/dash/team/payments',
  '/dash/integrations/api-tokens',
  '/dash/integrations/webhooks',
  `/dash/integrations/webhooks/${subscription}`,
  `/dash/integrations/webhooks/${subscription}/deliveries`,
  '/dash/sites/oauth',
  '/dash/audit',
  '/dash/operations',
  '/dash/teams',
];

/** How long the server takes for each page of the dashboard, beside so many records and ten times as many deliveries. */
export async function pageRows(records: number): Promise<Row[]> {
  const dash = await startDashboard();
  try {
    const { system } = dash;
    const { subscriptionId } = await createSubscription(
      system,
      { team, url: 'https://receiver.example/', events: ['resource.approved'] },
      newSigningSecret(randomBytes),
      context(),
    );
    await seedResources(system.store, team, records);
    await schedule(system, subscriptionId, 10 * records, team);
    const names = projections.map(({ collection }) => collection.name);
    await visible(system.documents, names, await system.store.head(), 3_600_000);
    const account = await dash.account({ role: 'administrator' });
    await dash.member(team, account, 'admin');
    const browser = await dash.signedIn(account);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const rows: Row[] = [];
    for (const path of paths(subscriptionId)) {
      const url = `${path}${path.includes('?') ? '&' : '?'}team=${team}`;
      const ms: number[] = [];
      let status = 0;
      for (let round = 0; round < rounds; round++) {
        const began = performance.now();
        const answer = await dash.server.inject({
          url,
          headers: { cookie, host: new URL(dash.origin).host },
        });
        ms.push(performance.now() - began);
        status = answer.statusCode;
      }
      const sizes = `${records.toLocaleString('en')} records, ${(10 * records).toLocaleString('en')} deliveries`;
      const what = `${path.replace(subscriptionId, '…')} beside ${sizes}${status === 200 ? '' : ` (answers ${status})`}`;
      rows.push({ what: `${what}: p95, ms`, ours: percentile(ms, 0.95), aim: '< 20' });
    }
    return rows;
  } finally {
    await dash.stop();
  }
}
