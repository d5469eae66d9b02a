import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import {
  isConsistent,
  isIncluded,
  readCheckpoint,
  readProof,
  verifyServedLog,
  type Head,
  type VerifiedLog,
} from '../audit/proof-log/independent-verifier.ts';
import { proof, treeHash } from '../audit/proof-log/rfc6962.ts';
import { start } from '../faults/processes.ts';
import { appendResources } from '../support/append-resources.ts';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const timeout = 120_000;

/** The stores of a folder, as a further process opens them. */
const open = (dataDir: string): Promise<System> =>
  openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));

/** A neighbour on the same log: another installation, and another product. */
async function appendForeign({ wholeLog }: System): Promise<void> {
  const event = { id: randomUUID(), type: 'TeamCreated', data: { name: 'Neighbour' } };
  const metadata = { commonweal_schema: 1, installation: randomUUID() };
  await wholeLog.append(`team-neighbour-${randomUUID()}`, [{ ...event, metadata }], 'no_stream');
  const order = { id: randomUUID(), type: 'OrderPlaced', data: {}, metadata: {} };
  await wholeLog.append(`order-${randomUUID()}`, [order], 'no_stream');
}

/** A mirror of a log that changes one byte of one file. */
async function flippingMirror(log: string, changed: string): Promise<{ prefix: string; close: () => void }> {
  const mirror = createServer((request, response) => {
    const { authorization = '' } = request.headers;
    void fetch(log + (request.url ?? ''), { headers: { authorization } }).then(async (answer) => {
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (request.url === changed) bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
      response.writeHead(answer.status).end(bytes);
    });
  });
  await once(mirror.listen(0, '127.0.0.1'), 'listening');
  const { port } = mirror.address() as AddressInfo;
  return { prefix: `http://127.0.0.1:${port}`, close: () => mirror.close() };
}

const ownEvents = async ({ store }: System) =>
  (await store.readAll({ after: beginning, limit: 100_000 })).events;

