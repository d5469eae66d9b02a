import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipExport } from '../../../src/audit/exports/zip-export.ts';
import { openCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { GrowingTree } from '../../../src/audit/proof-log/format/growing-tree.ts';
import { ensureLogKey, type LogKey } from '../../../src/audit/proof-log/format/log-key.ts';
import { exportPath } from '../../../src/api/audit/export.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { unzip } from '../../support/unzip.ts';
import { logName, metadataAt, signLog } from '../../audit/signed-log.ts';
import { startSystem, type RunningSystem, type TestKey } from '../harness.ts';

let running: RunningSystem;
let key: LogKey;
let everything: TestKey;
let harbour: TestKey;
let unscoped: TestKey;

beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['audit:read']);
  await running.team('inland', ['audit:read']);
  await running.resources(4, { team: 'harbour' });
  await running.resources(3, { team: 'inland' });
  everything = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  harbour = await running.key({ kind: 'team', team: 'harbour', scopes: ['audit:read'] });
  unscoped = await running.key();
  key = await ensureLogKey(running.system.vault, logName);
});
afterAll(() => running.stop());

const ask = (query: string, { bearer }: Pick<TestKey, 'bearer'>) =>
  running.server.inject({ url: `${exportPath}${query}`, headers: bearer });
const linesOf = (body: string) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; type: string; stream: string; data: { team?: string } });

