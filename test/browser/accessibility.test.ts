import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstAdministratorId } from '../../src/commands/accounts/administrator.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { writeLink, type LinkPurpose } from '../../src/commands/accounts/one-time-links.ts';
import { publishForm } from '../../src/commands/forms.ts';
import { submitOrganization } from '../../src/commands/directory/organization.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { context } from '../api/harness.ts';
import {
  anAddress,
  password,
  startDashboard,
  type Account,
  type Dashboard,
} from '../api/accounts/harness.ts';
import { anyForm } from '../support/any-form.ts';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium, launch } from './chromium.ts';
import { showParts } from './parts-page.ts';
import { colourRules, everyRule, objections, overflow } from './page-checks.ts';

/** Ends only what hangs. */
const limit = { timeout: 240_000 };

describe.skipIf(!hasChromium)('every page', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let account: Account;
  let newcomer: Account;
  let leaving: Account;
  let site: string;
  let webhook: string;
  let event: string;
  let organization: string;
  let record: string;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
    account = await dash.account({ role: 'administrator' });
    newcomer = await dash.account({ confirmed: false });
    leaving = await dash.account();
    await dash.member('harbour', account, 'admin');
    site = await dash.site();
    const second = await dash.site({ name: 'Library' });
    for (const client of [site, second]) {
      await grantConsent(dash.system.store, { user: account.user, client }, ['openid', 'profile'], context());
    }
    const reset = await dash.browser().open('/dash/reset');
    await reset.press('Ask for the link', { email: account.email });
    record = await dash.submission('harbour', {
      name: 'Corner Pantry',
      contacts: [{ name: 'Sample Contact' }],
    });
    const trust = { team: 'harbour', fields: { name: 'Harbor Trust', description: 'Food and beds.' } };
    const { state } = await submitOrganization(dash.system, trust, context());
    organization = state?.org_id ?? '';
    const wish = { team: 'harbour', url: 'https://example.org/hook', events: ['resource.approved'] } as const;
    ({ subscriptionId: webhook } = await createSubscription(dash.system, wish, 'a secret', context()));
    await dash.invited('harbour', anAddress(), 'member');
    await publishForm(dash.system.store, { team: 'harbour', slug: 'volunteer' }, anyForm(), context());
    const made = await dash.system.store.readStream('team-harbour');
    event = made.at(-1)?.id ?? '';
    await dash.caughtUp();
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  const link = async (purpose: LinkPurpose, userId: string) => {
    const { store, vault } = dash.system;
    return `?link=${(await writeLink({ store, vault }, { purpose, userId, at: new Date() })) ?? ''}`;
  };
  const invited = async (team: string, email: string) => {
    await dash.invited(team, email, 'reviewer');
    return dash.link(email);
  };
  /** A browser of its own. Colours that change with the appearance then change at once. */
  const opened = async () => (await chromium.newContext({ reducedMotion: 'reduce' })).newPage();

  test(
    'for everybody has nothing that axe objects to, and fits, in light and dark, narrow and wide',
    limit,
    async () => {
      const page = await opened();
      for (const path of [
        ...[await invited('commons', anAddress()), '/dash/join/harbour?link=lnk_0'],
        ...[
          '/',
          '/docs',
          '/docs/errors',
          '/oauth/authorize',
          '/oauth/logout',
          '/oauth/logout?state=1&state=2',
        ],
        ...[
          '/dash/sign-in',
          dash.asked(site),
          '/dash/sign-in?done=signed-out',
          '/dash/sign-in?continue=rubbish',
        ],
        ...['/dash/register', '/dash/register/sent', '/dash/reset', '/dash/reset/sent', '/dash/verify'],
        `/dash/verify${await link('verify-email', newcomer.user)}`,
        `/dash/reset/password${await link('reset-password', account.user)}`,
        `/dash/set-up${await link('set-up', await firstAdministratorId(dash.system.vault))}`,
      ])
        await inspect(page, dash.origin + path);
      // Forms that say what is wrong, too.
      for (const [path, button] of [
        ['/dash/register', 'Create account'],
        ['/dash/sign-in', 'Sign in'],
      ] as const) {
        await page.goto(dash.origin + path);
        await page.getByRole('button', { name: button, exact: true }).click();
        await inspect(page);
      }
      await page.context().close();
    },
  );

  test.each<[string, () => Promise<string[]>]>([
    [
      'of an account',
      async () => [
        ...[
          '',
          '/profile',
          '/password',
          '/email',
          '/passkeys',
          '/sessions',
          '/apps',
          '/data',
          '/erase',
          '?done=profile',
        ].map((path) => `/dash/me${path}`),
        ...[await invited('commons', account.email), await invited('commons', anAddress())],
        ...[
          '/dash/me/mails',
          '/dash/me/teams',
          '/dash/me/teams?done=joined',
          '/oauth/logout',
          dash.asked(site),
        ],
        ...[dash.asked(site, { prompt: 'select_account' }), dash.asked(site, { prompt: 'login' })],
      ],
    ],
    [
      'of a directory',
      () =>
        Promise.resolve(
          [
            '',
            '/new',
            '/export',
            '/import',
            '/bulk',
            '/review',
            '/organizations',
            '/organizations/new',
            `/organizations/${organization}`,
            `/organizations/${organization}/edit`,
            '/review?show=organizations',
            `/${record}`,
            `/${record}/edit`,
            `/${record}/people`,
          ].map((path) => `/dash/resources${path}${path.includes('?') ? '&' : '?'}team=harbour`),
        ),
    ],
    [
      'of a team',
      () =>
        Promise.resolve([
          '/dash',
          ...['', `/members/${account.user}`, '/payments'].map((path) => `/dash/team${path}?team=harbour`),
          ...['', '/new', '/f/volunteer', '/f/volunteer/edit', '/f/volunteer/texts'].map(
            (path) => `/dash/team/forms${path}?team=harbour&language=es`,
          ),
          ...['', '/as-of', '/exports', `/events/${event}`].map((path) => `/dash/audit${path}?team=harbour`),
        ]),
    ],
    [
      'of what is connected',
      () =>
        Promise.resolve([
          ...['', '/new?team=harbour', `/${site}`, '/site_00000000'].map(
            (path) => `/dash/sites/oauth${path}`,
          ),
          ...['/dash/developers', '/dash/developers/widget', '/dash/integrations/api-tokens?team=harbour'],
          ...['', '/new', '/deliveries', `/${webhook}`, `/${webhook}/settings`, `/${webhook}/deliveries`].map(
            (path) => `/dash/integrations/webhooks${path}?team=harbour`,
          ),
        ]),
    ],
    [
      'of the installation',
      () =>
        Promise.resolve([
          ...['/dash/teams', '/dash/teams/t/harbour', '/dash/administrators'],
          ...[`/dash/administrators/${account.user}`, '/dash/operations', '/dash/outbox'],
        ]),
    ],
  ])(
    '%s has nothing that axe objects to, and fits, in light and dark, narrow and wide',
    limit,
    async (_, paths) => {
      const page = await opened();
      await page.goto(`${dash.origin}/dash/sign-in`);
      await signIn(page, account);
      for (const path of await paths()) await inspect(page, dash.origin + path);
      await page.context().close();
    },
  );

  test('made of every part has nothing that axe objects to, and fits', limit, async () => {
    const page = await opened();
    await page.goto(`${dash.origin}/dash/sign-in`);
    await signIn(page, account);
    await inspect(page, await showParts(page, dash.origin));
    await page.getByRole('heading', { name: 'What is under way' }).waitFor();
    await page.context().close();
  });

  test('with which an account is erased has nothing that axe objects to, and fits', limit, async () => {
    const page = await opened();
    await page.goto(`${dash.origin}/dash/sign-in`);
    await signIn(page, leaving);
    await inspect(page, `${dash.origin}/dash/me/erase`);
    for (const tried of ['wrong', password]) {
      await page.getByLabel('Password').fill(tried);
      await page.getByRole('button', { name: 'Erase my account', exact: true }).click();
      await inspect(page);
    }
    await page.context().close();
  });
});

async function signIn(page: Page, { email }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

const appearances = [360, 1440].flatMap((width) => [
  { colorScheme: 'light', width, runOnly: everyRule } as const,
  { colorScheme: 'dark', width, runOnly: colourRules } as const,
]);

/** Looks at a page in every appearance; it is loaded once, as it cannot know in which it is shown. */
async function inspect(page: Page, url?: string): Promise<void> {
  if (url !== undefined) await page.goto(url);
  const at = new URL(page.url()).pathname;
  requirePlainWords(await page.innerText('body'), at);
  for (const { colorScheme, width, runOnly } of appearances) {
    const appearance = `${at} in ${colorScheme} at ${width} px`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await objections(page, runOnly), appearance).toEqual([]);
    expect(await overflow(page), `${appearance} is wider than the window`).toBeLessThanOrEqual(0);
  }
}
