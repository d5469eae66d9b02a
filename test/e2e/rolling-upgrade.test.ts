import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { projection, storedName, type AnyProjection } from '../../src/projections/engine/read-model.ts';
import { retireUnread } from '../../src/projections/engine/retire.ts';
import { runProcess } from '../support/command-line.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
/** Makes the next release of this one: another schema version of an event, another version of a read model. */
const newerRelease = new URL('../fixtures/newer-release.ts', import.meta.url).href;
const newer = { RATE_LIMIT_PER_MINUTE: '1000000', NODE_OPTIONS: `--import ${newerRelease}` };
/** The stored name of the read model of resources so many releases after this one. */
const nameAfter = (releases: number): string => storedName('resources', resources.version + releases);
const newestOfAll = { NODE_OPTIONS: `--import ${newerRelease}?releases=2` };

describe.skipIf(missing)(onEngines('a newer release that starts beside the one that runs'), () => {
  const folder = temporaryFolder();
  let older: Serving;
  let newest: Serving;
  let key: string;
  /** What the newer node answered from its first breath until it was ready. */
  const early: { readonly status: number; readonly listed: number | undefined }[] = [];

  beforeAll(async () => {
    older = await startServing(folder.path);
    await runCommand(folder.path, 'import', example, '--approve');
    const scopes = 'resources:read,resources:submit';
    const made = await runCommand(folder.path, 'keys', 'create', '--kind', 'developer', '--scopes', scopes);
    ({ key } = made as { key: string });
    const port = await freePort();
    const starting = startServing(folder.path, { ...newer, PORT: String(port) });
    let started = false;
    void starting.finally(() => (started = true));
    await until(async () => {
      const answer = await list(`http://127.0.0.1:${port}`).catch(() => undefined);
      if (answer) early.push(answer);
      return started;
    });
    newest = await starting;
  }, 120_000);
  afterAll(async () => {
    await newest.stop();
    await older.stop();
    await dropDatabase(folder.path);
    folder.remove();
  });

  const bearer = () => ({ authorization: `Bearer ${key}` });
  async function list(origin: string) {
    const answer = await fetch(`${origin}/dash/api/v1/resources?limit=100`, { headers: bearer() });
    const { data } = (await answer.json()) as { data?: { readonly name: string }[] };
    return { status: answer.status, listed: data?.length, names: data?.map(({ name }) => name) };
  }
  const submit = (to: Serving, name: string, idempotencyKey: string) =>
    fetch(`${to.origin}/dash/api/v1/resources`, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ name, category: 'food' }),
    });
  /** The read models of resources that the store holds, each of another release. */
  async function kept(): Promise<string[]> {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    try {
      const names = [...(await system.documents.progress()).keys()];
      return names.filter((name) => /^resources(-v\d+)?$/.test(name)).sort();
    } finally {
      await system.close();
    }
  }

  /** One look of a projector for read models that nobody reads. */
  async function lookForUnread(projections: readonly AnyProjection[]): Promise<void> {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    const { documents, nodes } = system;
    const faults: unknown[] = [];
    const done = new AbortController();
    const progress = async () => {
      const found = await documents.progress();
      // This look goes on to its end.
      done.abort();
      return found;
    };
    try {
      await retireUnread({
        documents: { progress, remove: (name, epoch) => documents.remove(name, epoch) },
        nodes,
        projections,
        epoch: await documents.highestEpoch(),
        signal: done.signal,
        onFault: (_what, error) => faults.push(error),
      });
    } finally {
      await system.close();
    }
    expect(faults).toEqual([]);
  }

  it('answers nothing from a read model that is half built', async () => {
    const { listed } = await list(older.origin);
    expect(listed).toBeGreaterThan(0);
    expect(early.length).toBeGreaterThan(0);
    for (const answer of early) {
      expect([200, 503]).toContain(answer.status);
      if (answer.status === 200) expect(answer.listed).toBe(listed);
    }
  });

  it('builds its read models beside those of the other, and is named by status beside it', async () => {
    expect(await kept()).toEqual([nameAfter(0), nameAfter(1)]);
    const { nodes } = (await runCommand(folder.path, 'status')) as { nodes: unknown[] };
    expect(nodes).toHaveLength(2);
  });

  it('records no event that the older one cannot read, and asks to come again', async () => {
    const refused = await submit(newest, 'Corner pantry', 'upgrade-1');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'unavailable' });
  });

  it('shows at both what was changed at either, each from its own read model', async () => {
    const submitted = await submit(older, 'Harbour pantry', 'upgrade-2');
    expect(submitted.status).toBe(201);
    const { svc_id: id } = (await submitted.json()) as { svc_id: string };
    await runCommand(folder.path, 'resources', 'approve', id);
    expect((await list(older.origin)).names).toContain('Harbour pantry');
    await until(async () => (await list(newest.origin)).names?.includes('Harbour pantry') === true);
    expect((await list(newest.origin)).names).toEqual((await list(older.origin)).names);
    for (const { origin } of [older, newest]) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it('lets a node and a command of the older release start again beside it', async () => {
    const again = await startServing(folder.path, { PORT: String(await freePort()) });
    expect((await list(again.origin)).names).toEqual((await list(newest.origin)).names);
    expect(await again.stop()).toBe(0);
    expect(await runCommand(folder.path, 'resources', 'list')).toHaveLength(
      (await list(newest.origin)).names?.length ?? 0,
    );
  });

  it('leaves alone what a command of a still newer release builds, which does not register', async () => {
    const listing = await runProcess(['resources', 'list', '--json'], folder.path, newestOfAll);
    expect(listing).toMatchObject({ code: 0, stderr: '' });
    const names = (JSON.parse(listing.stdout) as { readonly name: string }[]).map(({ name }) => name);
    expect(names).toContain('Harbour pantry');
    await lookForUnread(projections);
    await lookForUnread([projection({ ...resources, version: resources.version + 2 }) as AnyProjection]);
    expect(await kept()).toEqual([nameAfter(0), nameAfter(1), nameAfter(2)]);
    for (const { origin } of [older, newest]) expect((await list(origin)).names).toContain('Harbour pantry');
  });

  it('takes over when the older one has stopped, records what it could not, and drops what nobody reads', async () => {
    expect(await older.stop()).toBe(0);
    // As the 503 says: again, with the same key.
    await until(async () => (await submit(newest, 'Corner pantry', 'upgrade-1')).status === 201);
    await until(async () => (await kept()).join() === [nameAfter(1), nameAfter(2)].join());
  });
});
