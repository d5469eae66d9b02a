import { beforeAll, describe, expect, test } from 'vitest';
import { ofTeam } from '../../../src/api/pages/paths.ts';
import type { Account } from '../../api/accounts/harness.ts';
import { contentsOfTeam, ofAll, ofTeams, pathsOfNoTeam, pathsOfTeam, team } from '../../api/whole-team.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit, Visitor, type Screen } from './journey.ts';

/** The first team by name, so that a page which loses its team might show it. */
const other = 'annex';
const names = new RegExp(`\\b(${team}|${other})\\b`);

/** What a page says of its team, and where it leads. To switch to another team, and what lists teams, lead elsewhere. */
interface Shown {
  readonly header: string;
  readonly isHeaderInView: boolean;
  readonly menu: string;
  readonly text: string;
  readonly links: string[];
  readonly actions: string[];
}

const readPage = `(() => {
  const header = document.querySelector('p.where');
  const box = header?.getBoundingClientRect();
  const paths = (selector, name) => [...document.querySelectorAll(selector)]
    .filter((each) => !each.closest('.switcher'))
    .map((each) => new URL(each.getAttribute(name), document.baseURI))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname }) => pathname);
  return {
    // Beside the way to the guide of the page.
    header: (header?.innerText ?? '').replace(/ ?Guide$/, '').trim(),
    isHeaderInView: box !== undefined && box.width > 0 && box.height > 0 && box.left >= 0 && box.top >= 0
      && box.right <= innerWidth && box.bottom <= 160,
    menu: document.querySelector('nav.menu h2.unseen')?.textContent ?? '',
    text: document.querySelector('main')?.innerText ?? '',
    links: [...paths('a[href]', 'href'), ...paths('[data-live]', 'data-live')],
    actions: [...paths('form[action]', 'action'), ...paths('[formaction]', 'formaction')],
  };
})()`;

