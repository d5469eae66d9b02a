import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { hasChromium, launch } from './chromium.ts';

/**
 * What docs/sign-in.md tells sites to run, run as it stands there. Packages that this repository does not have are
 * looked for in RECIPE_MODULES, a node_modules folder; without them their recipes are passed over.
 */
const guide = readFileSync(new URL('../../docs/sign-in.md', import.meta.url), 'utf8');
const ours = fileURLToPath(new URL('../../node_modules', import.meta.url));
const modules = process.env['RECIPE_MODULES'] ?? ours;

function recipe(name: string): string {
  const code = new RegExp(`\`\`\`js ${name.replace('.', '\\.')}\n([\\s\\S]*?)\n\`\`\``).exec(guide)?.[1];
  if (code === undefined) throw new Error(`docs/sign-in.md has no recipe for ${name}.`);
  return code;
}

const has = (...packages: readonly string[]) => packages.every((each) => existsSync(join(modules, each)));

describe.skipIf(!hasChromium)('docs/sign-in.md: a site', () => {
  const folder = temporaryFolder();
  let chromium: Browser;
  let dash: Dashboard;
  let account: Account;
  beforeAll(async () => {
    symlinkSync(modules, join(folder.path, 'node_modules'));
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
    account = await dash.account({ profile: { name: 'Ada <b>Lovelace</b>' } });
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
    folder.remove();
  });

  test.skipIf(!has('openid-client'))('with openid-client', () => withServer('openid-client', '/callback'));

  test.skipIf(!has('express', 'express-session', 'passport', 'openid-client'))('with Passport', () =>
    withServer('passport', '/callback'),
  );

  test.skipIf(!has('express', '@auth/express'))('with Auth.js', () =>
    withServer('auth.js', '/auth/callback/commonweal', async (page) => {
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign in with Commonweal' }).click();
    }),
  );

  test('with oidc-client-ts, in a page', async () => {
    const files: Record<string, readonly [type: string, body: string]> = {
      '/oidc-client-ts.js': [
        'text/javascript',
        readFileSync(join(ours, 'oidc-client-ts/dist/esm/oidc-client-ts.js'), 'utf8'),
      ],
      '/jwt-decode.js': [
        'text/javascript',
        readFileSync(join(ours, 'jwt-decode/build/esm/index.js'), 'utf8'),
      ],
    };
    const page = `<!doctype html><title>My site</title><link rel="icon" href="data:,"><body>
      <script type="importmap">{"imports":{"oidc-client-ts":"/oidc-client-ts.js","jwt-decode":"/jwt-decode.js"}}</script>
      <script type="module" src="/site.js"></script></body>`;
    const server = createServer((request, response) => {
      const [type, body] = files[new URL(request.url ?? '/', 'http://x').pathname] ?? ['text/html', page];
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    files['/site.js'] = [
      'text/javascript',
      filled(recipe('oidc-client-ts'), origin, await newClient(origin, '/callback')),
    ];
    try {
      await visit(origin, (at) => at.getByRole('button', { name: 'Sign in' }).click(), 'button');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Runs a recipe as a process of its own, and signs in and out there. */
  async function withServer(
    name: string,
    callback: string,
    signIn = (page: Page) => page.getByRole('link', { name: 'Sign in' }).click(),
  ): Promise<void> {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const code = filled(recipe(name), origin, await newClient(origin, callback));
    const file = join(folder.path, `${name}.mjs`);
    writeFileSync(file, code.replace('listen(8080)', `listen(${port}, '127.0.0.1')`));
    const site = spawn(process.execPath, [file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], AUTH_SECRET: 'a'.repeat(44), SESSION_SECRET: 'a'.repeat(44) },
    });
    let complaints = '';
    site.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const ended = once(site, 'exit');
    try {
      await untilAnswered(origin, () => site.exitCode !== null);
      await visit(origin, signIn, 'link');
    } catch (error) {
      throw new Error(`${name}: ${complaints}`, { cause: error });
    } finally {
      site.kill();
      await ended;
    }
  }

  /** Somebody signs in to the site, is greeted by name, and signs out. */
  async function visit(
    origin: string,
    signIn: (page: Page) => Promise<void>,
    out: 'link' | 'button',
  ): Promise<void> {
    const page = await (await chromium.newContext()).newPage();
    await page.goto(origin);
    await signIn(page);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Hello, Ada <b>Lovelace</b>' }).waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
    await page.getByRole(out, { name: 'Sign out' }).click();
    // Auth.js asks first.
    const asked = page.getByRole('button', { name: 'Sign out', exact: true });
    const signedOut = page.getByRole('heading', { name: 'My site' });
    await signedOut.or(asked).first().waitFor();
    if (await asked.isVisible()) await asked.click();
    await signedOut.waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
    await page.context().close();
  }

  const newClient = (origin: string, callback: string) =>
    dash.site({ redirectUris: [origin + callback], postLogoutRedirectUris: [`${origin}/`] });

  /** The recipe for this very site. */
  const filled = (code: string, origin: string, clientId: string) =>
    code
      .replaceAll('http://localhost:3000', dash.origin)
      .replaceAll('http://localhost:8080', origin)
      .replaceAll('site_…', clientId);
});

async function untilAnswered(origin: string, over: () => boolean): Promise<void> {
  await until(() => {
    if (over()) throw new Error('The site ended before it listened.');
    return fetch(origin).then(
      () => true,
      () => false,
    );
  });
}