describe('GET /audit/v1/export', () => {
  it('has nothing to give before the first checkpoint', async () => {
    const response = await ask('', everything);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ detail: expect.stringContaining('no checkpoint yet') as string });
  });

  it('gives the whole log to a key of the installation, as the leaves of the tree', async () => {
    await signLog(running.system, key);
    const newest = await running.system.proofLog.newest();
    const response = await ask('', everything);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="events.ndjson"',
    });
    const tree = new GrowingTree();
    for (const line of response.body.trimEnd().split('\n')) tree.add(hash('sha256', `\0${line}`, 'buffer'));
    const { root, size } = openCheckpoint(newest?.note ?? '', key.verifier);
    expect([tree.size, tree.root()]).toEqual([size, root]);
  });

  it('gives a key of a team the events of its team, and of no other', async () => {
    const events = linesOf((await ask('', harbour)).body);
    const submitted = events.filter(({ type }) => type === 'ResourceSubmitted');
    expect(submitted.map(({ data }) => data.team)).toEqual(Array(4).fill('harbour'));
    expect(events.filter(({ type }) => type === 'ResourceApproved')).toHaveLength(4);
    expect(events.every(({ data }) => data.team === undefined || data.team === 'harbour')).toBe(true);
    expect(linesOf((await ask('?team=harbour&type=TeamCreated', everything)).body)).toHaveLength(1);
    expect((await ask('?team=inland', harbour)).statusCode).toBe(403);
    expect((await ask('?team=harbour', harbour)).body).toBe((await ask('', harbour)).body);
  });

  it('gives CSV, CloudEvents and OCSF', async () => {
    const csv = await ask('?format=csv&type=TeamCreated', everything);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const rows = parse<Record<string, string>>(csv.body, { columns: true });
    expect(rows.map(({ data = '' }) => (JSON.parse(data) as { team: string }).team)).toContain('harbour');
    const batch = await ask('?format=cloudevents&type=TeamCreated', everything);
    expect(batch.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
    expect(batch.json<unknown[]>()).toHaveLength(rows.length);
    const reversed = await ask('?format=cloudevents-rdns&type=TeamCreated', everything);
    expect(reversed.json<{ type: string }[]>()[0]?.type).toBe('localhost.TeamCreated');
    const security = await ask('?format=ocsf&type=TeamCreated', everything);
    expect(security.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="events.ocsf.ndjson"',
    });
    const ocsf = security.body.trimEnd().split('\n');
    expect(ocsf.map((line) => JSON.parse(line) as unknown)).toEqual(
      rows.map(() => expect.objectContaining({ class_uid: 3004, type_uid: 300_401 }) as unknown),
    );
    const none = await ask('?format=cloudevents&actor=user:nobody', everything);
    expect(none.json()).toEqual([]);
  });

  it.each([
    ['the whole log', '', () => everything, true],
    ['the events of a team', '&format=csv', () => harbour, false],
    ['the events of a team as OCSF', '&format=ocsf', () => harbour, false],
  ])(
    'gives %s with what proves it, to be verified with nothing but the key',
    async (_, query, keyOf, whole) => {
      const response = await ask(`?proofs=true${query}`, keyOf());
      expect(response.headers).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="commonweal-export.zip"',
      });
      const folder = temporaryFolder();
      await unzip(response.rawPayload, folder.path);
      const verified = () => verifyExport({ folder: folder.path, verifier: key.verifier });
      expect(await verified()).toMatchObject({ findings: [], whole });
      expect((await verified()).events).toBeGreaterThan(5);
      const [name = ''] = readdirSync(folder.path).filter((each) => each.startsWith('events.'));
      const file = join(folder.path, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace('harbour', 'harbuor'));
      expect((await verified()).findings).not.toEqual([]);
      folder.remove();
    },
  );

  it('ends a zip file early when an event is not the one that was signed', async () => {
    const { proofLog } = running.system;
    const lost = { ...proofLog, tiles: () => Promise.resolve([undefined]) } as unknown as typeof proofLog;
    const newest = await proofLog.newest();
    const note = newest?.note ?? '';
    const checkpoint = openCheckpoint(note, key.verifier);
    const zip = zipExport(
      { store: running.system.store, proofLog: lost, note, checkpoint, former: [] },
      { format: 'ndjson', filter: {}, installation: '', domain: '', now: new Date(0) },
    );
    await expect(buffer(zip)).rejects.toThrow('is missing in the proof log');
  });

  it('is recorded before it is sent, with what was asked and how much there was', async () => {
    const before = await running.system.store.head();
    const { body } = await ask('?type=ResourceSubmitted', harbour);
    const { events } = await running.system.store.readAll({ after: before, limit: 10 });
    expect(events).toMatchObject([
      {
        type: 'AuditExported',
        data: {
          format: 'ndjson',
          filter: { team: 'harbour', type: 'ResourceSubmitted' },
          events: linesOf(body).length,
        },
        metadata: { actor: { kind: 'key', id: harbour.keyId } },
      },
    ]);
  });

  it.each([
    ['?format=xml', 400, 'format must be ndjson, csv, cloudevents, cloudevents-rdns or ocsf.'],
    ['?type=Nothing', 400, 'type must be an event type of docs/events.md.'],
    ['?from=yesterday', 400, 'from must be a time such as 2026-01-31T00:00:00Z.'],
    ['?from=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 400, 'until must be later than from.'],
    ['?subject=x', 400, 'subject must be a kind and an id'],
    ['?after=1', 400, 'There is no parameter "after"'],
    ['?type=TeamCreated&type=TeamCreated', 400, 'more than once'],
    ['?proofs=all', 400, 'proofs must be true or false.'],
    ['?stream=', 400, 'stream must not be empty.'],
  ])('refuses %s', async (query, status, detail) => {
    const response = await ask(query, everything);
    expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([
      status,
      expect.stringContaining(detail),
    ]);
  });

  it('needs the scope', async () => {
    expect((await ask('', unscoped)).statusCode).toBe(403);
    expect((await running.server.inject({ url: exportPath })).statusCode).toBe(401);
    expect(
      (await running.server.inject({ method: 'HEAD', url: exportPath, headers: everything.bearer }))
        .statusCode,
    ).toBe(405);
  });

  it('reads the log as fast as its reader reads, and leaves room for others beside who reads slowly', async () => {
    const { store, proofLog } = running.system;
    const name = 'x'.repeat(10_000);
    const teams = ['a', 'b', 'c', 'd', 'e'];
    const keys = new Map<string, TestKey>([['installation', everything]]);
    for (const team of teams) {
      await running.team(`slow-${team}`, ['audit:read']);
      keys.set(team, await running.key({ kind: 'team', team: `slow-${team}`, scopes: ['audit:read'] }));
      const batch = Array.from({ length: 600 }, () => ({
        id: crypto.randomUUID(),
        type: 'TeamRenamed',
        data: { team: `slow-${team}`, name },
        metadata: metadataAt('2026-01-01T00:00:00.000Z'),
      }));
      for (let n = 0; n < batch.length; n += 75)
        await store.append(`team-slow-${team}`, batch.slice(n, n + 75), 'any');
    }
    await signLog({ store, proofLog }, key);
    const slow = await running.another();
    // A local socket holds some hundred kilobytes; the buffers of TCP grow until a whole export fits into them.
    const folder = temporaryFolder();
    const socketPath = join(folder.path, 'socket');
    await slow.listen({ path: socketPath });
    const headersOf = (whose: string) => ({ ...keys.get(whose)?.bearer });
    const opened = (whose: string) =>
      new Promise<() => void>((resolve, reject) => {
        const options = { socketPath, path: exportPath, headers: headersOf(whose) };
        const request = get(options, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${whose}: ${String(response.statusCode)}`));
          response.once('readable', () => resolve(() => request.destroy()));
        });
        request.once('error', reject);
      });
    const asked = async (whose: string) => {
      const path = `${exportPath}?type=TeamScopesEnabled`;
      const [response] = (await once(get({ socketPath, path, headers: headersOf(whose) }), 'response')) as [
        IncomingMessage,
      ];
      await buffer(response);
      return [response.statusCode, response.headers['retry-after'] ?? null];
    };
    const full = [503, '30'];

    const ofTeams = [await opened('a')];
    expect(await asked('a')).toEqual(full);
    for (const other of ['b', 'c', 'd', 'e', 'installation']) expect(await asked(other)).toEqual([200, null]);
    for (const other of ['b', 'c', 'd']) ofTeams.push(await opened(other));
    expect(await asked('e')).toEqual(full);
    const ofInstallation = [await opened('installation'), await opened('installation')];
    expect(await asked('installation')).toEqual(full);

    // The places of those that are gone are free again.
    ofTeams[0]?.();
    ofInstallation[0]?.();
    for (const whose of ['e', 'installation', 'a'])
      await until(async () => (await asked(whose))[0] === 200 || setImmediate(false));
    for (const close of [...ofTeams, ...ofInstallation]) close();
    folder.remove();
  });
});
