import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { eachOf, serveCheckout, type Checkout, type Each } from './checkouts.ts';
import {
  askWith,
  firstPage,
  freshPages,
  pagesAt,
  pageSize,
  seedDirectory,
  skewed,
  walk,
  type Directory,
} from './list-site.ts';
import { load, type Load } from './load.ts';
import { inWords, median, type Row } from './measure.ts';
import { startServer, untilIdle, untilReady, type ServerProcess } from './process.ts';
import { freshDatabase, masterKey } from './servers.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Requests of one kind in a round. */
const aRound = { kept: 10_000, fresh: 5_000, mixed: 6_000 } as const;
const kinds = ['kept', 'fresh', 'mixed'] as const;
type Kind = (typeof kinds)[number];
/** Approved a second beside the requests of the mix. */
const approvals = { everyMs: 100, atMost: 1_000 };

/** Where the read models are; without settings, in the data folder. */
interface Place {
  readonly name?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly aim: Readonly<Record<Kind, string>>;
}

const embedded: Place = { aim: { kept: '≤ 1.5', fresh: '≤ 3', mixed: '' } };

/** One checkout's server, and what it is asked for; pages are its own, as their cursors are. */
interface Site {
  readonly server: ServerProcess;
  readonly directory: Directory;
  readonly pages: readonly string[];
  readonly fresh: string[];
  readonly waiting: string[];
}

type Loads = Readonly<Record<Kind, Load[]>>;

/**
 * The v1 list against Fastify sending a page of 20 ready-made. Kept: 80 % first pages and 20 % random cursors, which
 * are soon all kept. Fresh: no page twice. Mixed: 80 % of the requests for 20 % of all pages, while ten resources a
 * second are approved, each of which makes every kept page void; the approvals' own CPU is counted.
 */
export async function listRows(
  measured: readonly Checkout[],
  resources: number,
  place = embedded,
): Promise<Row[]> {
  const folder = temporaryFolder();
  const sites = await eachOf(measured, (checkout) =>
    startSite(checkout, join(folder.path, checkout.name), resources, place),
  );
  const bytes = join(folder.path, 'page.json');
  const { ours } = sites;
  writeFileSync(bytes, await askWith(ours.server.origin, ours.directory.reader)(firstPage));
  const bare = await startServer('./bare-fastify.ts', [bytes], {});
  const bareLoads: Load[] = [];
  const loads = await eachOf(measured, async (): Promise<Loads> => ({ kept: [], fresh: [], mixed: [] }));
  for (let round = -1; round < rounds; round++) {
    const asked = Array.from({ length: aRound.kept }, () => ({ method: 'GET', path: firstPage }) as const);
    const bareLoad = await load(bare, asked);
    if (round >= 0) bareLoads.push(bareLoad);
    for (const kind of kinds) {
      for (const { name } of measured) {
        const each = await loadOf(sites[name] as Site, kind);
        // The first round only warms up.
        if (round >= 0) loads[name]?.[kind].push(each);
      }
    }
  }
  const memory = await eachOf(measured, async ({ name }) => (sites[name] as Site).server.memory() / 1e6);
  for (const server of [bare, ...measured.map(({ name }) => (sites[name] as Site).server)])
    await server.stop();
  folder.remove();
  const where = place.name === undefined ? '' : ` in ${place.name}`;
  return rowsOf(`v1 list of ${pageSize}, ${inWords(resources)} resources${where}`, {
    bareLoads,
    loads,
    memory,
    place,
  });
}

/** The same list with its read models in a database of its own on the server of MONGODB_URL. */
export async function mongoListRows(resources: number): Promise<Row[]> {
  const database = freshDatabase();
  const settings = { MONGODB_URL: database.url, MASTER_KEY: masterKey };
  const aim = { kept: '≤ 3', fresh: '', mixed: '' };
  const [ours] = [{ name: 'ours', root: join(import.meta.dirname, '..') }] as const;
  try {
    return await listRows([ours], resources, { name: 'MongoDB', settings, aim });
  } finally {
    await database.drop();
  }
}

