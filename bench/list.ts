import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { createApiKey } from '../src/commands/keys/api-key.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { projections } from '../src/projections/all.ts';
import { nameOf } from '../src/projections/engine/define.ts';
import { project } from '../src/projections/engine/projector.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, median, type Row } from './measure.ts';
import { startServer, type ServerProcess } from './process.ts';
import { seedResources } from './seed.ts';
import { freshDatabase, masterKey } from './servers.ts';

const connections = 16;
const requestsARound = 20_000;
const rounds = 5;
const pageSize = 20;

/** Where the read models are; without settings, in the data folder. */
interface Place {
  readonly name?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly aim: string;
}

/** The v1 list of 20, 80 % first pages and 20 % random cursors, against Fastify sending the same bytes ready-made. */
export async function listRows(resources: number, place: Place = { aim: '≤ 1.5' }): Promise<Row[]> {
  const folder = temporaryFolder();
  const key = await fill({ DATA_DIR: folder.path, ...place.settings }, resources);
  const ours = await startServer('../src/main.ts', ['serve', '--json'], {
    DATA_DIR: folder.path,
    ...place.settings,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '100000000',
  });
  await untilReady(ours);
  const headers = { authorization: `Bearer ${key}` };
  const first = `/dash/api/v1/resources?limit=${pageSize}`;
  const cursors = await someCursors(
    ours.origin,
    headers,
    Math.min(200, Math.floor(resources / pageSize) - 1),
  );
  const bytes = join(folder.path, 'page.json');
  writeFileSync(bytes, await pageAt(ours.origin, first, headers));
  const bare = await startServer('./bare-fastify.ts', [bytes], {});
  const paths = Array.from({ length: requestsARound }, (_, n) =>
    n % 5 === 4 ? (cursors[Math.floor(Math.random() * cursors.length)] ?? first) : first,
  );
  await untilIdle(ours);
  await load(bare, paths, headers);
  await load(ours, paths, headers);
  const of = { bare: [] as Load[], ours: [] as Load[] };
  for (let round = 0; round < rounds; round++) {
    of.bare.push(await load(bare, paths, headers));
    of.ours.push(await load(ours, paths, headers));
  }
  const memory = ours.memory();
  await bare.stop();
  await ours.stop();
  folder.remove();
  const cpu = {
    bare: median(of.bare.map((each) => each.cpu)),
    ours: median(of.ours.map((each) => each.cpu)),
  };
  const rate = {
    bare: median(of.bare.map((each) => each.rate)),
    ours: median(of.ours.map((each) => each.rate)),
  };
  const where = place.name === undefined ? '' : ` in ${place.name}`;
  const what = `v1 list of ${pageSize}, ${inWords(resources)} resources${where}`;
  return [
    {
      what: `${what}: server CPU a request (µs) ÷ bare Fastify`,
      baseline: inWords(cpu.bare),
      ours: inWords(cpu.ours),
      ratio: cpu.ours / cpu.bare,
      aim: place.aim,
    },
    {
      what: `${what}: requests/s ÷ bare Fastify`,
      baseline: inWords(rate.bare),
      ours: inWords(rate.ours),
      ratio: rate.ours / rate.bare,
      aim: '',
    },
    {
      what: `${what}: memory (MB)`,
      baseline: '300',
      ours: inWords(memory / 1e6),
      ratio: memory / 300e6,
      aim: '≤ 1',
    },
  ];
}

/** The same list with its read models in a database of its own on the server of MONGODB_URL. */
export async function mongoListRows(resources: number): Promise<Row[]> {
  const database = freshDatabase();
  const settings = { MONGODB_URL: database.url, MASTER_KEY: masterKey };
  try {
    return await listRows(resources, { name: 'MongoDB', settings, aim: '≤ 3' });
  } finally {
    await database.drop();
  }
}

interface Load {
  /** Microseconds of the server's CPU for each request. */
  readonly cpu: number;
  readonly rate: number;
}

async function load(
  server: ServerProcess,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<Load> {
  const pool = new Pool(server.origin, { connections, pipelining: 1 });
  let next = 0;
  const worker = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
    }
  };
  const before = server.cpu();
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const took = performance.now() - began;
  const cpu = (server.cpu() - before) / paths.length;
  await pool.close();
  return { cpu, rate: (paths.length / took) * 1_000 };
}

/** One that waits for its servers listens before it can serve. */
async function untilReady({ origin }: ServerProcess): Promise<void> {
  while (!(await fetch(`${origin}/readyz`)).ok) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** A new consumer group reads the whole log once; what that costs is no part of a request. */
async function untilIdle(server: ServerProcess): Promise<void> {
  const samples = { gapMs: 1_000, busy: 0.05, most: 30 };
  for (let sample = 0; sample < samples.most; sample++) {
    const before = server.cpu();
    await new Promise((resolve) => setTimeout(resolve, samples.gapMs));
    if (server.cpu() - before < samples.gapMs * 1_000 * samples.busy) return;
  }
}

/** Pages spread over the directory: each cursor is where a page of another place ends. */
async function someCursors(
  origin: string,
  headers: Record<string, string>,
  count: number,
): Promise<string[]> {
  const paths: string[] = [];
  let path = `/dash/api/v1/resources?limit=100`;
  while (paths.length < count) {
    const { next_cursor } = JSON.parse(await pageAt(origin, path, headers)) as { next_cursor: string | null };
    if (next_cursor === null) break;
    paths.push(`/dash/api/v1/resources?limit=${pageSize}&cursor=${encodeURIComponent(next_cursor)}`);
    path = `/dash/api/v1/resources?limit=100&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return paths;
}

async function pageAt(origin: string, path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(origin + path, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.text();
}

/** So many public resources and one developer key, read models up to date. */
async function fill(settings: Readonly<Record<string, string>>, resources: number): Promise<string> {
  const system = await openSystem(readConfig(settings));
  const { store, documents, side, leases } = system;
  const context = () => ({
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  await commandTeam(store, { kind: 'create', team: 'commons', name: 'Commons' }, context());
  const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
  const { key } = await createApiKey(store, wish, randomBytes(32), context());
  await seedResources(store, 'commons', resources);
  const done = new AbortController();
  const projecting = project({ store, documents, side, leases, projections, signal: done.signal });
  await visible(documents, projections.map(nameOf), await store.head(), 3_600_000);
  done.abort();
  await projecting;
  await system.close();
  return key ?? '';
}
