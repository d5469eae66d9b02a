import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { Approvals } from './approvals.ts';
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
} from './list-site.ts';
import { load, type Load } from './load.ts';
import { inWords, median, rounds, type Row } from './measure.ts';
import { startServer, untilIdle, untilReady, type ServerProcess } from './process.ts';
import { freshDatabase, masterKey } from './servers.ts';

/** Requests of one kind in a round. */
const aRound = { kept: 10_000, fresh: 5_000, mixed: 6_000 } as const;
const kinds = ['kept', 'fresh', 'mixed'] as const;
type Kind = (typeof kinds)[number];
/** Resources that wait for approval, for the mix. */
const waiting = 1_000;

/** Where the read models are; without settings, in the data folder. */
interface Place {
  readonly name?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly aim: Readonly<Record<Kind, string>>;
}

const embedded: Place = { aim: { kept: '≤ 1.5', fresh: '≤ 3', mixed: '' } };

/** A server, and what it is asked for. */
interface Site {
  readonly server: ServerProcess;
  readonly reader: string;
  readonly pages: readonly string[];
  readonly fresh: string[];
}

/** One checkout's server; pages are its own, as their cursors are. */
interface OwnSite extends Site {
  readonly approvals: Approvals;
}

type Loads = Readonly<Record<Kind, Load[]>>;
/** Of what has no approvals. */
type Reads = Readonly<Record<Exclude<Kind, 'mixed'>, Load[]>>;

