import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beginClaim, commandClaim, loadClaim } from '../../src/commands/directory/upkeep/claim.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import type { HsdsRecord } from '../../src/hsds/item.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { password, startDashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { launch } from './chromium.ts';

/** Pictures of how a directory is kept true: docs/images/freshness-{directory,asking,claims}.png. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

const datapackage = await openDatapackage(
  fileURLToPath(new URL('../../examples/directory', import.meta.url)),
);
const records: HsdsRecord[] = [];
for await (const item of datapackage.records())
  if (item.kind === 'record' && records.length < 24) records.push(item);
datapackage.close();

const team = 'harbor';
const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000);
const [dash, chromium] = await Promise.all([
  startDashboard({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } }),
  launch(),
]);
try {
  const { system, origin } = dash;
  await commandTeam(system.store, { kind: 'create', team, name: 'Harbor Network' }, context());
  const account = await dash.account({ profile: { name: 'Maria Alvarez' } });
  await dash.member(team, account, 'admin');
  const hostOf = (index: number) =>
    records[index]?.fields.name.includes('Pantry') ? 'pantry.example' : `agency${index}.example`;
  const ids: string[] = [];
  // Every fourth was last looked at long ago, and the agencies of some of them can be asked. The others came week by week.
  for (const [index, { fields }] of records.entries()) {
    const at = index % 4 === 0 ? new Date('2018-05-01T15:00:00Z') : weeksAgo(index);
    const email = index % 8 === 0 ? { email: `office${index}@pantry.example` } : {};
    const record = { ...fields, ...email, url: `https://${hostOf(index)}` };
    const { state } = await submitResource(system, { team, fields: record }, { ...context(), at });
    ids.push(state?.svc_id ?? '');
    await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, { ...context(), at });
  }
  await dash.caughtUp();
  const svcId = ids[records.findIndex(({ fields }) => fields.name.includes('Pantry'))] ?? '';
  const doc = await system.documents.collection(resources.collection).get(svcId);
  const claim = '0a'.repeat(32);
  const about = { claim, team, subject: doc?.organization ?? svcId, svc_id: svcId, host: 'pantry.example' };
  await beginClaim(system, { ...about, language: 'en', address: 'ana@pantry.example' }, context());
  const { link = '' } = (await loadClaim(system.store, claim)) ?? {};
  await commandClaim(system, claim, { kind: 'prove', link }, context());
  await dash.caughtUp();

  const page = await chromium.newPage({ locale: 'en-US', viewport: { width: 360, height: 740 } });
  const open = async (path: string) => {
    await page.goto(origin + path);
    await page.locator('main').waitFor();
  };
  const picture = (name: string) =>
    page.screenshot({ path: `${folder}freshness-${name}.png`, caret: 'hide' });
  await open('/dash/sign-in');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.setViewportSize({ width: 1400, height: 800 });
  await open(`/dash/t/${team}/resources?sort=verified`);
  await page.getByText('How it was in the last year').click();
  await page.locator('.chart svg').waitFor();
  await picture('directory');
  await page.setViewportSize({ width: 360, height: 900 });
  await open(`/dash/t/${team}/resources/asking`);
  await page.getByRole('button', { name: 'Show the first mail' }).click();
  await page.locator('#first-mail').waitFor();
  await picture('asking');
  await open(`/dash/t/${team}/resources/review?show=claims`);
  await picture('claims');
  console.log('docs/images has pictures of freshness.');
} finally {
  await chromium.close();
  await dash.stop();
}