const named: Readonly<Record<Kind, string>> = {
  kept: 'pages that are kept',
  fresh: 'pages nobody asked for before',
  mixed: '80 % of requests for 20 % of pages, ten approvals a second beside',
};

function rowsOf(
  what: string,
  {
    bareLoads,
    loads,
    memory,
    place,
  }: { bareLoads: Load[]; loads: Each<Loads>; memory: Each<number>; place: Place },
): Row[] {
  const middle = (of: readonly Load[] | undefined, value: (load: Load) => number) =>
    of === undefined ? undefined : median(of.map(value));
  const row = (kind: Kind, unit: string, value: (load: Load) => number, aim: string): Row => ({
    what: `${what}, ${named[kind]}: ${unit} ÷ bare Fastify`,
    baseline: middle(bareLoads, value),
    before: middle(loads.before?.[kind], value),
    ours: middle(loads.ours[kind], value) ?? Number.NaN,
    aim,
  });
  return [
    ...kinds.map((kind) => row(kind, 'server CPU a request (µs)', ({ cost }) => cost.cpu, place.aim[kind])),
    row('kept', 'requests/s', ({ rate }) => rate, ''),
    { what: `${what}: memory (MB)`, before: memory.before, ours: memory.ours, aim: '≤ 300' },
  ];
}

async function startSite(
  checkout: Checkout,
  directory: string,
  resources: number,
  { settings = {} }: Place,
): Promise<Site> {
  const own = { DATA_DIR: directory, ...settings };
  const seeded = await seedDirectory(own, { listed: resources, submitted: approvals.atMost });
  const server = await serveCheckout(checkout, { ...own, RATE_LIMIT_PER_MINUTE: '100000000' });
  await untilReady(server);
  await untilIdle(server);
  const ask = askWith(server.origin, seeded.reader);
  const pages = pagesAt(await walk(ask, pageSize, resources / pageSize));
  const fresh = await freshPages(ask, resources);
  return { server, directory: seeded, pages, fresh, waiting: [...seeded.submitted] };
}

async function loadOf({ server, directory, pages, fresh, waiting }: Site, kind: Kind): Promise<Load> {
  const headers = { authorization: `Bearer ${directory.reader}` };
  const asked = (paths: readonly string[]) =>
    paths.map((path) => ({ method: 'GET', path, headers }) as const);
  switch (kind) {
    case 'kept': {
      const some = pages.slice(0, 200);
      const paths = Array.from({ length: aRound.kept }, (_, n) =>
        n % 5 === 4 ? (some[Math.floor(Math.random() * some.length)] ?? firstPage) : firstPage,
      );
      return load(server, asked(paths));
    }
    case 'fresh': {
      const paths = fresh.splice(-aRound.fresh);
      if (paths.length < aRound.fresh) throw new Error('There are not so many pages to ask for once.');
      return load(server, asked(paths));
    }
    case 'mixed': {
      const approving = approve(server, directory.reviewer, waiting);
      const loaded = await load(server, asked(skewed(pages, aRound.mixed)));
      await approving.stop();
      return loaded;
    }
  }
}

/** Approves what waits, at a steady pace, until it is stopped. */
export function approve(server: ServerProcess, key: string, waiting: string[]) {
  const under = new Set<Promise<void>>();
  const approveOne = async () => {
    const svcId = waiting.pop();
    if (svcId === undefined) throw new Error('Nothing waits for approval any more.');
    const response = await fetch(`${server.origin}/dash/api/v1/resources/${svcId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    // 503: it is approved, and the read models are behind.
    if (!response.ok && response.status !== 503)
      throw new Error(`An approval was answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const timer = setInterval(() => {
    const one = approveOne().finally(() => under.delete(one));
    under.add(one);
  }, approvals.everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(under);
    },
  };
}