describe.skipIf(missing)(onEngines('a proof log that is served'), { timeout }, () => {
  const folder = temporaryFolder();
  const pushed = join(folder.path, 'pushed.txt');
  const settings = { CHECKPOINT_SECONDS: '1', CHECKPOINT_PUSH: pushed, BASE_URL: 'http://localhost:3000' };
  let serving: Serving;
  let system: System;
  let vkey: string;
  let auditor: Record<string, string>;
  let verified: VerifiedLog;

  const served = async (path: string) => (await fetch(`${serving.origin}/audit/log/${path}`)).text();
  /** Until a checkpoint covers all that is in the log now. */
  const signed = async () => {
    const size = (await ownEvents(system)).length;
    await until(async () => ((await system.proofLog.newest())?.size ?? 0) >= size);
  };

  beforeAll(async () => {
    serving = await startServing(folder.path, settings);
    system = await open(folder.path);
    await appendResources(system.store, 'one', 150);
    await appendForeign(system);
    await signed();
    // Killed at whatever it does, and started again.
    process.kill(serving.pid, 'SIGKILL');
    await serving.stop();
    await appendResources(system.store, 'while it was away', 150);
    serving = await startServing(folder.path, settings);
    await signed();
    vkey = await served('vkey');
    const made = await runCommandLine(
      ['keys', 'create', '--kind', 'installation', '--scopes', 'audit:read', '--json'],
      folder.path,
    );
    auditor = { authorization: `Bearer ${(JSON.parse(made.stdout) as { key: string }).key}` };
    verified = await verifyServedLog(`${serving.origin}/audit/log`, vkey, auditor);
  }, timeout);
  afterAll(async () => {
    await system.close();
    await serving.stop();
    await dropDatabase(folder.path);
    folder.remove();
  });

  it('is derived again, tile by tile, from its entries, by a verifier that knows the specifications alone', async () => {
    const ids = verified.entries.map((entry) => (JSON.parse(entry.toString()) as { id: string }).id);
    const events = await ownEvents(system);
    expect(ids.length).toBeGreaterThan(600);
    expect(ids).toEqual(events.slice(0, ids.length).map(({ id }) => id));
    expect(
      verified.entries.some((entry) => entry.includes('Neighbour') || entry.includes('OrderPlaced')),
    ).toBe(false);
  });

  it('continues every checkpoint of the run, also those that were pushed away', async () => {
    const notes = (await system.proofLog.checkpoints({ limit: 1_000 })).map(({ note }) => note);
    const away = readFileSync(pushed, 'utf8')
      .split(/(?<=\n\n— .*\n)\n/)
      .filter((note) => note !== '');
    expect(notes.length).toBeGreaterThanOrEqual(2);
    expect(away.length).toBeGreaterThanOrEqual(1);
    expect(notes).toEqual(expect.arrayContaining(away));
    const heads = notes
      .map((note) => readCheckpoint(note, vkey))
      .filter(({ size }) => size <= verified.head.size);
    for (const [at, older] of heads.entries()) {
      expect(treeHash(verified.entries.slice(0, older.size))).toEqual(older.root);
      for (const newer of heads.slice(at)) {
        const hashes = proof(older.size, verified.entries.slice(0, newer.size));
        expect(isConsistent(older, newer, hashes), `${older.size} → ${newer.size}`).toBe(true);
      }
    }
  });

  it('gives proofs on the command line that hold elsewhere', async () => {
    const wanted = (await ownEvents(system))[321];
    const { stdout } = await runCommandLine(['audit', 'log', 'proof', wanted?.id ?? ''], folder.path);
    const { index, path, head } = readProof(stdout, vkey);
    expect(index).toBe(321);
    expect(isIncluded(verified.entries[321] ?? Buffer.alloc(0), index, head, path)).toBe(true);
    expect(isIncluded(verified.entries[320] ?? Buffer.alloc(0), index, head, path)).toBe(false);
    const byNumber = await runCommandLine(['audit', 'log', 'proof', '321', '--json'], folder.path);
    expect(JSON.parse(byNumber.stdout)).toMatchObject({ event: wanted?.id, index: 321 });

    const listed = await runCommandLine(['audit', 'log', 'checkpoints', '--json'], folder.path);
    const { checkpoints } = JSON.parse(listed.stdout) as { checkpoints: { size: number; note: string }[] };
    const [first, last] = [checkpoints[0], checkpoints.at(-1)];
    const shown = await runCommandLine(
      ['audit', 'log', 'consistency', String(first?.size), String(last?.size)],
      folder.path,
    );
    const [top = '', ...note] = shown.stdout.split('\n\n');
    const [old, ...lines] = top.split('\n');
    expect(old).toBe(`old ${first?.size ?? 0}`);
    const [older, newer] = [first?.note ?? '', note.join('\n\n')].map((text) =>
      readCheckpoint(text, vkey),
    ) as [Head, Head];
    expect(newer.size).toBe(last?.size);
    expect(
      isConsistent(
        older,
        newer,
        lines.map((line) => Buffer.from(line, 'base64')),
      ),
    ).toBe(true);

    const status = await runCommandLine(['audit', 'log', 'status', '--json'], folder.path);
    expect(JSON.parse(status.stdout)).toMatchObject({ vkey: vkey.trim(), name: 'localhost:3000/audit/log' });
  });

  it.each([
    [['proof', randomUUID()], /^The log has no event [0-9a-f-]{36}\.$/m],
    [['proof', '99999999'], /^The log has no event 99999999\./m],
    [['proof', 'x'], /^event: must be the id of an event, or the number of its entry/m],
    [['consistency', '1', '2'], /^No checkpoint was signed at (1 entry|2 entries)\./m],
    [['consistency', 'x', '2'], /^from: must be the size of a checkpoint/m],
  ])('refuses %j in one sentence', async (words, why) => {
    const { code, stderr } = await runCommandLine(['audit', 'log', ...words], folder.path);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(why);
  });

  it('does not pass with a changed file or the key of somebody else', async () => {
    const note = await served('checkpoint');
    expect(() => readCheckpoint(note.replace(/\n\d+\n/, '\n1\n'), vkey)).toThrow(/signature does not fit/);
    const stranger = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(() => readCheckpoint(note, stranger)).toThrow(/not signed by this key/);
    for (const [changed, why] of [
      ['/tile/0/001', /Hash 256 of level 0 is wrong/],
      ['/tile/1/000.p/2', /Hash 0 of level 1 is wrong/],
      ['/tile/entries/000', /./],
    ] as const) {
      const mirror = await flippingMirror(`${serving.origin}/audit/log`, changed);
      await expect(verifyServedLog(mirror.prefix, vkey, auditor)).rejects.toThrow(why);
      mirror.close();
    }
  });
});

describe.skipIf(missing)(onEngines('a signer that is killed at any of its writes'), { timeout }, () => {
  it('loses and forks nothing', async () => {
    const folder = temporaryFolder();
    const system = await open(folder.path);
    await system.installation.ensureId();
    const heads: Head[] = [];
    let vkey = '';
    for (let n = 1, ended = false; !ended; n += 1) {
      await appendResources(system.store, `before ${n}`, n % 3 === 0 ? 140 : 1);
      const { code, signal, stderr } = await start(
        'test/faults/proof-log-signer.ts',
        [String(n)],
        folder.path,
      ).ended;
      ended = signal === null;
      expect([code, stderr]).toEqual([ended ? 0 : null, '']);
      const status = await runCommandLine(['audit', 'log', 'status', '--json'], folder.path);
      const said = JSON.parse(status.stdout) as { vkey: string; checkpoint: { note: string } | null };
      vkey = said.vkey;
      if (said.checkpoint) heads.push(readCheckpoint(said.checkpoint.note, vkey));
      expect(n).toBeLessThan(12);
    }
    const { entryOf } = await import('../../src/audit/proof-log/entry.ts');
    const entries = (await ownEvents(system)).map(entryOf);
    expect(heads.at(-1)?.size).toBe(entries.length);
    for (const { size, root } of heads) expect(treeHash(entries.slice(0, size))).toEqual(root);
    expect(new Set(heads.map(({ size }) => size)).size).toBeGreaterThanOrEqual(2);
    await system.close();
    await dropDatabase(folder.path);
    folder.remove();
  });
});
