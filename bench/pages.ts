import { duplicateGroups } from '../src/actions/directory/duplicates.ts';
import { deliveryOf, seedPages, svcIdAt, team } from './pages-log.ts';
import { startDashboard, type Dashboard } from '../test/api/accounts/harness.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, percentile, type Row } from './measure.ts';

const rounds = 60;
/** The first answers of a process compile code and fill caches of the file system. */
const warmUp = 5;

const duplicates = '/dash/resources/duplicates';

/** Pages of the dashboard, by their path. `records`: how many are public; those after them wait. */
const pathsOf = (webhook: string, records: number, event: string): readonly string[] => [
  '/dash',
  '/dash/resources',
  '/dash/resources?q=neighbourhood+centre',
  '/dash/resources?q=centre+99',
  '/dash/resources?q=main+street&status=submitted',
  '/dash/resources?q=nothinglikeit',
  '/dash/resources?status=approved',
  '/dash/resources?category=food',
  '/dash/resources?sort=organization',
  '/dash/resources?page=1000',
  '/dash/resources?sort=name&page=1000',
  duplicates,
  `/dash/resources/${svcIdAt(0)}`,
  `/dash/resources/${svcIdAt(records)}`,
  `/dash/resources/${svcIdAt(0)}/edit`,
  `/dash/resources/${svcIdAt(0)}/people`,
  '/dash/resources/new',
  '/dash/resources/review',
  '/dash/resources/review?show=table&sort=name&page=4',
  '/dash/team',
  '/dash/team/forms',
  '/dash/team/payments',
  '/dash/developers',
  '/dash/integrations/api-tokens',
  '/dash/integrations/webhooks',
  `/dash/integrations/webhooks/${webhook}`,
  `/dash/integrations/webhooks/${webhook}/settings`,
  `/dash/integrations/webhooks/${webhook}/deliveries`,
  `/dash/integrations/webhooks/${webhook}/deliveries?status=failed`,
  `/dash/integrations/webhooks/${webhook}/deliveries/${deliveryOf(0)}`,
  '/dash/integrations/webhooks/deliveries',
  '/dash/sites/oauth',
  '/dash/audit',
  `/dash/audit?about=resource:${svcIdAt(0)}`,
  '/dash/audit?type=DeliveryScheduled',
  `/dash/audit/events/${event}`,
  '/dash/audit/as-of',
  '/dash/audit/exports',
  '/dash/me',
  '/dash/me/sessions',
  '/dash/me/teams',
  '/dash/operations',
  '/dash/teams',
  `/dash/teams/t/${team}`,
];

/** How long the server takes for each page of the dashboard, beside so many records and ten times as many deliveries. */
export async function pageRows(records: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const webhook = await seedPages(folder.path, records);
  const dash = await startDashboard({}, folder);
  try {
    return await measured(dash, webhook, records);
  } finally {
    await dash.stop();
  }
}

/** Two rows for each page: its time, and the processor's time of all threads, which other work on the machine changes less. */
export async function measured(dash: Dashboard, webhook: string, records: number): Promise<Row[]> {
  const account = await dash.account({ role: 'administrator' });
  await dash.member(team, account, 'admin');
  const browser = await dash.signedIn(account);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, host: new URL(dash.origin).host };
  const [first] = await dash.system.store.readStream(`resource-${svcIdAt(0)}`);
  const sizes = `${inWords(records)} records, ${inWords(10 * records)} deliveries`;
  const rows: Row[] = [];
  const measure = async (path: string, when = ''): Promise<void> => {
    const url = `${path}${path.includes('?') ? '&' : '?'}team=${team}`;
    const wall: number[] = [];
    let [cpu, status] = [0, 0];
    for (let round = -warmUp; round < rounds; round++) {
      const before = process.cpuUsage();
      const began = performance.now();
      ({ statusCode: status } = await dash.server.inject({ url, headers }));
      const ms = performance.now() - began;
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      wall.push(ms);
      cpu += (user + system) / 1_000;
    }
    const shown = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|r_[0-9a-f]{16}/g, '…');
    const what = `${shown}${when} of ${sizes}${status === 200 ? '' : ` (answers ${status})`}`;
    rows.push({ what: `${what}: p95 (ms)`, ours: percentile(wall, 0.95), aim: '< 20' });
    rows.push({ what: 'the same: processor time of one, all threads (ms)', ours: cpu / rounds, aim: '< 20' });
  };
  for (const path of pathsOf(webhook, records, first?.id ?? '')) {
    // The first look at a directory has all of its records compared, beside whoever asks for a page.
    if (path === duplicates) {
      const comparing = ' while all records are compared for the first time';
      for (const each of [duplicates, '/dash/resources/review', '/dash/audit'])
        await measure(each, comparing);
      await duplicateGroups(dash.system.documents, team);
    }
    await measure(path);
  }
  return rows;
}
