import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerClient } from '../../../src/commands/oauth/client.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { context } from '../harness.ts';
import { redirectUri, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  await dash.member('library', admin, 'member');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const fields = {
  name: 'Harbour News',
  redirect_uris: 'https://news.example/callback\nhttp://localhost:5173/cb',
};

describe('the sites of a team', () => {
  test('are registered by its admins, and shown with what their developers need', async () => {
    await browser.open('/dash/sites/oauth');
    expect(browser.team).toBe('harbour');
    await browser.follow('Register a site');
    await browser.press('Register', fields);
    expect(browser.text).toContain('The site is registered.');
    expect(browser.text).toMatch(/client_id site_[0-9A-Za-z]{20} /);
    expect(browser.text).toContain(`${dash.origin}/.well-known/openid-configuration`);
    const [event] = await dash.events(browser.path.replace('/dash/sites/oauth/', 'client-'));
    expect(event).toMatchObject({
      type: 'ClientRegistered',
      data: {
        team: 'harbour',
        redirect_uris: ['https://news.example/callback', 'http://localhost:5173/cb'],
        scopes: ['openid', 'profile', 'email'],
        first_party: false,
      },
    });
  });

  test.each([
    ['name', ' '],
    ['name', 'Harbour \u2066News\u2069'],
    ['name', 'Your account is blocked. To get it back, call +1 555 0100 now.'],
    // A Cyrillic а, a Greek ο, and a letter for formulas.
    ['name', 'H\u0430rbour News'],
    ['name', 'Harb\u03BFur News'],
    ['name', '\u{1D407}arbour News'],
    ['redirect_uris', ''],
    ['redirect_uris', 'https://news.example/#x'],
    ['redirect_uris', 'https://news.example/cb\nhttp://news.example/cb'],
    ['redirect_uris', 'https://*.example/cb'],
    ['redirect_uris', 'javascript:alert(1)'],
    ['redirect_uris', Array.from({ length: 51 }, (_, index) => `https://news.example/${index}`).join('\n')],
    ['post_logout_redirect_uris', 'nowhere'],
    ['logo_uri', 'http://news.example/logo.png'],
  ])('are not registered with the %s %j', async (name, value) => {
    await browser.open('/dash/sites/oauth/new?team=harbour');
    await browser.press('Register', { ...fields, [name]: value });
    expect(browser.status).toBe(422);
    expect(browser.problem(name)).toBeDefined();
  });

  test('are changed by their admins, an event for each thing that is another', async () => {
    const site = await dash.site({ redirectUris: ['https://news.example/callback'] });
    await browser.open(`/dash/sites/oauth/${site}`);
    await browser.press('Save', {
      name: 'Harbour Times',
      post_logout_redirect_uris: 'https://news.example/bye',
    });
    expect(browser.heading).toBe('Harbour Times');
    expect(browser.text).toContain('The changes are saved.');
    await browser.press('Deactivate Harbour Times');
    expect(browser.text).toContain('This site is inactive');
    await browser.press('Reactivate');
    expect(browser.text).toContain('The site is active again.');
    expect((await dash.events(`client-${site}`)).map(({ type }) => type)).toEqual([
      'ClientRegistered',
      'ClientDetailsChanged',
      'ClientPostLogoutUrisChanged',
      'ClientDeactivated',
      'ClientReactivated',
    ]);
  });

  test('are changed by one Save as one command: all of it stands in the log together', async () => {
    const site = await dash.site();
    await browser.open(`/dash/sites/oauth/${site}`);
    await browser.press('Save', {
      name: 'Harbour Times',
      redirect_uris: 'https://times.example/callback',
      post_logout_redirect_uris: 'https://times.example/bye',
    });
    expect(browser.text).toContain('The changes are saved.');
    const [, ...saved] = await dash.system.store.readStream(`client-${site}`);
    expect(saved.map(({ type }) => type)).toEqual([
      'ClientDetailsChanged',
      'ClientRedirectUrisChanged',
      'ClientPostLogoutUrisChanged',
    ]);
    expect(new Set(saved.map(({ metadata }) => metadata['command_id'])).size).toBe(1);
  });

  test('that somebody else has changed meanwhile are shown with the difference, and not overwritten', async () => {
    const site = await dash.site();
    const another = await dash.signedIn(admin);
    for (const each of [browser, another]) await each.open(`/dash/sites/oauth/${site}`);
    await another.press('Save', { name: 'Theirs', redirect_uris: 'https://theirs.example/callback' });
    expect(another.text).toContain('The changes are saved.');
    await browser.press('Save', { name: 'Ours' });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed this since you opened it.');
    for (const shown of ['Theirs', 'https://theirs.example/callback']) expect(browser.text).toContain(shown);
    expect(browser.html).toContain('value="Ours"');
    const name = async () => (await dash.events(`client-${site}`)).at(-1)?.data['name'];
    expect(await name()).toBe('Theirs');
    // Whoever has compared saves over it, and what is sent twice is saved once.
    const form = browser.forms().find(({ action }) => action.endsWith(site));
    await browser.press('Save');
    expect(await name()).toBe('Ours');
    const events = (await dash.events(`client-${site}`)).length;
    await browser.post(`/dash/sites/oauth/${site}`, new URLSearchParams([...(form?.fields ?? [])]));
    expect(browser.text).toContain('The changes are saved.');
    expect(await dash.events(`client-${site}`)).toHaveLength(events);
  });

  test('are neither seen nor changed by anybody else, and it is not told whether they exist', async () => {
    const site = await dash.site();
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    for (const who of [await dash.signedIn(member), await dash.signedIn(await dash.account())]) {
      await who.open('/dash/me/sessions');
      const token = who.hidden('token');
      expect((await who.open('/dash/sites/oauth')).status).toBe(404);
      const paths = [`/dash/sites/oauth/${site}`, '/dash/sites/oauth/site_00000000', '/dash/sites/oauth/x.y'];
      const answers = new Set<string>();
      for (const path of paths) {
        await who.open(path);
        expect(who.status, path).toBe(404);
        answers.add(who.text);
        for (const team of ['harbour', 'library', '']) {
          await who.post(path, { ...fields, token, team });
          expect(who.status, path).toBe(404);
          await who.post(`${path}/status`, { status: 'inactive', token, team });
          expect(who.status, path).toBe(404);
        }
      }
      expect(answers.size).toBe(1);
      for (const team of ['harbour', 'nobody', '', '../x']) {
        await who.open(`/dash/sites/oauth/new?team=${team}`);
        expect(who.status).toBe(404);
        await who.post('/dash/sites/oauth/new', { ...fields, team, token });
        expect(who.status).toBe(404);
      }
    }
    expect((await dash.events(`client-${site}`)).map(({ type }) => type)).toEqual(['ClientRegistered']);
  });

  test('are out of reach from the moment somebody is no admin any more', async () => {
    const former = await dash.account();
    await dash.member('harbour', former, 'admin');
    const own = await dash.signedIn(former);
    await own.open('/dash/sites/oauth/new?team=harbour');
    const { store } = dash.system;
    await commandTeam(
      store,
      { kind: 'change-role', team: 'harbour', user: former.user, role: 'member' },
      context(),
    );
    await own.press('Register', fields);
    expect(own.status).toBe(404);
  });

  test('of every team are the administrator’s to change; first-party nobody can set here', async () => {
    const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    await operator.open('/dash/sites/oauth?team=library');
    await operator.follow('Register a site');
    const values = {
      ...fields,
      team: 'library',
      token: operator.hidden('token'),
      first_party: 'true',
      scopes: 'phone',
    };
    await operator.post('/dash/sites/oauth/new', values);
    expect(operator.text).toContain('The site is registered.');
    const [event] = await dash.events(operator.path.replace('/dash/sites/oauth/', 'client-'));
    expect(event?.data).toMatchObject({ first_party: false, scopes: ['openid', 'profile', 'email'] });
  });
});

describe('the list of sites', () => {
  test('shows those of the team that is shown, and leads to each', async () => {
    const site = await dash.site({ name: 'Pier Gazette' });
    await browser.open('/dash/sites/oauth?team=harbour');
    await browser.follow('Pier Gazette');
    expect(browser.heading).toBe('Pier Gazette');
    expect(browser.url.pathname).toBe(`/dash/t/harbour/sites/oauth/${site}`);
    const librarian = await dash.account();
    await dash.member('library', librarian, 'admin');
    await dash.member('harbour', librarian, 'admin');
    const other = await dash.signedIn(librarian);
    await other.open('/dash/sites/oauth?team=library');
    expect(other.text).not.toContain('Pier Gazette');
    await other.open(`/dash/sites/oauth/${site}?team=library`);
    expect(other.team, 'a site is shown in its own team').toBe('harbour');
    await other.post(`/dash/sites/oauth/${site}/status`, {
      status: 'inactive',
      team: 'library',
      token: other.hidden('token'),
    });
    expect(other.status, 'and changed there alone').toBe(404);
    expect(await dash.events(`client-${site}`)).toHaveLength(1);
  });

  test('goes on over pages', async () => {
    await dash.team('museum');
    const curator = await dash.account();
    await dash.member('museum', curator, 'admin');
    const own = await dash.signedIn(curator);
    expect((await own.open('/dash/sites/oauth')).text).toContain('This team has no sites yet.');
    const { store } = dash.system;
    for (let number = 0; number < 52; number++) {
      const wish = { team: 'museum', name: `Hall ${number} of it`, redirectUris: [redirectUri] };
      await registerClient(store, wish, context());
    }
    await dash.caughtUp();
    const names = () => [...own.text.matchAll(/Hall \d+ of it/g)].map(([name]) => name);
    await own.open('/dash/sites/oauth?team=museum');
    const first = names();
    expect(first).toHaveLength(50);
    await own.follow('Show more');
    expect(new Set([...first, ...names()]).size).toBe(52);
    await own.follow('Back to the first');
    expect(names()).toEqual(first);
  });

  test('keeps names harmless', async () => {
    const name = `<script>alert(1)</script> ${'long '.repeat(6)}`;
    await dash.site({ name: name.trim() });
    await browser.open('/dash/sites/oauth?team=harbour');
    expect(browser.html).not.toContain('<script>alert');
    expect(browser.text).toContain('<script>alert(1)</script>');
  });
});

describe('a sign-in that is tried at a site', () => {
  const changes = async () => (await dash.events('')).length;

  test('shows what people are asked and what the site would get, and issues and records nothing', async () => {
    const site = await dash.site({
      name: 'Pier Radio',
      redirectUris: ['https://news.example/callback', 'https://news.example/other?tenant=7'],
    });
    await browser.open(`/dash/sites/oauth/${site}?team=harbour`);
    await browser.follow('See what people are asked, and try a sign-in');
    const before = await changes();
    expect(browser.text).toContain('Sign in to Pier Radio?');
    expect(browser.text).toContain('See your email address');
    expect(browser.text).toContain(admin.email);
    expect(browser.text).toContain('At the site itself you would be asked this now.');
    expect(browser.text).not.toContain('What the site would get');

    await browser.open(`${browser.path}?team=harbour&decision=allow`);
    expect(browser.text).toContain('What the site would get');
    expect(browser.text).toContain('no code was made and no consent recorded');
    expect(browser.text).toContain(
      `GET https://news.example/callback?code=CODE&state=STATE&iss=${encodeURIComponent(dash.origin)}`,
    );
    for (const [name, value] of Object.entries({ aud: site, sub: admin.user, email: admin.email }))
      expect(browser.text).toContain(`"${name}": "${value}"`);

    await browser.open(
      `${browser.path}?team=harbour&decision=deny&mode=form_post&scope=openid&uri=${encodeURIComponent('https://news.example/other?tenant=7')}`,
    );
    expect(browser.text).toContain('POST https://news.example/other?tenant=7');
    expect(browser.text).toContain('error=access_denied');
    expect(browser.text).not.toContain('"email"');
    expect(browser.html).not.toContain('sac_');
    expect(await changes()).toBe(before);
  });

  test('says of somebody who has allowed the site that they come back at once, and of less scopes less', async () => {
    const site = await dash.site();
    await browser.open(dash.asked(site));
    await browser.post(browser.path, {
      ...Object.fromEntries(browser.forms()[0]?.fields ?? []),
      decision: 'allow',
    });
    const preview = `/dash/sites/oauth/${site}/preview?team=harbour`;
    await browser.open(`${preview}&decision=allow&scope=openid&scope=profile`);
    expect(browser.text).toContain('you would come back at once');
    expect(browser.text).toContain('"name"');
    expect(browser.text).not.toContain('"email"');
  });

  test('takes what is not registered for not chosen, and says what to change at an inactive site', async () => {
    const site = await dash.site();
    const preview = `/dash/sites/oauth/${site}/preview?team=harbour`;
    await browser.open(
      `${preview}&decision=allow&mode=fragment&scope=wallet:read&uri=https://evil.example/"><script>`,
    );
    expect(browser.text).toContain('GET https://news.example/callback?code=CODE');
    expect(browser.html).not.toContain('evil.example');
    await browser.open(`/dash/sites/oauth/${site}?team=harbour`);
    await browser.press('Deactivate Harbour News');
    await browser.open(`${preview}&decision=allow`);
    expect(browser.text).toContain('This site is inactive. Reactivate it on its page.');
    expect(browser.text).not.toContain('What the site would get');
  });

  test('has an address at which a sign-in begins', async () => {
    const site = await dash.site({ name: 'Pier Radio' });
    await browser.open(`/dash/sites/oauth/${site}/preview?team=harbour`);
    const [address = ''] = /\/oauth\/authorize\?[^\s<]*CODE_CHALLENGE/.exec(browser.text) ?? [];
    await browser.open(address.replace('=STATE', '=abc').replace('=CODE_CHALLENGE', `=${'A'.repeat(43)}`));
    expect(browser.heading).toBe('Sign in to Pier Radio?');
    expect(browser.text).toContain(admin.email);
  });
});

describe('the code for a site', () => {
  const guide = readFileSync(new URL('../../../docs/sign-in.md', import.meta.url), 'utf8');
  const shown = () => decoded(/<pre[^>]*><code>([^]*?)<\/code>/.exec(browser.html)?.[1] ?? '');
  const decoded = (text: string) =>
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  test('is the very text of the guide, of each framework, with the values of the site', async () => {
    const site = await dash.site({ redirectUris: ['http://localhost:8080/callback'] });
    await browser.open(`/dash/sites/oauth/${site}?team=harbour`);
    await browser.follow('Code for the framework that the site uses');
    const frameworks = ['openid-client', 'oidc-client-ts', 'Auth.js', 'Passport', 'ASP.NET Core'];
    for (const framework of frameworks) {
      await browser.follow(framework);
      expect(browser.html).toContain(`<h2>${framework}</h2>`);
      const asWritten = shown().replaceAll(dash.origin, 'http://localhost:3000').replaceAll(site, 'site_…');
      expect(guide).toContain(`\n${asWritten}\n\`\`\``);
      expect(shown()).toContain(site);
    }
    await browser.follow('Another');
    expect(browser.text).toContain(`${dash.origin}/.well-known/openid-configuration`);
  });

  test('has the redirect URI that is chosen, also with a query or quotes, and the port of localhost', async () => {
    const uris = [
      "https://news.example/it's/back?tenant=7",
      'http://localhost:5173/cb',
      'http://localhost:3000/callback',
    ];
    const site = await dash.site({ redirectUris: uris });
    const open = (uri: string) =>
      browser.open(
        `/dash/sites/oauth/${site}/code?team=harbour&for=openid-client&uri=${encodeURIComponent(uri)}`,
      );
    await open(uris[0] ?? '');
    expect(shown()).toContain("redirect_uri: `${origin}/it\\'s/back?tenant=7`");
    expect(shown()).toContain("case '/it\\'s/back'");
    await open(uris[1] ?? '');
    expect(shown()).toContain("const origin = 'http://localhost:5173';");
    expect(shown()).toContain('.listen(5173)');
    await open(uris[2] ?? '');
    expect(shown()).toContain(`new URL('${dash.origin}')`);
    expect(shown()).toContain("const origin = 'http://localhost:3000';");
    await open('https://evil.example/cb');
    expect(browser.html).not.toContain('evil.example');
  });

  test('says where a framework comes back to an address that is not registered', async () => {
    const site = await dash.site({
      redirectUris: ['https://news.example/cb', 'https://news.example/signin-oidc'],
    });
    await browser.open(`/dash/sites/oauth/${site}/code?team=harbour&for=authjs`);
    expect(browser.text).toContain('https://news.example/auth/callback/commonweal, which is not registered');
    await browser.open(`/dash/sites/oauth/${site}/code?team=harbour&for=aspnet-core`);
    expect(browser.text).not.toContain('is not registered');
    // Behind a proxy it listens where its settings say.
    expect(shown()).toMatch(/^app\.Run\(\);$/m);
    for (const other of ['nothing', '__proto__', '../../x'])
      expect((await browser.open(`/dash/sites/oauth/${site}/code?team=harbour&for=${other}`)).status).toBe(
        200,
      );
  });

  test('is shown to those who may change the site, and to nobody else', async () => {
    const site = await dash.site();
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const who = await dash.signedIn(member);
    for (const page of ['code', 'preview'])
      expect((await who.open(`/dash/sites/oauth/${site}/${page}?team=harbour`)).status).toBe(404);
  });
});

describe('the outbox', () => {
  test('is for administrators', async () => {
    const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    const reset = await dash.browser().open('/dash/reset');
    await reset.press('Ask for the link', { email: admin.email });
    const views = async () => (await dash.events('audit-access-')).map(({ data }) => data);
    const before = await views();
    await operator.open('/dash/outbox');
    expect(operator.text).toContain(admin.email);
    expect(await views()).toEqual([...before, { mails: (await dash.mails()).length }]);
    expect(operator.text).toContain('SMTP_URL');
    await operator.open(/href="[^"]*(\/dash\/reset\/password[^"]*)"/.exec(operator.html)?.[1] ?? '');
    expect(operator.heading).toBe('Choose a new password');

    await browser.open('/dash/outbox');
    expect(browser.status).toBe(403);
    expect(browser.text).not.toContain('@');
    expect((await dash.browser().open('/dash/outbox')).heading).toBe('Sign in');
  });
});
