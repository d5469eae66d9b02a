import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import type { SignInScope } from '../../src/events/oauth/values.ts';
import { password, startDashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { launch } from './chromium.ts';

/** Pictures of the pages for the documentation: docs/images/{sign-in,consent,apps}-{light,dark}.png. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

const [dash, chromium] = await Promise.all([startDashboard(), launch()]);
try {
  const { store } = dash.system;
  await commandTeam(store, { kind: 'create', team: 'riverside', name: 'Riverside Library' }, context());
  const site = (name: string, host: string) =>
    dash.site({ team: 'riverside', name, redirectUris: [`https://${host}/callback`] });
  const news = await site('Neighborhood News', 'news.example');
  const pantry = await site('Pantry Finder', 'pantry.example');
  const tools = await site('Tool Library', 'tools.example');
  const account = await dash.account({
    email: 'sample@example.org',
    profile: { name: 'Sample Person', username: 'sample' },
  });
  const allowed: [string, SignInScope[]][] = [
    [tools, ['openid']],
    [pantry, ['openid', 'profile', 'email']],
  ];
  for (const [client, scopes] of allowed) {
    await grantConsent(store, { user: account.user, client }, scopes, context());
  }
  await dash.caughtUp();

  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await chromium.newPage({ colorScheme, viewport: { width: 960, height: 600 } });
    const picture = (name: string) =>
      page.screenshot({ path: `${folder}${name}-${colorScheme}.png`, fullPage: true, caret: 'hide' });
    await page.goto(dash.origin + dash.asked(news, { redirect_uri: 'https://news.example/callback' }));
    await picture('sign-in');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await picture('consent');
    await page.goto(`${dash.origin}/dash/me/apps`);
    await picture('apps');
    await page.close();
  }
  console.log(`docs/images has pictures of the pages, in light and dark.`);
} finally {
  await chromium.close();
  await dash.stop();
}
