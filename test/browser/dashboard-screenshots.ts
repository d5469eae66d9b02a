import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { backupRecord } from '../../src/backup/record.ts';
import { eventVersions } from '../../src/events/catalogue.ts';
import { release } from '../../src/release.ts';
import { RequestDurations } from '../../src/status/request-durations.ts';
import { password, startDashboard } from '../api/accounts/harness.ts';
import { launch } from './chromium.ts';
import { livelyTeam } from './lively-team.ts';

/**
 * Pictures of the dashboard for the documentation: docs/images/dash-{page}-{desktop,phone}-{light,dark}.png. Pages that are
 * named are made alone: node test/browser/dashboard-screenshots.ts operations
 */
const named = process.argv.slice(2);
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

/** As a server that has run for an hour. */
const requestDurations = new RequestDurations(undefined, Date.now() - 3_600_000);
const [dash, chromium] = await Promise.all([startDashboard({ requestDurations }), launch()]);
try {
  const { team, admin, site, webhook } = await livelyTeam(dash);
  const open = async (page: Page, path: string) => {
    await page.goto(`${dash.origin}${path}`);
    await page.locator('main').waitFor();
  };
  const [newest] = await dash.events('api-key-');
  const key = newest?.data['key_id'] as string;
  await backupRecord(dash.system.side).taken({ at: new Date().toISOString(), folder: 'backups' });
  /** As a server tells all the time. */
  const announce = () =>
    dash.system.nodes.announce({
      ...{ release, projects: true, readModels: {}, events: eventVersions(), keys: [] },
      answered: requestDurations.lately(),
    });
  for (const [size, width] of [
    ['desktop', 1280],
    ['phone', 390],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await chromium.newPage({ colorScheme, viewport: { width, height: 800 }, locale: 'en-US' });
      await open(page, '/dash/sign-in');
      await page.getByLabel('Email').fill(admin.email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      for (const [name, path, height = 800] of [
        ['home', `/dash?team=${team}`],
        ['directory', `/dash/resources?team=${team}`],
        ['review', `/dash/resources/review?team=${team}`],
        ['webhook', `/dash/integrations/webhooks/${webhook}?team=${team}`, 1080],
        ['key', `/dash/developers/${key}`],
        ['site', `/dash/sites/oauth/${site}/preview?team=${team}`],
        ['form', `/dash/team/forms/f/volunteer/edit?team=${team}`],
        ['operations', '/dash/operations'],
        ['audit', `/dash/audit?team=${team}`],
      ] as const) {
        if (named.length > 0 && !named.includes(name)) continue;
        await announce();
        await page.setViewportSize({ width, height });
        await open(page, path);
        // The one that the directory may have already.
        const like = page.getByRole('heading', { name: 'Dock Street Pantry', exact: true });
        if (name === 'review' && (await like.count()) === 0) {
          await page.getByRole('link', { name: 'Next', exact: true }).click();
          await like.waitFor();
        }
        await page.screenshot({ path: `${folder}dash-${name}-${size}-${colorScheme}.png`, caret: 'hide' });
      }
      await page.close();
    }
  }
  console.log('docs/images has pictures of the dashboard, for desktop and phone, in light and dark.');
} finally {
  await chromium.close();
  await dash.stop();
}
