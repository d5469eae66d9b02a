import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { hasChromium, launch } from './chromium.ts';
import { whileServed } from './running-site.ts';

/**
 * What docs/sign-in.md tells sites to run, run as it stands there. Packages that this repository does not have are
 * looked for in RECIPE_MODULES, a node_modules folder; without them their recipes are passed over.
 */
const guide = readFileSync(new URL('../../docs/sign-in.md', import.meta.url), 'utf8');
const ours = fileURLToPath(new URL('../../node_modules', import.meta.url));
const modules = process.env['RECIPE_MODULES'] ?? ours;

function recipe(name: string): string {
  const code = new RegExp(`\`\`\`(?:js|csharp) ${name.replace('.', '\\.')}\n([\\s\\S]*?)\n\`\`\``).exec(
    guide,
  )?.[1];
  if (code === undefined) throw new Error(`docs/sign-in.md has no recipe for ${name}.`);
  return code;
}

/** The newest version that was restored of what the recipe for ASP.NET Core takes, and the command that builds it. */
const dotnet = (() => {
  const onPath = (process.env['PATH'] ?? '').split(':').some((each) => existsSync(join(each, 'dotnet')));
  const restored = join(homedir(), '.nuget/packages/microsoft.aspnetcore.authentication.openidconnect');
  return onPath && existsSync(restored) ? readdirSync(restored).sort().at(-1) : undefined;
})();

const project = (version: string) => `<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup>
    <TargetFramework>net${version.split('.')[0]}.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.AspNetCore.Authentication.OpenIdConnect" Version="${version}" />
  </ItemGroup>
</Project>`;

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

  test.skipIf(!has('openid-client'))('with openid-client signs people in', () =>
    withServer('openid-client', '/callback'),
  );

  test.skipIf(!has('express', 'express-session', 'passport', 'openid-client'))(
    'with Passport signs people in',
    () => withServer('passport', '/callback'),
  );

  test.skipIf(!has('express', '@auth/express'))('with Auth.js signs people in', () =>
    withServer('auth.js', '/auth/callback/commonweal', async (page) => {
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign in with Commonweal' }).click();
    }),
  );

  test.skipIf(dotnet === undefined)(
    'with ASP.NET Core and its defaults signs people in, and has the answer posted',
    { timeout: 180_000 },
    async () => {
      const at = join(folder.path, 'aspnet');
      mkdirSync(at);
      const origin = `http://localhost:${await freePort()}`;
      const asked: string[] = [];
      const client = await newClient(origin, '/signin-oidc', '/signout-callback-oidc');
      writeFileSync(join(at, 'site.csproj'), project(dotnet ?? ''));
      writeFileSync(join(at, 'Program.cs'), filled(recipe('asp.net'), origin, client));
      await run(
        'dotnet',
        ['build', '--nologo', '--verbosity', 'quiet', '--output', join(at, 'out')],
        inFolder(at),
      );
      await whileServed(siteOf('dotnet', join(at, 'out', 'site.dll'), origin), () =>
        visit(
          origin,
          async (page) => {
            page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
            await page.getByRole('link', { name: 'Sign in' }).click();
          },
          'link',
        ),
      );
      expect(asked).toContain(`POST ${origin}/signin-oidc`);
      expect(asked.join(' ')).not.toContain('code=');
    },
  );

  test('with oidc-client-ts signs people in within a page', async () => {
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

  const siteOf = (program: string, file: string, origin: string) => ({
    program,
    words: [file],
    folder: folder.path,
    origin,
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
    await whileServed(siteOf(process.execPath, file, origin), () => visit(origin, signIn, 'link'));
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

  const newClient = (origin: string, callback: string, signedOut = '/') =>
    dash.site({ redirectUris: [origin + callback], postLogoutRedirectUris: [origin + signedOut] });

  /** The recipe for this very site. */
  const filled = (code: string, origin: string, clientId: string) =>
    code
      .replaceAll('http://localhost:3000', dash.origin)
      .replaceAll('http://localhost:8080', origin)
      .replaceAll('site_…', clientId);
});

const run = promisify(execFile);
const inFolder = (cwd: string) => ({ cwd, env: { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1' } });
