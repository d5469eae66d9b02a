import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { conflicting } from '../../support/conflicting.ts';
import { password, redirectUri, startDashboard, verifier, type Dashboard } from '../accounts/harness.ts';
import { PlainBrowser } from '../accounts/plain-browser.ts';
import { v1 } from '../harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

/** A server for which every append to such streams ends in a conflict, while `contended` is on. */
async function contendedServer(streams: string) {
  const { system } = dash;
  const contended = conflicting(system.store, streams);
  const server = await buildServer({
    ...system,
    store: contended.store,
    ready: () => Promise.resolve({ ready: true }),
  });
  const origin = (await server.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost');
  return { contended, origin, close: () => server.close() };
}

test('a request of the API that meets nothing but conflicts is answered 409 with Retry-After, after a handful of tries', async () => {
  await dash.team('pier', ['directory:manage']);
  const { key } = await dash.key({ kind: 'team', team: 'pier', scopes: ['directory:manage'] });
  const svcId = await dash.submission('pier');
  const { contended, origin, close } = await contendedServer('resource-');
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'once' };
  const approve = () => fetch(`${origin}${v1}/${svcId}/approve`, { method: 'POST', headers });

  const refused = await approve();
  expect(refused.status).toBe(409);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(await refused.json()).toMatchObject({ error: 'concurrency_conflict', status: 409 });
  expect(contended.conflicts).toBeGreaterThan(3);
  expect(contended.conflicts).toBeLessThan(10);

  contended.on = false;
  const approved = await approve();
  expect(approved.status).toBe(200);
  expect(await approved.json()).toMatchObject({ status: 'approved' });
  await close();
});

test('a page that meets nothing but conflicts is answered 409 with Retry-After, and says what to do', async () => {
  const { email } = await dash.account();
  const { contended, origin, close } = await contendedServer('user-');
  contended.on = false;
  const browser = await new PlainBrowser(origin).open('/dash/sign-in');
  await browser.press('Sign in', { email, password });
  await browser.open('/dash/me/profile');
  contended.on = true;
  await browser.press('Save', { name: 'Ona' });
  expect(browser.status).toBe(409);
  expect(browser.answer.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(browser.text).toContain('Try again in a moment.');
  expect(browser.text).not.toMatch(/revision|user-/);
  await close();
});

test('the token endpoint is then unavailable with Retry-After, and the code is as good as before', async () => {
  const browser = await dash.signedIn(await dash.account());
  const client = await dash.site();
  await browser.open(dash.asked(client));
  await browser.press('Allow');
  const code = browser.url.searchParams.get('code') ?? '';
  const { contended, origin, close } = await contendedServer('grant-');
  const exchange = () =>
    fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: client,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    });

  const refused = await exchange();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect(contended.conflicts).toBeLessThan(10);

  contended.on = false;
  expect((await exchange()).status).toBe(200);
  await close();
});