describe.skipIf(!hasChromium)('in a real browser, somebody with two teams in two tabs', () => {
  const service = startService({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  let person: Account;
  let colleague: Account;
  /** An administrator of the installation who is an admin of both teams. */
  let operator: Account;
  let pages: string[];
  let pagesOfNoTeam: string[];

  beforeAll(async () => {
    const { dash } = service;
    await dash.team(other);
    [person, colleague] = [await dash.account(), await dash.account()];
    operator = await dash.account({ role: 'administrator' });
    const member = await dash.account();
    for (const each of [other, team])
      for (const admin of [person, colleague, operator]) await dash.member(each, admin, 'admin');
    await dash.member(team, member, 'member');
    const ids = await contentsOfTeam(dash, member);
    // Those that are pages: neither files nor where forms are sent.
    const browser = await dash.signedIn(operator);
    const opens = async (path: string): Promise<boolean> => {
      await browser.open(path);
      const { pathname, search } = browser.url;
      return browser.status === 200 && browser.html.startsWith('<!doctype') && pathname + search === path;
    };
    const those = async (paths: readonly string[]): Promise<string[]> => {
      const found: string[] = [];
      for (const path of paths) if (await opens(path)) found.push(path);
      return found;
    };
    pages = await those(pathsOfTeam(dash, ids).map((path) => ofTeam(path, team)));
    pagesOfNoTeam = await those(pathsOfNoTeam(dash, ids));
  });

  /** Signs in, and opens a second tab of the same browser. */
  async function twoTabs(screen: Screen, account: Account): Promise<readonly [Visitor, Visitor]> {
    const first = await visit(service, screen);
    await first.signIn(account);
    return [first, new Visitor(await first.page.context().newPage(), service.dash.origin, screen)];
  }

  /** Opens the other team in the second tab, on one of its pages after another. */
  async function looksAtOther({ page }: Visitor, turn = 0): Promise<void> {
    const path =
      ['/dash', '/dash/resources', '/dash/team', '/dash/integrations/webhooks'][turn % 4] ?? '/dash';
    await page.goto(service.dash.origin + ofTeam(path, other), { waitUntil: 'commit' });
  }

  async function opens({ page }: Visitor, path: string): Promise<Shown> {
    await page.goto(service.dash.origin + path, { waitUntil: 'domcontentloaded' });
    return page.evaluate<Shown>(readPage);
  }

  const eventsAfter = async (after: bigint) =>
    (await service.dash.system.store.readAll({ after, limit: 1_000 })).events;

  test.each([
    ['a wide screen', { width: 1280 }],
    ['a phone', { width: 360 }],
  ])('stays in the team of the page on every page, on %s', { timeout: 120_000 }, async (_, screen) => {
    const [one, second] = await twoTabs(screen, person);
    expect(pages.length).toBeGreaterThan(35);
    for (const [turn, path] of pages.entries()) {
      if (turn % 2 === 0) await looksAtOther(second, turn / 2);
      const { header, isHeaderInView, menu, links, actions } = await opens(one, path);
      expect([path, header, isHeaderInView, menu]).toEqual([path, team, true, team]);
      expect(links.length, path).toBeGreaterThan(5);
      for (const to of [...links, ...actions]) {
        if (to.startsWith('/dash/t/')) expect(to, `on ${path}`).toMatch(new RegExp(`^/dash/t/${team}(/|$)`));
        else if (!ofAll.test(to)) expect(to, `on ${path}`).not.toMatch(ofTeams);
      }
      expect(links, path).toContain(ofTeam('/dash/resources', team));
    }
    await second.leave();
    await one.leave();
  });

  test(
    'sees on pages of the person and of the installation whose they are',
    { timeout: 60_000 },
    async () => {
      const [one, second] = await twoTabs({ width: 360 }, operator);
      await one.open(ofTeam('/dash', team));
      expect(pagesOfNoTeam.length).toBeGreaterThan(15);
      for (const path of pagesOfNoTeam) {
        const { header, isHeaderInView, text } = await opens(one, path);
        // A page with a single task has no header.
        if (header === '') expect(text, path).not.toMatch(names);
        else
          expect([path, header, isHeaderInView]).toEqual([
            path,
            expect.stringMatching(/^(Only about you|The whole service) · Back to harbour$/),
            true,
          ]);
      }
      // It leads back to the team that was looked at last, in whichever tab.
      await looksAtOther(second);
      expect((await opens(one, '/dash/me')).header).toBe(`Only about you · Back to ${other}`);
      await second.leave();
      await one.leave();
    },
  );

  test(
    'changes the team of the page with each form, and none through an old page',
    { timeout: 60_000 },
    async () => {
      const { dash } = service;
      const [one, second] = await twoTabs({ width: 1280 }, person);
      const { page } = one;
      await dash.submission(other, { name: 'Pantry of the annex' });
      const before = await dash.system.store.head();

      await one.open(ofTeam('/dash/resources/review', team));
      await looksAtOther(second);
      await page.getByRole('button', { name: /^Approve Pantry/ }).click();
      await one.sees('It is approved, and everybody can see it.');

      await one.open(ofTeam('/dash/resources', team, { status: 'approved' }));
      await looksAtOther(second, 1);
      await page.getByText('Save this view').click();
      await one.fill(/^Name of the view/, 'What is public');
      await one.press('Save');
      await one.sees('The view is saved for everybody in the team.');

      await one.open(ofTeam('/dash/team', team));
      await looksAtOther(second, 2);
      await one.fill(/^Email/, 'somebody@example.org');
      await one.press('Send the invitation');
      await one.sees('The invitation is made.');

      await one.open(ofTeam('/dash/integrations/webhooks/new', team));
      await looksAtOther(second, 3);
      await one.fill(/^Address/, 'http://127.0.0.1:9/hook');
      await page.getByRole('checkbox', { name: /^resource.approved/ }).check();
      await one.press('Add a webhook');
      await one.heading('The webhook is added');
      expect((await opens(one, new URL(page.url()).pathname)).header).toBe(team);

      const events = await eventsAfter(before);
      expect(events.map(({ type }) => type)).toContain('ResourceApproved');
      const mentions = (of: string) =>
        events
          .filter(({ stream, data }) => (stream + JSON.stringify(data)).includes(of))
          .map(({ type }) => type);
      expect(mentions(other)).toEqual([]);
      expect(mentions(team)).toEqual(
        expect.arrayContaining(['ViewSaved', 'MemberInvited', 'SubscriptionCreated']),
      );
      expect((await opens(second, ofTeam('/dash/resources/review', other))).text).toContain(
        'Pantry of the annex',
      );
      expect((await opens(second, ofTeam('/dash/resources', other))).text).not.toContain('What is public');

      // An old link serves the page of its team, whatever was looked at last.
      for (const of of [team, other]) {
        const { header, links } = await opens(one, `/dash/resources/review?team=${of}`);
        expect([
          header,
          links.filter((to) => to.startsWith('/dash/t/') && !to.startsWith(`/dash/t/${of}`)),
        ]).toEqual([of, []]);
      }

      // Another admin removes the person, whose page is still open.
      await one.open(ofTeam('/dash/team', team));
      const admin = await visit(service, { width: 1280 });
      await admin.signIn(colleague);
      await admin.open(ofTeam(`/dash/team/members/${person.user}`, team));
      await admin.page.locator('summary', { hasText: 'Remove' }).click();
      await admin.page.locator('.asked').getByRole('button', { name: 'Remove' }).click();
      await admin.page.waitForURL(/done=/);
      await admin.leave();
      const removed = await dash.system.store.head();
      await one.fill(/^Email/, 'too-late@example.org');
      await one.press('Send the invitation');
      await one.sees('An admin of the team can invite you');
      await one.looksRight('two-teams-removed');
      expect(await eventsAfter(removed)).toEqual([]);
      expect((await opens(one, ofTeam('/dash/team', other))).header).toBe(other);
      await second.leave();
      await one.leave();
    },
  );
});