/**
 * The v1 list against Fastify sending a page of 20 ready-made, and where the read models are in the data folder, against a
 * server written by hand for this list alone. Kept: 80 % first pages and 20 % random cursors, which are soon all kept. Fresh:
 * no page twice. Mixed: 80 % of the requests for 20 % of all pages, while ten resources a second are approved, each of which
 * makes every kept page void; the approvals' own CPU is counted.
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
  writeFileSync(bytes, await askWith(ours.server.origin, ours.reader)(firstPage));
  const bare = await startServer('./bare-fastify.ts', [bytes], {});
  const handwritten = place.settings ? undefined : await startHandwritten(folder.path, ours);
  const bareLoads: Load[] = [];
  const reads: Reads = { kept: [], fresh: [] };
  const loads = await eachOf(measured, async (): Promise<Loads> => ({ kept: [], fresh: [], mixed: [] }));
  for (let round = -1; round < rounds; round++) {
    const asked = Array.from({ length: aRound.kept }, () => ({ method: 'GET', path: firstPage }) as const);
    const bareLoad = await load(bare, asked);
    // The first round only warms up.
    if (round >= 0) bareLoads.push(bareLoad);
    for (const kind of kinds) {
      if (handwritten && kind !== 'mixed') {
        const each = await loadOf(handwritten, kind);
        if (round >= 0) reads[kind].push(each);
      }
      for (const { name } of measured) {
        const site = sites[name] as OwnSite;
        const each = await (kind === 'mixed'
          ? site.approvals.beside(() => loadOf(site, kind))
          : loadOf(site, kind));
        if (round >= 0) loads[name]?.[kind].push(each);
      }
    }
  }
  const memory = await eachOf(measured, async ({ name }) => (sites[name] as Site).server.memory() / 1e6);
  for (const site of [{ server: bare }, handwritten, ...measured.map(({ name }) => sites[name])])
    await site?.server.stop();
  folder.remove();
  const where = place.name === undefined ? '' : ` in ${place.name}`;
  return rowsOf(`v1 list of ${pageSize}, ${inWords(resources)} resources${where}`, {
    bareLoads,
    reads,
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

const cpu = 'server CPU a request (µs)';
const cpuOf = ({ cost }: Load): number => cost.cpu;

const named: Readonly<Record<Kind, string>> = {
  kept: 'pages that are kept',
  fresh: 'pages nobody asked for before',
  mixed: '80 % of requests for 20 % of pages, ten approvals a second beside',
};

function rowsOf(
  what: string,
  {
    bareLoads,
    reads,
    loads,
    memory,
    place,
  }: { bareLoads: Load[]; reads: Reads; loads: Each<Loads>; memory: Each<number>; place: Place },
): Row[] {
  const middle = (of: readonly Load[] | undefined, value: (load: Load) => number) =>
    of === undefined ? undefined : median(of.map(value));
  const row = (
    kind: Kind,
    unit: string,
    value: (load: Load) => number,
    aim: string,
    [name, baseline]: readonly [string, readonly Load[]] = ['bare Fastify', bareLoads],
  ): Row => ({
    what: `${what}, ${named[kind]}: ${unit} ÷ ${name}`,
    baseline: middle(baseline, value),
    before: middle(loads.before?.[kind], value),
    ours: middle(loads.ours[kind], value) ?? Number.NaN,
    aim,
  });
  const byHand = (kind: 'kept' | 'fresh'): Row[] =>
    reads[kind].length === 0
      ? []
      : [row(kind, cpu, cpuOf, '', ['hand-written Fastify and SQLite', reads[kind]])];
  return [
    ...kinds.map((kind) => row(kind, cpu, cpuOf, place.aim[kind])),
    ...byHand('kept'),
    ...byHand('fresh'),
    row('kept', 'requests/s', ({ rate }) => rate, ''),
    { what: `${what}: memory (MB)`, before: memory.before, ours: memory.ours, aim: '≤ 300' },
  ];
}

async function startSite(
  checkout: Checkout,
  directory: string,
  resources: number,
  { settings = {} }: Place,
): Promise<OwnSite> {
  const own = { DATA_DIR: directory, MASTER_KEY: masterKey, ...settings };
  const { reader, reviewer, submitted } = await seedDirectory(own, { listed: resources, submitted: waiting });
  const server = await serveCheckout(checkout, { ...own, RATE_LIMIT_PER_MINUTE: '100000000' });
  await untilReady(server);
  await untilIdle(server);
  const ask = askWith(server.origin, reader);
  const pages = pagesAt(await walk(ask, pageSize, resources / pageSize));
  const fresh = await freshPages(ask, resources);
  return { server, reader, pages, fresh, approvals: new Approvals(server, reviewer, submitted) };
}

/** The server written by hand, over what ours serves. @throws Error, when it answers other bytes */
async function startHandwritten(folder: string, { server: ours, reader, pages, fresh }: Site): Promise<Site> {
  const views = join(folder, 'ours', 'views.db');
  const server = await startServer(
    './handwritten-list.ts',
    [views, join(folder, 'handwritten.db'), reader, masterKey],
    {},
  );
  for (const path of [...pages.slice(0, 20), ...fresh.slice(0, 20)]) {
    const [theirs, own] = await Promise.all(
      [server, ours].map(({ origin }) => askWith(origin, reader)(path)),
    );
    if (theirs !== own) throw new Error(`The server written by hand answers other bytes at ${path}.`);
  }
  return { server, reader, pages, fresh: [...fresh] };
}

async function loadOf({ server, reader, pages, fresh }: Site, kind: Kind): Promise<Load> {
  const headers = { authorization: `Bearer ${reader}` };
  return load(
    server,
    pathsOf(kind, pages, fresh).map((path) => ({ method: 'GET', path, headers }) as const),
  );
}

/** What is asked for in a round. Fresh pages are taken from those that are left. */
function pathsOf(kind: Kind, pages: readonly string[], fresh: string[]): readonly string[] {
  switch (kind) {
    case 'kept': {
      const some = pages.slice(0, 200);
      return Array.from({ length: aRound.kept }, (_, n) =>
        n % 5 === 4 ? (some[Math.floor(Math.random() * some.length)] ?? firstPage) : firstPage,
      );
    }
    case 'fresh': {
      const paths = fresh.splice(-aRound.fresh);
      if (paths.length < aRound.fresh) throw new Error('There are not so many pages to ask for once.');
      return paths;
    }
    case 'mixed':
      return skewed(pages, aRound.mixed);
  }
}
