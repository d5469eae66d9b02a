import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTeamAsParameter } from '../../../src/api/pages/paths.ts';
import { endMembership } from '../../../src/commands/teams/member.ts';
import { password, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context } from '../harness.ts';
import { contentsOfTeam, ofAll, ofTeams, pathsOfTeam, team, typed } from '../whole-team.ts';

/** The first team by name, so that a link which leaves the team out might lead to it. */
const first = 'annex';

let dash: Dashboard;
let admin: Account;
let operator: Account;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  dash = await startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  await dash.team(first);
  admin = await adminOfBoth();
  operator = await dash.account({ role: 'administrator' });
  const member = await dash.account();
  for (const each of [first, team]) await dash.member(each, operator, 'admin');
  await dash.member(team, member, 'member');
  ids = await contentsOfTeam(dash, member);
});
afterAll(() => dash.stop());

async function adminOfBoth(): Promise<Account> {
  const person = await dash.account();
  for (const each of [first, team]) await dash.member(each, person, 'admin');
  return person;
}

const inTeam = (path: string, of = team): string => `/dash/t/${of}${path.slice('/dash'.length)}`;

interface Sent {
  readonly action: string;
  readonly values: URLSearchParams;
}

describe('a team that is not the first', () => {
  /** Opens every page to which another leads, and finds every form. */
  async function crawl(browser: PlainBrowser): Promise<{ seen: Set<string>; forms: Map<string, Sent> }> {
    const forms = new Map<string, Sent>();
    const seen = new Set<string>();
    const open = pathsOfTeam(dash, ids).map((path) => inTeam(path));
    await browser.open(inTeam('/dash'));
    while (open.length > 0) {
      const path = open.pop() ?? '';
      if (seen.has(kindOf(path)) || path.includes('sign-out')) continue;
      seen.add(kindOf(path));
      await browser.open(path);
      if (!browser.html.startsWith('<!doctype')) continue;
      for (const address of addressesOn(browser)) {
        const { pathname } = new URL(address, dash.origin);
        if (pathname.startsWith('/dash/t/'))
          expect(pathname, `on ${path}`).toMatch(new RegExp(`^/dash/t/${team}(/|$)`));
        else if (!ofAll.test(pathname)) expect(pathname, `on ${path}`).not.toMatch(ofTeams);
        if (!ofAll.test(pathname)) open.push(address.replace(/#.*/, ''));
      }
      for (const form of browser.forms()) {
        if (!form.action.startsWith('/dash/t/')) continue;
        for (const { name, value } of form.buttons.length > 0 ? form.buttons : [{ name: '', value: '' }]) {
          const values = new URLSearchParams();
          for (const [field, filled] of form.fields)
            values.append(field, filled === '' ? typed(field) : filled);
          if (name !== '') values.set(name, value);
          if (values.has('token'))
            forms.set([kindOf(form.action), value, ...values.keys()].join(' '), {
              action: form.action,
              values,
            });
        }
      }
    }
    return { seen, forms };
  }

  test.each([
    ['an admin of both teams', () => admin],
    ['an administrator', () => operator],
  ])('stays with %s on every page, in every link and form', async (_, who) => {
    const browser = await dash.signedIn(who());
    const { seen, forms } = await crawl(browser);
    expect(seen.size).toBeGreaterThan(45);
    expect(forms.size).toBeGreaterThan(35);
    const after = await dash.system.store.head();
    for (const { action, values } of forms.values()) {
      // Nobody sends webhooks here, so a test would wait for one.
      if (action.endsWith('/test')) continue;
      values.set('once', randomBytes(12).toString('base64url'));
      await browser.post(action, values);
      expect([action, browser.team]).toEqual([action, team]);
    }
    const { events } = await dash.system.store.readAll({ after, limit: 10_000 });
    expect(events.length).toBeGreaterThan(10);
    expect(events.filter(({ data }) => JSON.stringify(data).includes(`"${first}"`))).toEqual([]);
  });

  test('stays in its tab while another tab shows another team', async () => {
    const one = await dash.signedIn(await adminOfBoth());
    await one.open(inTeam('/dash/team/forms/new'));
    const other = dash.browser();
    for (const [name, value] of one.cookies) other.cookies.set(name, value);
    await other.open(inTeam('/dash/resources', first));
    await one.press('Publish', { title: 'From the first tab', slug: 'first-tab', 'f0-label': 'Name' });
    expect(one.team).toBe(team);
    expect(one.text).toContain('From the first tab');
    await other.follow('Forms');
    expect(other.team).toBe(first);
    expect(other.text).not.toContain('From the first tab');
  });
});

describe('an address without a team', () => {
  test('leads to the team that the person looked at last, and says so', async () => {
    const browser = await dash.signedIn(await adminOfBoth());
    expect(browser.team).toBe(first);
    await browser.open(inTeam('/dash/resources'));
    for (const path of ['/dash', '/dash/resources/review', '/dash/integrations/webhooks', '/dash/audit']) {
      await browser.open(path);
      expect([path, browser.url.pathname]).toEqual([path, inTeam(path)]);
      expect(browser.html).toMatch(/class="where"\s*><a href="\/dash\/t\/harbour">harbour<\/a>/);
    }
    await browser.open('/dash/resources?q=pantry&status=approved');
    expect(browser.url.search).toBe('?q=pantry&status=approved');
  });

  test('leads back to that team from pages of the person and of the whole service', async () => {
    const browser = await dash.signedIn(operator);
    await browser.open(inTeam('/dash/team'));
    for (const [path, about] of [
      ['/dash/me', 'Only about you'],
      ['/dash/me/sessions', 'Only about you'],
      ['/dash/operations', 'The whole service'],
      ['/dash/teams', 'The whole service'],
      ['/dash/audit', 'The whole service'],
    ] as const) {
      await browser.open(path);
      expect([path, browser.text]).toEqual([path, expect.stringContaining(`${about} · Back to harbour`)]);
      await browser.follow('Directory');
      expect(browser.url.pathname).toBe('/dash/t/harbour/resources');
    }
  });

  test.each(['nowhere', '../..', '%3Cscript%3E', first])(
    'shows one of the own teams when the browser remembers %s',
    async (remembered) => {
      const browser = await dash.signedIn(await adminOfBoth());
      browser.cookies.set('commonweal-team', remembered);
      await browser.open('/dash/resources');
      expect([browser.status, browser.team]).toEqual([200, first]);
    },
  );

  test('with the parameter of older emails shows its page as ever', async () => {
    const browser = await dash.signedIn(await adminOfBoth());
    await browser.open(`/dash/resources/review?team=${team}`);
    expect(browser.status).toBe(200);
    await browser.follow('Directory');
    expect(browser.team).toBe(team);
  });
});

describe('a team in the path', () => {
  test('comes back after signing in', async () => {
    const browser = await dash.browser().open(inTeam('/dash/resources/review'));
    expect(browser.url.searchParams.get('to')).toBe(inTeam('/dash/resources/review'));
    await browser.press('Sign in', { email: (await adminOfBoth()).email, password });
    expect(browser.url.pathname).toBe(inTeam('/dash/resources/review'));
  });

  test('that the person has just left is refused like one that there never was', async () => {
    const person = await adminOfBoth();
    const browser = await dash.signedIn(person);
    await browser.open(inTeam('/dash/team/invite'));
    await browser.open(inTeam('/dash/team'));
    await endMembership(dash.system, { team, user: person.user }, context());
    await dash.caughtUp();
    await browser.press('Send the invitation', { email: 'somebody@example.org' });
    const left = [browser.status, browser.text];
    expect(left[0]).toBe(404);
    const answers = [];
    for (const of of [team, 'never-existed'])
      for (const path of ['/dash', '/dash/resources', '/dash/audit'])
        answers.push([(await browser.open(inTeam(path, of))).status, browser.heading, browser.text]);
    expect(new Set(answers.map(([status, , text]) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toEqual([left[0], browser.heading, left[1]]);
    // And the other team is there.
    expect((await browser.open('/dash')).team).toBe(first);
  });

  test('and another one in the form is refused', async () => {
    const browser = await dash.signedIn(await adminOfBoth());
    await browser.open(inTeam('/dash/sites/oauth/new'));
    const token = browser.hidden('token');
    const values = { token, team: first, name: 'Elsewhere', redirect_uris: 'https://news.example/callback' };
    await browser.post(inTeam('/dash/sites/oauth/new'), values);
    expect(browser.status).toBe(400);
    expect(browser.heading).toBe('Please try again');
  });

  test.each([
    ['/dash/t/harbour', '/dash?team=harbour'],
    ['/dash/t/harbour?done=left', '/dash?team=harbour&done=left'],
    ['/dash/t/harbour/resources/review', '/dash/resources/review?team=harbour'],
    [
      '/dash/t/harbour/resources?q=a%20b&team=annex&team&after=1',
      '/dash/resources?team=harbour&q=a%20b&after=1',
    ],
    ['/dash/t/a&team=b+c/resources', '/dash/resources?team=a%26team=b%2Bc'],
    ['/dash/t/harbour/api/v1/resources', '/dash/t/harbour/api/v1/resources'],
    ['/dash/t/harbour/api', '/dash/t/harbour/api'],
    ['/dash/t/harbour/apiary', '/dash/apiary?team=harbour'],
    ['/dash/t/', '/dash/t/'],
    ['/dash/t', '/dash/t'],
    ['/dash/teams/t/harbour', '/dash/teams/t/harbour'],
    ['/find?q=/dash/t/harbour/resources', '/find?q=/dash/t/harbour/resources'],
  ])('of %s is a parameter of the page', (url, expected) => {
    expect(withTeamAsParameter(url)).toBe(expected);
  });
});

/** Where a page leads. To switch to another team, and what lists teams, are meant to lead elsewhere. */
function addressesOn({ html, path }: PlainBrowser): string[] {
  const own = html
    .replace(/<details class="switcher">[\s\S]*?<\/details>/, '')
    .replace(/^\/dash\/(me\/)?teams/.test(path) ? /<main[\s\S]*?<\/main>/ : /$^/, '');
  return [...own.matchAll(/<[^>]*?\s(?:href|action|data-live|src)="(\/dash[^"]*)"/g)]
    .map(([, to = '']) => to.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))))
    .filter((to) => !to.startsWith('/dash/assets/'));
}

/** Pages that differ only in what they show are one. */
const kindOf = (path: string): string =>
  path
    .replace(/^\/dash\/t\/[^/?]+/, '/dash')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\/(r_[0-9a-f]{16}|o_[0-9a-f]{16}|site_\w+)/g, '/id')
    .replace(/\?.*/, '');
