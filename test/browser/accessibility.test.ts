import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstAdministratorId } from '../../src/commands/accounts/administrator.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { writeLink, type LinkPurpose } from '../../src/commands/accounts/one-time-links.ts';
import { formIdOf, publishForm } from '../../src/commands/forms.ts';
import { submissionIdOf, submitForm } from '../../src/commands/forms-submissions.ts';
import { createApiKey } from '../../src/commands/keys.ts';
import { paymentIdOf, recordPayment } from '../../src/commands/payments.ts';
import { commandView } from '../../src/commands/teams/view.ts';
import { agencyLinks } from '../../src/actions/directory/upkeep/agency-links.ts';
import { claimLinks } from '../../src/actions/directory/upkeep/claims/claim-links.ts';
import { askAgencyContact } from '../../src/commands/directory/upkeep/agency-contact.ts';
import { beginClaim, commandClaim, loadClaim } from '../../src/commands/directory/upkeep/claim.ts';
import { submitOrganization } from '../../src/commands/directory/organization.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { metadata } from '../../src/events/metadata.ts';
import { guides } from '../../src/api/pages/paths.ts';
import { context } from '../api/harness.ts';
import {
  anAddress,
  password,
  startDashboard,
  type Account,
  type Dashboard,
} from '../api/accounts/harness.ts';
import { routesOf } from '../support/routes.ts';
import { anyForm } from '../support/any-form.ts';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium, launch } from './chromium.ts';
import { showParts } from './parts-page.ts';
import { colourRules, everyRule, objections, overflow, tabsOutside } from './page-checks.ts';

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
  /** The addresses of one of each thing that the pages of a team show. */
  const of: Record<string, string> = {};
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
    of['walk'] = metadata.parse(made.at(-1)?.metadata).correlation_id;
    await fill();
    await dash.caughtUp();
  });

  /** What people have done in the team: duplicates, decisions, answers, payments, members, keys, views. */
  async function fill(): Promise<void> {
    const { system } = dash;
    const place = { street: '12 Harbor Street', city: 'Lakewood', region: 'AK', postal_code: '99501' };
    const pantry = { name: 'Night Pantry', phones: [{ number: '555-010-7788' }], locations: [place] };
    const [goes = '', stays = ''] = await dash.resources(2, { team: 'harbour', fields: () => pantry });
    of['merge'] = `/${goes}/merge?into=${stays}`;
    const form = formIdOf('harbour', 'volunteer');
    const [answered, paid] = [context(), context()];
    await submitForm(system, { team: 'harbour', form, version: 1 }, { name: 'Sam Sample' }, answered);
    of['answer'] = submissionIdOf(answered);
    const payment = { member_id: account.user, amount_minor: 1_250, currency: 'USD', memo: 'Membership' };
    await recordPayment(system, 'harbour', payment, paid);
    of['payment'] = paymentIdOf(paid);
    const reads = { scopes: ['resources:read'] as const, label: 'Kiosk' };
    of['teamKey'] = (await dash.key({ ...reads, kind: 'team', team: 'harbour' })).keyId;
    const own = { ...reads, kind: 'developer', domains: [] } as const;
    const by = { ...context(), actor: { kind: 'user', id: account.user } } as const;
    of['ownKey'] = (await createApiKey(system, own, randomBytes(32), by)).keyId;
    const view = { team: 'harbour', name: 'Waiting "food" <b>', query: 'status=submitted&sort=-changed' };
    await commandView(system.store, { kind: 'save', ...view }, context());
    await keep();
    const counts = system.side.table<readonly number[]>('needs');
    await counts.put('week/2026-W47/dentist+free-clinic|health|Homestead', [210, 210, 0]);
    await counts.put('week/2026-W47/?||*', [1_230, 0, 400]);
    await counts.put('closed/week/2026-W47', [0, 0, 0]);
    await dash.caughtUp();
    const browser = await dash.signedIn(account);
    for (const [which, button] of [['question'], ['result', 'Reject 1 record']] as const) {
      const ticked = await dash.submission('harbour', { name: `Ticked for a ${which}` });
      await browser.open('/dash/resources/import?team=harbour');
      const token = browser.hidden('token');
      const values = { team: 'harbour', do: 'reject', token, once: crypto.randomUUID(), record: ticked };
      await browser.post('/dash/resources/bulk', values);
      if (button) await browser.press(button, { reason: 'It is closed.' });
      of[which] = browser.path.replace('/dash/resources', '');
    }
    await browser.open('/dash/team/payments/members/add?team=harbour');
    await browser.press('Save', { name: 'Ines Sample' });
    await browser.open('/dash/team/payments/members?team=harbour');
    await browser.follow('Ines Sample');
    of['listed'] = browser.path;
    await browser.open('/dash/resources/new?team=harbour');
    await browser.press('Submit', { name: 'My own pantry', category: 'food' });
  }
  /** Agencies that are asked, claim their records, and keep them. */
  async function keep(): Promise<void> {
    const { system } = dash;
    const [svcId = ''] = await dash.resources(1, {
      team: 'harbour',
      fields: () => ({ name: 'Kept Pantry', url: 'https://pantries.example' }),
    });
    const sealed = <Link>(links: { readonly seal: (link: Link, at: Date) => string }, link: Link) =>
      `?${new URLSearchParams({ link: links.seal(link, new Date()) }).toString()}`;
    const contact = 'cd'.repeat(32);
    const ask = { contact, team: 'harbour', ask: crypto.randomUUID(), svc_ids: [svcId], language: 'en' };
    const mail = { address: 'ana@pantries.example', mailed_at: new Date().toISOString() };
    await askAgencyContact(system, { ...ask, ...mail }, context());
    of['asked'] = `/k${sealed(agencyLinks(system.masterKey), { contact })}`;
    of['claim'] = `/r/${svcId}/claim`;
    for (const which of ['proof', 'kept'] as const) {
      const claim = (which === 'proof' ? '0a' : '0b').repeat(32);
      const about = { claim, team: 'harbour', subject: svcId, svc_id: svcId, host: 'pantries.example' };
      await beginClaim(system, { ...about, language: 'en', address: mail.address }, context());
      const { link = '' } = (await loadClaim(system.store, claim)) ?? {};
      of[which] = `/k/claim${sealed(claimLinks(system.masterKey, which), { claim, link })}`;
      if (which === 'proof') continue;
      await commandClaim(system, claim, { kind: 'prove', link }, context());
      await commandClaim(system, claim, { kind: 'approve', link }, context());
      of['change'] = `${of[which].replace('/k/claim', '/k/claim/change')}&svc_id=${svcId}`;
    }
  }
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
        ...[of['claim'], of['proof'], of['kept'], of['change'], of['asked'], '/k/claim?link=lnk_0'].map(
          String,
        ),
        ...['/', '/docs', '/docs/errors', '/oauth/authorize', '/oauth/logout'],
        ...['/dash/sign-in', dash.asked(site), '/dash/sign-in?continue=rubbish'],
        ...[
          '/dash/register',
          '/dash/register/sent',
          '/dash/reset',
          '/dash/reset/sent',
          '/dash/verify',
          '/dash/mails/stop',
          '/dash/mails/confirm',
        ],
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

  test(
    'that is a guide has nothing that axe objects to in light and dark, and fits a phone',
    limit,
    async () => {
      const page = await opened();
      await page.setViewportSize({ width: 360, height: 800 });
      const found: unknown[] = [];
      for (const path of process.env['JOURNEYS'] === 'all' ? everyGuide : someGuides) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(dash.origin + path);
        const wider = await overflow(page);
        await page.evaluate(shorten);
        // All have the same style: their colours are looked at where there is most of everything.
        const isColourful = colourful.includes(path);
        const inLight = await objections(page, everyRule, isColourful ? [] : colourRules);
        await page.emulateMedia({ colorScheme: 'dark' });
        const inDark = isColourful ? await objections(page, colourRules) : [];
        if (inLight.length + inDark.length > 0 || wider > 0) found.push({ path, inLight, inDark, wider });
      }
      expect(found).toEqual([]);
      await page.context().close();
    },
  );

  test.each<[string, () => Promise<string[]>]>([
    [
      'of an account',
      async () => [
        ...['', '/profile', '/password', '/email', '/passkeys', '/sessions', '/apps', '/data', '/erase'].map(
          (path) => `/dash/me${path}`,
        ),
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
            '?status=submitted&sort=-changed',
            '/review?show=table',
            '/mine',
            '/import/sources',
            '/import/followed',
            '/duplicates',
            '/needs',
            '/asking',
            '/review?show=suggestions',
            '/review?show=claims',
            '/calls',
            ...[of['merge'], of['question'], of['result']].map(String),
          ].map((path) => `/dash/resources${path}${path.includes('?') ? '&' : '?'}team=harbour`),
        ),
    ],
    [
      'of a team',
      () =>
        Promise.resolve([
          '/dash',
          ...[
            ...[
              '',
              '/settings',
              '/settings/close',
              `/members/${account.user}`,
              '/payments',
              '/payments/record',
            ],
            '/payments/members',
            ...['/payments/members/add', '/payments/members/add-many', `/payments/${of['payment'] ?? ''}`],
          ].map((path) => `/dash/team${path}?team=harbour`),
          `${of['listed'] ?? ''}?team=harbour`,
          ...[
            ...['', '/new', '/f/volunteer', '/f/volunteer/edit', '/f/volunteer/texts'],
            ...[
              '/f/volunteer/settings',
              '/f/volunteer/answers',
              `/f/volunteer/answers/${of['answer'] ?? ''}`,
            ],
          ].map((path) => `/dash/team/forms${path}?team=harbour&language=es`),
          ...['', '/as-of', '/exports', `/events/${event}`].map((path) => `/dash/audit${path}?team=harbour`),
          ...[`/walk/${of['walk'] ?? ''}`, `/keys/${of['teamKey'] ?? ''}`].map(
            (path) => `/dash/audit${path}?team=harbour`,
          ),
          `/dash/audit?team=harbour&by=${account.user}`,
        ]),
    ],
    [
      'of what is connected',
      () =>
        Promise.resolve([
          ...[
            '',
            '/new?team=harbour',
            `/${site}`,
            `/${site}/code`,
            `/${site}/code?for=authjs&team=harbour`,
            `/${site}/preview?decision=allow&team=harbour`,
            '/site_00000000',
          ].map((path) => `/dash/sites/oauth${path}`),
          // Refused, with what is registered.
          dash.asked(site, { redirect_uri: 'https://news.example/other' }),
          ...['/dash/developers', '/dash/developers/widget', '/dash/integrations/api-tokens?team=harbour'],
          `/dash/integrations/api-tokens/${of['teamKey'] ?? ''}?team=harbour`,
          `/dash/developers/${of['ownKey'] ?? ''}`,
          ...[
            ...['', '/new', '/deliveries', '/test-receiver', '/signature'],
            ...[`/${webhook}`, `/${webhook}/settings`, `/${webhook}/deliveries`],
          ].map((path) => `/dash/integrations/webhooks${path}?team=harbour`),
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

  test('is among those that were looked at', async () => {
    const routes = routesOf(dash.server.printRoutes({ commonPrefix: false })).filter(
      (route) => /^\/dash(\/|$)/.test(route) && !/^\/dash\/(api|assets)\//.test(route),
    );
    const patterns = routes.map(
      (route) => [route, new RegExp(`^${route.replaceAll(/:[a-zA-Z_]+/g, '[^/]+')}$`)] as const,
    );
    // The fixed parts of an address come before those that stand for anything.
    const seen = new Set(
      [...lookedAt].map(
        (path) =>
          routes.find((each) => each === path) ??
          patterns
            .filter(([, pattern]) => pattern.test(path))
            .toSorted(([one], [other]) => one.split(':').length - other.split(':').length)[0]?.[0],
      ),
    );
    const missing: string[] = [];
    for (const route of routes) {
      if (seen.has(route) || exceptions.some(([, routes]) => routes.test(route))) continue;
      const { statusCode } = await dash.server.inject({ url: route.replaceAll(':', '') });
      if (statusCode !== 405) missing.push(route);
    }
    expect(missing, 'have it looked at, or say below why not').toEqual([]);
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

const colourful: readonly string[] = ['/docs?q=key', '/docs/api', guides['first-call'], guides.webhooks];

/**
 * One program makes all guides, so axe looks at some that have every part, and with `JOURNEYS=all` at each: it takes minutes.
 * test/citations.test.ts holds that their links lead somewhere.
 */
const someGuides = [...colourful, guides['running-a-directory'], guides['sign-in'], guides.settings];
const everyGuide = [...colourful, ...Object.values(guides)];

/**
 * Of each table of a guide the first rows stay, of the events, which are written by a program, the first parts, and of the
 * reference the first operations: axe took minutes to look at thousands that are made alike.
 */
const shorten = `for (const each of document.querySelectorAll(
  '.guide tr:nth-child(n + 7), .guide > :nth-child(n + 301), .operation:nth-of-type(n + 12)'))
  each.remove();`;

/** The paths of all pages that were looked at, without a team. */
const lookedAt = new Set<string>();

/** Addresses that answer, and are not looked at here, with the reason. Any other address has to be. */
const exceptions: readonly (readonly [why: string, routes: RegExp])[] = [
  ['a file', /\.csv$|\/(proof|file|example|template|:import\/report|:member\/data)$/],
  ['a part of a page', /\/progress$|\/preview(\/|$)/],
  ['journeys/import.test.ts and import-sheet.test.ts look at it', /\/import\/:import(\/columns)?$/],
  ['needs a second import; life/browsed-directory.ts works with it, without axe', /\/:import\/conflicts$/],
  [
    'needs an attempt; journeys/webhooks.test.ts looks at it',
    /\/deliveries\/:delivery$|\/test-receiver\/:request$/,
  ],
  [
    'where a form of another page is sent',
    /\/(status|role|remove|change|erase|join|reverse|state|answers)$|:svcId\/(confirm|take)$|sources\/precedence$/,
  ],
  [
    'where a form of a form is sent',
    /\/f\/:form\/(close|reopen|readers|settings\/(mails|retention|office))$/,
  ],
  ['where a form of the members is sent', /^\/dash\/team\/(invite|invitation-link|withdraw|passkeys)$/],
  ['where a team is opened again: what it asks is one button', /^\/dash\/team\/settings\/reopen$/],
  ['where a form of a team is sent', /^\/dash\/teams\/t\/:team\/(scopes|time-zone|invite)$/],
  ['where a form of Operations is sent', /^\/dash\/operations\/(rebuilds|doctor)$/],
  [
    'the way back of a mail, or of a record that was rejected',
    /\/(email\/confirm|send-again|stop\/at-once)$/,
  ],
];

/** Looks at a page in every appearance; it is loaded once, as it cannot know in which it is shown. */
async function inspect(page: Page, url?: string): Promise<void> {
  if (url !== undefined) await page.goto(url);
  const at = new URL(page.url()).pathname;
  lookedAt.add(at.replace(/^\/dash\/t\/[^/]+/, '/dash'));
  requirePlainWords(await page.innerText('body'), at);
  for (const { colorScheme, width, runOnly } of appearances) {
    const appearance = `${at} in ${colorScheme} at ${width} px`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await objections(page, runOnly), appearance).toEqual([]);
    expect(await overflow(page), `${appearance} is wider than the window`).toBeLessThanOrEqual(0);
    expect(await tabsOutside(page), appearance).toEqual([]);
  }
}
