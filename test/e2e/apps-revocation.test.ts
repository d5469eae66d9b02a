import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../../src/commands/oauth/client.ts';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { nameOf } from '../../src/projections/engine/read-model.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { context } from '../api/harness.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';

const rounds = Number(process.env['REVOCATION_ROUNDS'] ?? 15);
const redirectUri = 'https://news.example/callback';
const email = 'ada@example.org';
const password = 'seven quiet herons wading';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe.skipIf(missing)(onEngines('the list of sites with access, over two real processes'), () => {
  const folder = temporaryFolder();
  let first: Serving;
  let second: Serving;
  let beside: System;
  let browser: PlainBrowser;
  let site: string;
  let origins: readonly string[];

  beforeAll(async () => {
    first = await startServing(folder.path);
    const origin = first.origin.replace('127.0.0.1', 'localhost');
    second = await startServing(folder.path, { ROLES: 'api', AUTH_URL: origin });
    origins = [origin, second.origin];
    beside = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    site = await prepared();
    browser = await new PlainBrowser(origin).open('/dash/sign-in');
    await browser.press('Sign in', { email, password });
    expect(browser.heading).toBe('Home');
  }, 120_000);
  afterAll(async () => {
    await beside.close();
    expect(await second.stop()).toBe(0);
    expect(await first.stop()).toBe(0);
    await dropDatabase(folder.path);
    folder.remove();
  });

  /** An account whose address is confirmed, and a site, seen by everybody. */
  async function prepared(): Promise<string> {
    const { store, documents } = beside;
    const { userId } = await registerPerson(beside, { email, password, profile: { name: 'Ada' } }, context());
    const { email: index } = await requirePerson(beside, userId);
    await commandPerson(beside, userId, { kind: 'verify-email', email: index }, context());
    await commandTeam(store, { kind: 'create', team: 'harbour', name: 'Harbour House' }, context());
    const wish = { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri] };
    const { clientId } = await registerClient(store, wish, context());
    await visible(documents, projections.map(nameOf), await store.head(), 30_000);
    return clientId;
  }

  /** What the site holds after somebody has let it see something. */
  async function signedIn(): Promise<Tokens> {
    const verifier = randomBytes(32).toString('base64url');
    const asked = new URLSearchParams({
      client_id: site,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: 'a-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    await browser.open(`/oauth/authorize?${asked.toString()}`);
    await browser.press('Allow');
    const answer = await posted(first.origin, {
      grant_type: 'authorization_code',
      client_id: site,
      redirect_uri: redirectUri,
      code: browser.url.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Tokens;
  }

  const posted = (origin: string, fields: Record<string, string>) =>
    fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });

  /** What each process says to an access token. */
  const userinfo = (token: string) =>
    Promise.all(
      origins.map(async (origin) => {
        const answer = await fetch(`${origin}/oauth/userinfo`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );

  /** What each process says to a refresh token. */
  const refreshed = (token: string) =>
    Promise.all(
      origins.map(async (origin) => {
        const fields = { grant_type: 'refresh_token', client_id: site, refresh_token: token };
        const answer = await posted(origin, fields);
        return { status: answer.status, ...((await answer.json()) as { error?: string }) };
      }),
    );

  /** The form behind the button Revoke, once everybody sees that there is something to revoke. */
  async function revokeForm(): Promise<{ readonly path: string; readonly fields: URLSearchParams }> {
    await visible(beside.documents, projections.map(nameOf), await beside.store.head(), 30_000);
    await browser.open('/dash/me/apps');
    const found = browser
      .forms()
      .find(({ buttons }) => buttons.some(({ label }) => label === 'Revoke Harbour News'));
    if (!found) throw new Error(`There is nothing to revoke: ${browser.text}`);
    return { path: found.action, fields: new URLSearchParams(found.fields.map(([...field]) => field)) };
  }

  /** Sends the form and goes nowhere from there: the next request is somebody else's. */
  async function revoke({ path, fields }: Awaited<ReturnType<typeof revokeForm>>): Promise<void> {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, origins[0]), {
      method: 'POST',
      body: fields,
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/dash/me/apps?done=revoked');
  }

  it(
    `revokes a site for every process from the next request on, by one event, ${rounds} times`,
    async () => {
      const { store } = beside;
      const refused: unknown = expect.objectContaining({ status: 400, error: 'invalid_grant' });
      let form: Awaited<ReturnType<typeof revokeForm>> | undefined;
      let earlier: Tokens | undefined;
      for (let round = 0; round < rounds; round++) {
        const at = `round ${round}`;
        const tokens = await signedIn();
        form ??= await revokeForm();
        expect(await userinfo(tokens.access_token), at).toEqual([200, 200]);
        // Consented to anew, a site has nothing of what it held before.
        if (earlier) expect(await userinfo(earlier.access_token), at).toEqual([401, 401]);

        const before = await store.head();
        await revoke(form);
        expect(await userinfo(tokens.access_token), at).toEqual([401, 401]);
        expect(await refreshed(tokens.refresh_token), at).toEqual([refused, refused]);
        const { events } = await store.readAll({ after: before, limit: 100 });
        expect(
          events.map(({ type }) => type),
          at,
        ).toEqual(['ConsentRevoked']);
        earlier = tokens;
      }
    },
    30_000 + rounds * 1_000,
  );
});
