import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyUsage } from '../../../src/audit/key-usage.ts';
import { kindOfRequest } from '../../../src/api/http/key-usage.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';

let running: RunningSystem;
let auditor: TestKey;
let harbour: TestKey;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['audit:read', 'directory:manage']);
  await running.team('quay', ['audit:read']);
  await running.resources(2);
  auditor = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  harbour = await running.key({ kind: 'team', team: 'harbour', scopes: ['audit:read'] });
});
afterAll(() => running.stop());

async function usageBy(reader: TestKey, keyId: string, query = '') {
  const url = `/audit/v1/keys/${keyId}/usage${query}`;
  const answer = await running.server.inject({ url, headers: reader.bearer });
  return { status: answer.statusCode, ...answer.json<KeyUsage>() };
}
const counted = async (keyId: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await usageBy(auditor, keyId)).totals.map((row) => [`${row.kind} ${row.outcome}`, row.requests]),
  );
const send = (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  running.server.inject({ method, url, headers, ...(method === 'POST' ? { payload: {} } : {}) });

describe('the usage of a key', () => {
  test('counts each kind of request by its route, whatever the answer was', async () => {
    const { keyId, bearer } = await running.key();
    const [svcId] = await running.resources(1);
    for (let n = 0; n < 3; n++) await send(`${v1}?q=resource&limit=1`, bearer);
    await send(v1, bearer, 'HEAD');
    await send(`${v1}/${svcId ?? ''}`, bearer);
    await send(`${v1}/r_0000000000000000`, bearer);
    await send('/dash/api/v1/changes', bearer);
    await send('/hsds/services', bearer);
    await send(v1, bearer, 'POST');
    expect(await counted(keyId)).toEqual({
      'list accepted': 4,
      'read accepted': 2,
      'changes accepted': 1,
      'hsds accepted': 1,
      'submit accepted': 1,
    });
  });

  test('counts what is refused: another domain, a missing scope, too many requests', async () => {
    const { keyId, bearer } = await running.key({
      kind: 'team',
      team: 'harbour',
      scopes: ['resources:read', 'audit:read'],
      domains: ['example.org'],
    });
    await send(v1, { ...bearer, origin: 'https://elsewhere.example' });
    await send('/dash/api/v1/members', bearer);
    // A further condition of the route: entries of the proof log are for keys of the installation.
    await send('/audit/log/tile/entries/000', bearer);
    const narrow = await running.another({ environment: { RATE_LIMIT_PER_MINUTE: '2' } });
    for (let n = 0; n < 5; n++) await narrow.inject({ url: v1, headers: bearer });
    await narrow.close();
    expect(await counted(keyId)).toEqual({
      'list domain_not_allowed': 1,
      'members insufficient_scope': 1,
      'audit-entries insufficient_scope': 1,
      'list accepted': 2,
      'list rate_limited': 3,
    });
  });

  test('goes on after a revocation: each attempt is counted, and none as a use', async () => {
    const { keyId, key, bearer } = await running.key();
    await send(v1, bearer);
    await running.revoke(keyId);
    const before = await usageBy(auditor, keyId);
    for (let n = 0; n < 14; n++) expect((await send(v1, bearer)).statusCode).toBe(401);
    expect((await send(legacy, { 'x-api-key': key })).statusCode).toBe(401);
    expect(await counted(keyId)).toEqual({ 'list accepted': 1, 'list revoked': 14, 'legacy revoked': 1 });
    expect((await usageBy(auditor, keyId)).last_used).toBe(before.last_used);
  });

  test('does not count somebody who knows the id of a key, and not its secret', async () => {
    const { keyId, key } = await running.key();
    const forged = `${key.slice(0, 30)}${key[30] === 'a' ? 'b' : 'a'}${key.slice(31)}`;
    await send(v1, { authorization: `Bearer ${forged}` });
    await send(legacy, { 'x-api-key': forged });
    expect(await counted(keyId)).toEqual({});
  });

  test('tells programs at the legacy endpoint from scripts of web pages, such as the widget', async () => {
    const { keyId, key } = await running.key({ domains: ['example.org'] });
    const origin = 'https://example.org';
    await send(`${legacy}?key=${key}`, { referer: `${origin}/help` });
    await send(legacy, { 'x-api-key': key, origin });
    await send(legacy, {
      'x-api-key': key,
      referer: `${origin}/`,
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
    });
    // The fetch of Node says so too.
    await send(legacy, { 'x-api-key': key, 'sec-fetch-mode': 'cors' });
    const { keyId: scopeless, key: other } = await running.key({ scopes: ['resources:submit'] });
    await send(legacy, { 'x-api-key': other });
    expect(await counted(keyId)).toEqual({
      'legacy accepted': 1,
      'widget accepted': 2,
      'legacy domain_not_allowed': 1,
    });
    expect(await counted(scopeless)).toEqual({ 'legacy insufficient_scope': 1 });
    const { stdout } = await runCommandLine(['keys', 'list', '--legacy', '--json'], running.folder);
    const callers = JSON.parse(stdout) as { key_id: string }[];
    expect(callers.find(({ key_id }) => key_id === keyId)).toMatchObject({ by_programs: 2, by_web_pages: 2 });
    expect(callers.map(({ key_id }) => key_id)).not.toContain(auditor.keyId);
  });

  test('is for the installation and for the team of the key; to others there is no such key', async () => {
    const ours = await running.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    const quays = await running.key({ kind: 'team', team: 'quay', scopes: ['resources:read'] });
    const developers = await running.key();
    expect((await usageBy(harbour, ours.keyId)).status).toBe(200);
    for (const { keyId } of [quays, developers, auditor, { keyId: 'AAAAAAAAAAAA' }])
      expect((await usageBy(harbour, keyId)).status).toBe(404);
    for (const { keyId } of [ours, quays, developers, auditor])
      expect((await usageBy(auditor, keyId)).status).toBe(200);
    expect((await usageBy(ours, ours.keyId)).status).toBe(403);
    expect((await usageBy(auditor, 'x/../y')).status).toBe(404);
    for (const query of ['?days=0', '?days=91', '?days=x', '?days=1&days=2', '?hours=1'])
      expect((await usageBy(auditor, ours.keyId, query)).status, query).toBe(400);
  });

  test('is recorded when somebody asks', async () => {
    const { keyId } = await running.key();
    await usageBy(auditor, keyId, '?days=7');
    const day = new Date().toISOString().slice(0, 10);
    const events = await running.system.store.readStream(`audit-access-${day}`);
    expect(events.at(-1)).toMatchObject({
      type: 'AuditQueried',
      data: { question: 'key-usage', filter: { key: keyId, days: '7' } },
      metadata: { actor: { kind: 'key', id: auditor.keyId } },
    });
  });

  test('is complete after the server has stopped, and on the command line', async () => {
    const { keyId, bearer } = await running.key({ label: 'Calendar' });
    const other = await running.another();
    await other.inject({ url: v1, headers: bearer });
    await other.close();
    const told = await runCommandLine(['keys', 'usage', keyId], running.folder);
    expect(told.stdout).toMatch(/^Key \w+, Calendar, was last used at \S+Z\.\n/);
    expect(told.stdout).toMatch(/^list or search records +accepted +1 /m);
    expect(told.stdout).toMatch(/^Counted since \S+Z\.$/m);
    const { stdout } = await runCommandLine(['keys', 'list', '--json'], running.folder);
    const listed = JSON.parse(stdout) as { key_id: string; last_used: string | null }[];
    const { last_used } = await usageBy(auditor, keyId);
    expect(listed.find(({ key_id }) => key_id === keyId)?.last_used).toBe(last_used);
    expect((await runCommandLine(['keys', 'usage', 'AAAAAAAAAAAA'], running.folder)).stderr).toContain(
      'There is no key AAAAAAAAAAAA.',
    );
    expect((await runCommandLine(['keys', 'usage', keyId, '--days', '91'], running.folder)).code).toBe(2);
  });

  test('holds no address, no query and nothing that a request carries', async () => {
    const { keyId, bearer } = await running.key();
    await running.server.inject({
      url: `${v1}?q=shelter-for-jo`,
      headers: { ...bearer, 'user-agent': 'jo-browser', origin: 'https://jo.example' },
      remoteAddress: '203.0.113.77',
    });
    await usageBy(auditor, keyId);
    const db = new DatabaseSync(join(running.folder, 'side.db'), { readOnly: true });
    const rows = db.prepare(`SELECT id, value FROM entries WHERE name = 'key-usage'`).all();
    db.close();
    expect(JSON.stringify(rows)).toContain(keyId);
    expect(JSON.stringify(rows)).not.toMatch(/shelter|\bjo\b|jo-|jo\.|203\.0/);
    for (const { id, value } of rows as { id: string; value: string }[]) {
      expect(id).toMatch(/^\w{12}\/\d{7}\/[\da-f-]+$/);
      expect(value).toMatch(/^\{("[a-z0-9-]+":\{("[a-z_]+":\[\d+,\d+,\d+\],?)+\},?)+\}$/);
    }
  });

  test('knows every route that takes a key', async () => {
    const { paths } = (await running.server.inject('/openapi.json')).json<{
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    }>();
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((each) => 'key' in each))
        .map(([method]) => ({ method: method.toUpperCase(), url: path.replace(/\{(\w+)\}/g, ':$1') })),
    );
    expect(routes.length).toBeGreaterThan(30);
    const unknown = routes.filter(
      ({ method, url }) => kindOfRequest({ method, routeOptions: { url } } as FastifyRequest) === 'other',
    );
    expect(unknown).toEqual([]);
  });
});
