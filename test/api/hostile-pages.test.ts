import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import type { PlainBrowser } from './accounts/plain-browser.ts';

const team = 'harbour';
const script = '<script>alert(1)</script>';
const hostile: Readonly<Record<string, string>> = {
  'ten thousand characters': 'x'.repeat(10_000),
  'an address of ten thousand characters': `https://news.example/${'a'.repeat(10_000)}`,
  'a script': script,
  'the end of an attribute': '"><img src=x onerror=alert(1)>',
  'an address that is a script': 'javascript:alert(document.domain)',
  'an address with a script': `https://news.example/?q=${script}`,
  'letters from right to left': '\u202eelpmaxe.swen\u202c',
  'letters that nobody sees': '\u200b\u2066\u2069\ufeff',
  'a NUL and a line break': 'one\0two\r\nSet-Cookie: three',
  'the name of a property': '__proto__',
};

/** A form of a page, with what a person might type. Each typed field in turn gets what is hostile. */
interface HostileForm {
  readonly page: string;
  /** Where it is sent. Default: to the page. */
  readonly action?: string;
  readonly typed: Readonly<Record<string, string>>;
  /** Values that are chosen, not typed. */
  readonly chosen?: Readonly<Record<string, string>>;
  /** Where what was saved is listed. Default: the page. */
  readonly list?: string;
}

const forms: readonly HostileForm[] = [
  {
    page: '/dash/integrations/webhooks/new',
    typed: { url: 'http://127.0.0.1:9/hook' },
    chosen: { events: 'member.joined' },
    list: '/dash/integrations/webhooks',
  },
  {
    page: '/dash/sites/oauth/new',
    typed: {
      name: 'News',
      logo_uri: '',
      redirect_uris: 'https://news.example/callback',
      post_logout_redirect_uris: '',
    },
    list: '/dash/sites/oauth',
  },
  { page: '/dash/integrations/api-tokens', typed: { label: 'Desk', domains: '' } },
  { page: '/dash/developers', typed: { label: 'Desk', domains: '' } },
  {
    page: '/dash/team/forms/new',
    typed: { title: 'Food', slug: 'food', intro: '', thanks: '', origins: '', cap: '', 'f0-label': 'Name' },
    chosen: { do: 'save' },
    list: '/dash/team/forms',
  },
  {
    page: '/dash/team/payments/record',
    typed: { amount: '12.50', currency: 'USD', date: '2026-03-31', memo: '' },
  },
  { page: '/dash/team', action: '/dash/team/invite', typed: { email: 'someone@example.org' } },
];

describe('what is hostile in a form of a page', () => {
  let dash: Dashboard;
  let browser: PlainBrowser;
  let admin: Account;
  beforeAll(async () => {
    dash = await startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    admin = await dash.account({ role: 'administrator' });
    await dash.member(team, admin, 'admin');
    browser = await dash.signedIn(admin);
  });
  afterAll(() => dash.stop());

  /** Nothing of what was sent is an element, an attribute or a header of the answer. */
  function requireHarmless(told: string): void {
    expect(browser.html, told).not.toContain(script);
    expect(browser.html, told).not.toMatch(/<img src=x|href="javascript:/);
    expect(browser.answer.get('set-cookie') ?? '', told).not.toContain('three');
  }

  test.each(forms)('at $page is refused with a sentence, or shown as text', async (form) => {
    const { page, action = page, typed, chosen = {}, list = page } = form;
    let posted = 0;
    const tried: readonly (readonly [string, string | undefined])[] = [
      ['nothing hostile', undefined],
      ...Object.entries(hostile),
    ];
    for (const field of Object.keys(typed)) {
      for (const [what, value] of tried) {
        const told = `${what} as ${field}`;
        await browser.open(`${page}?team=${team}`);
        const sent = browser
          .forms()
          .find(
            (each) =>
              each.action.replace('/dash/t/harbour', '/dash') === action &&
              each.fields.some(([name]) => name === field),
          );
        const given = Object.fromEntries(sent?.fields ?? []);
        const member = 'member' in given ? { member: admin.user } : {};
        // Two forms have not the same name in their addresses.
        const slug = 'slug' in typed ? { slug: `food-${posted++}` } : {};
        const values = {
          ...given,
          ...member,
          ...chosen,
          ...typed,
          ...slug,
          // The same amount on the same day is asked about.
          ...('amount' in typed ? { amount: `${++posted}.50` } : {}),
          ...(value === undefined ? {} : { [field]: value }),
        };
        expect(sent, told).toBeDefined();
        await browser.post(action, values);
        requireHarmless(told);
        if (value === undefined) expect(browser.status, browser.text).toBe(200);
        else if (browser.status !== 200) {
          expect([400, 409, 413, 422], `${told}: ${browser.text}`).toContain(browser.status);
          const said = browser.problem(field) ?? /role="alert">[^]*?<p>([^<]+)</.exec(browser.html)?.[1];
          expect(said, `${told}: ${browser.text}`).toMatch(/\w+ \w+/);
          // Such as an address of 10,000 characters beside its field: it is cut, or it stays in the field alone.
          expect(said?.length, told).toBeLessThan(600);
        }
      }
    }
    await browser.open(`${list}?team=${team}`);
    expect(browser.status).toBe(200);
    requireHarmless(list);
  });

  test('in an address of a page shows the page, or says that there is no such thing', async () => {
    const parameters = [
      'q',
      'status',
      'after',
      'before',
      'about',
      'by',
      'type',
      'stream',
      'from',
      'member',
      'show',
    ];
    const paths = [
      ...['/dash', '/dash/resources', '/dash/team', '/dash/team/forms', '/dash/team/payments'],
      ...['/dash/integrations/webhooks', '/dash/integrations/webhooks/deliveries', '/dash/sites/oauth'],
      ...['/dash/integrations/api-tokens', '/dash/developers', '/dash/audit', '/dash/audit/as-of'],
    ];
    for (const path of paths) {
      for (const [what, value] of Object.entries(hostile)) {
        // An address has 16 kB at most.
        const short = value.slice(0, 1_000);
        const asked = Object.fromEntries(parameters.map((name) => [name, short]));
        for (const query of [
          { team, ...asked },
          { ...asked, team: short },
        ]) {
          await browser.open(`${path}?${new URLSearchParams(query).toString()}`);
          const told = `${what} in ${path}`;
          expect(browser.status, told).toBeLessThan(500);
          requireHarmless(told);
        }
      }
    }
  });
});
