import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { password, startDashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { launch } from './chromium.ts';

/** Pictures of the dashboard for the documentation: docs/images/dash-{page}-{desktop,phone}-{light,dark}.png. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

const team = 'harbor';

/** A small directory. The last ones wait for a decision. */
const records: readonly UnsealedFields[] = [
  record('Corner Pantry', 'food', '12 Canal Street', '555-0101', 'Groceries for a week, no papers asked.'),
  record('Harbor Night Shelter', 'housing', '3 Dock Road', '555-0102', 'Forty beds, open all year.'),
  record('Walk-in Clinic', 'health', '88 Mill Lane', '555-0103', 'A nurse sees you without an appointment.'),
  record('Tenants’ Advice', 'legal', '5 Court Square', '555-0104', 'Free advice about leases and evictions.'),
  record(
    'Evening Classes',
    'education',
    '20 School Hill',
    '555-0105',
    'Reading, writing and numbers for adults.',
  ),
  record('Corner Food Pantry', 'food', '12 Canal Street', '555-0101', 'Groceries on Tuesdays and Fridays.'),
  record('Listening Line', 'mental', '1 Bridge End', '555-0107', 'Somebody to talk to, day and night.'),
];

function record(
  name: string,
  category: UnsealedFields['category'],
  street: string,
  number: string,
  description: string,
): UnsealedFields {
  return {
    name,
    category,
    description,
    locations: [{ street, city: 'Springfield' }],
    phones: [{ number }],
  };
}

const [dash, chromium] = await Promise.all([startDashboard(), launch()]);
try {
  const { system } = dash;
  await commandTeam(system.store, { kind: 'create', team, name: 'Harbor Network' }, context());
  await dash.caughtUp();
  const admin = await dash.account({ role: 'administrator', profile: { name: 'Maria Alvarez' } });
  await dash.member(team, admin, 'admin');
  for (const [index, fields] of records.entries()) {
    const { state } = await submitResource(system, { team, fields }, context());
    if (state && index < 5) await commandResource(system, state.svc_id, { kind: 'approve' }, context());
  }
  await dash.invited(team, 'new.reviewer@example.org', 'reviewer', new Date(Date.now() - 6 * 86_400_000));
  await dash.caughtUp();

  const open = async (page: Page, path: string) => {
    await page.goto(`${dash.origin}${path}`);
    await page.locator('main').waitFor();
  };
  for (const [size, width] of [
    ['desktop', 1280],
    ['phone', 390],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await chromium.newPage({ colorScheme, viewport: { width, height: 800 } });
      await open(page, '/dash/sign-in');
      await page.getByLabel('Email').fill(admin.email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      for (const [name, path] of [
        ['home', `/dash?team=${team}`],
        ['directory', `/dash/resources?team=${team}`],
        ['review', `/dash/resources/review?team=${team}`],
        ['audit', `/dash/audit?team=${team}`],
      ] as const) {
        await open(page, path);
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
