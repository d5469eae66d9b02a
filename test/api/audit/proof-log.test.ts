import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryBundle, entryOf, leafHash } from '../../../src/audit/proof-log/entry.ts';
import { openCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { ensureLogKey, type LogKey } from '../../../src/audit/proof-log/format/log-key.ts';
import { Signer } from '../../../src/audit/proof-log/signer.ts';
import { parseVkey } from '../../../src/audit/proof-log/format/note.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { startSystem, type RunningSystem, type TestKey } from '../harness.ts';

let running: RunningSystem;
let key: LogKey;
let auditor: TestKey;

const get = (url: string, headers: Record<string, string> = {}) =>
  running.server.inject({ method: 'GET', url: `/audit/log/${url}`, headers });

async function sign(): Promise<number> {
  const { store, proofLog } = running.system;
  const signer = await Signer.open({ store, proofLog, key, epoch: 0 });
  await signer.grow(() => new Date());
  await signer.sign(new Date());
  return (await proofLog.newest())?.size ?? 0;
}

const events = async () => (await running.system.store.readAll({ after: beginning, limit: 10_000 })).events;

let size = 0;
beforeAll(async () => {
  running = await startSystem();
  const before = await get('checkpoint');
  expect([before.statusCode, before.json<{ error: string }>().error]).toEqual([404, 'not_found']);
  expect((await get('vkey')).statusCode).toBe(404);
  expect((await get('vkeys')).statusCode).toBe(404);
  expect((await get('tile/0/000')).statusCode).toBe(404);
  expect((await get('')).body).toContain('Nothing has been signed yet');
  key = await ensureLogKey(running.system.vault, 'directory.example/audit/log');
  auditor = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  await running.team('harbor', ['audit:read']);
  const names = Array.from({ length: 300 }, () => ({
    id: randomUUID(),
    type: 'TeamRenamed',
    data: { name: 'Harbor' },
    metadata: { commonweal_schema: 1 },
  }));
  await running.system.store.append('team-of-a-newer-release', names, 'no_stream');
  size = await sign();
});
afterAll(() => running.stop());

describe('the proof log', () => {
  it('gives everybody its checkpoint and its key', async () => {
    const [checkpoint, vkey] = await Promise.all([get('checkpoint'), get('vkey')]);
    expect(checkpoint.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=5',
      'access-control-allow-origin': '*',
    });
    expect(openCheckpoint(checkpoint.body, parseVkey(vkey.body)).size).toBe(size);
    expect(size).toBe((await events()).length);
    const vkeys = await get('vkeys');
    expect(vkeys.headers['access-control-allow-origin']).toBe('*');
    expect(vkeys.json()).toEqual({
      log: key.name,
      keys: [{ vkey: vkey.body.trim(), from: null, until: null }],
    });
  });

  it('gives everybody its tiles, which never change', async () => {
    const full = await get('tile/0/000');
    expect(full.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const leaves = (await events()).map((event) => leafHash(entryOf(event)));
    expect(full.rawPayload).toEqual(Buffer.concat(leaves.slice(0, 256)));
    const partial = await get(`tile/0/001.p/${size - 256}`);
    expect(partial.rawPayload).toEqual(Buffer.concat(leaves.slice(256)));
    expect((await get('tile/0/001.p/3')).rawPayload).toEqual(Buffer.concat(leaves.slice(256, 259)));
    expect((await get('tile/1/000.p/1')).rawPayload).toHaveLength(32);
  });

  it.each([
    ['tile/0/002', 404],
    ['tile/0/001', 404],
    ['tile/0/001.p/255', 404],
    ['tile/1/000', 404],
    ['tile/1/000.p/2', 404],
    ['tile/2/000.p/1', 404],
    ['tile/63/000', 404],
    ['tile/64/000', 400],
    ['tile/0/0', 400],
    ['tile/0/000.p/256', 400],
    ['tile/0/000.p/0', 400],
    ['tile/0/x000/001', 400],
    ['tile/00/000', 400],
    ['tile/', 400],
    ['tile/0/%2e%2e/secret', 400],
    ['tile/0/000%00', 400],
    ['tile/0/x999/x999/x999/x999/x999/999', 400],
    ['tile/0/x999/x999/x999/x999/999', 404],
    ['checkpoint/', 404],
    ['tile', 404],
  ])('answers %s with %i, in words', async (url, status) => {
    const answer = await get(url);
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json<{ detail: string }>().detail).toMatch(/^[A-Z].*\.$/);
  });

  it('takes no other method', async () => {
    for (const url of ['/audit/log/', '/audit/log/checkpoint', '/audit/log/vkey', '/audit/log/tile/0/000']) {
      const answer = await running.server.inject({ method: 'POST', url });
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('says on its page what it proves and what not, with name, key and newest checkpoint', async () => {
    const page = await get('');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const text of [key.name, key.vkey.replaceAll('+', '+'), `${size} events`, 'What is not proved'])
      expect(page.body).toContain(text);
    expect(page.body.match(/<h1/g)).toHaveLength(1);
    const bare = await running.server.inject({ method: 'GET', url: '/audit/log' });
    expect([bare.statusCode, bare.headers['location']]).toEqual([308, '/audit/log/']);
  });
});

describe('an entry bundle', () => {
  it('holds the events of the tile, for a key of the installation', async () => {
    const entries = (await events()).map(entryOf);
    const first = await get('tile/entries/000', auditor.bearer);
    expect(first.statusCode, first.body).toBe(200);
    expect(first.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect(first.rawPayload).toEqual(entryBundle(entries.slice(0, 256)));
    const partial = await get(`tile/entries/001.p/${size - 256}`, {
      ...auditor.bearer,
      'accept-encoding': 'gzip',
    });
    expect(partial.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(partial.rawPayload)).toEqual(entryBundle(entries.slice(256, size)));
  });

  it('is for nobody else', async () => {
    const team = await running.key({ kind: 'team', team: 'harbor', scopes: ['audit:read'] });
    const developer = await running.key();
    const codes = await Promise.all(
      [{}, developer.bearer, team.bearer].map(async (headers) => {
        const answer = await get('tile/entries/000', headers);
        return [answer.statusCode, answer.json<{ error: string }>().error];
      }),
    );
    expect(codes).toEqual([
      [401, 'missing_token'],
      [403, 'insufficient_scope'],
      [403, 'forbidden'],
    ]);
  });

  it.each([
    ['002', 404],
    ['001', 404],
    ['000.p/256', 400],
    ['x', 400],
  ])('%s is refused with %i', async (path, status) => {
    expect((await get(`tile/entries/${path}`, auditor.bearer)).statusCode).toBe(status);
  });

  it('is recorded once an hour for each key', async () => {
    const other = await running.key({ kind: 'installation', scopes: ['audit:read'] });
    const read = async () => {
      for (const bundle of ['000', '001.p/1', '000.p/2'])
        await Promise.all([
          get(`tile/entries/${bundle}`, other.bearer),
          get(`tile/entries/${bundle}`, other.bearer),
        ]);
    };
    await read();
    await read();
    const records = (await events()).filter(
      ({ type, metadata }) =>
        type === 'AuditQueried' && (metadata['actor'] as { id: string }).id === other.keyId,
    );
    expect(records).toMatchObject([{ data: { question: 'entries', filter: { bundle: '0' }, events: 256 } }]);
  });

  it('is a fault, not an answer, when the event store has lost events', async () => {
    const { store, proofLog } = running.system;
    const lossy = {
      ...running.system,
      store: Object.assign(Object.create(store) as typeof store, {
        readAll: async (options: Parameters<typeof store.readAll>[0]) => {
          const page = await store.readAll(options);
          return { ...page, events: page.events.slice(0, 10) };
        },
      }),
    };
    const { readBundle } = await import('../../../src/audit/proof-log/read-bundle.ts');
    await expect(readBundle({ store: lossy.store, proofLog }, 0, 256)).rejects.toThrow(
      /lacks events of bundle 0/,
    );
  });
});
