import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { beginning } from '../src/stores/event-store/port.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { serveCheckout, type Checkout } from './checkouts.ts';
import { Approvals } from './approvals.ts';
import { seedDirectory } from './list-site.ts';
import { inWords, median, percentile, perSecond, type Row } from './measure.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { rebuilt, scanFile } from './rebuild.ts';
import type { AskedOnce, Spent } from './search-asker.ts';
import type { BaselineSpent } from './search-baselines.ts';
import { searchQueries } from './search-queries.ts';
import { searchedFieldsOf } from './search-records.ts';
import { cities, services } from './search-words.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Ten a second are approved while searches are asked. */
const waiting = 3_000;
const limit = 20;
const radiusKm = 10;

const around = (n: number) => {
  const { latitude, longitude } = cities[n % cities.length] as (typeof cities)[number];
  return { latitude, longitude, radiusKm };
};
const one = (
  request: Omit<AskedOnce['request'], 'limit'>,
  form: AskedOnce['form'] = 'developer',
): AskedOnce => ({
  request: { ...request, limit },
  form,
});

/** What is asked, each once a round. */
const kinds = {
  q: searchQueries.map((text) => one({ text })),
  near: cities.map((_, n) => one({ near: around(n) })),
  'near and open': cities.map((_, n) => one({ near: around(n), openAt: '2026-03-03T15:30:00Z' })),
  'q and near': searchQueries.map((text, n) => one({ text, near: around(n) })),
  'q with offset, legacy': searchQueries.map((text) => one({ text, skip: 100, countUpTo: 1_000 }, 'legacy')),
  'q with facets': searchQueries.map((text) => one({ text, facets: ['category', 'city', 'language'] })),
} as const;
type Kind = keyof typeof kinds;
/** Other searches of the kind, so that the process has compiled its code. */
const warmUpOf = (kind: Kind): AskedOnce[] =>
  Array.from({ length: 2 * services.length }, (_, n) => {
    const { request, form } = kinds[kind][n % kinds[kind].length] as AskedOnce;
    const { latitude, longitude } = around(n);
    const elsewhere = { near: { latitude: latitude + 0.05, longitude: longitude - 0.05, radiusKm } };
    return one(
      {
        ...request,
        ...(request.near ? elsewhere : {}),
        ...(request.text === undefined ? {} : { text: warmingUp[n % warmingUp.length] }),
      },
      form,
    );
  });
const warmingUp = services.map(
  ({ name }, n) => `${name} ${n % 2 === 0 ? '' : (cities[n % cities.length]?.city ?? '')}`,
);

interface Cost {
  readonly spent: readonly Spent[];
  readonly memory: number;
}

/**
 * The search of a directory whose words are as frequent as those of a real one. Each query is asked once by a process
 * that has asked only a few others, while the server's own process approves ten resources a second. Beside it, in the
 * same run: MiniSearch and FTS5's bm25 over the same texts, with the same queries.
 */
export async function searchRows(ours: Checkout, size: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const settings = { DATA_DIR: join(folder.path, 'data') };
  const directory = await seedDirectory(settings, {
    listed: size,
    submitted: waiting,
    fields: searchedFieldsOf,
  });
  const server = await serveCheckout(ours, { ...settings, RATE_LIMIT_PER_MINUTE: '100000000' });
  await untilReady(server);
  await untilIdle(server);
  const costs = Object.fromEntries(
    (Object.keys(kinds) as Kind[]).map((kind) => [kind, [] as Cost[]]),
  ) as Record<Kind, Cost[]>;
  const approvals = new Approvals(server, directory.reviewer, directory.submitted);
  for (let round = 0; round < rounds; round++) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const ask = () => asked(settings.DATA_DIR, warmUpOf(kind), kinds[kind]);
      costs[kind].push(await approvals.beside(ask));
    }
  }
  await untilIdle(server);
  const pages = await resultsPages(server);
  const memory = server.memory() / 1e6;
  const build = await builtAnew(settings);
  await server.stop();
  const baselines = await inProcess<BaselineSpent>('./search-baselines.ts', [String(size)], '');
  folder.remove();
  return rowsOf(size, { costs, pages, memory, build, baselines });
}

/** Asked in a process of their own, whose CPU time is that of the searches alone. */
const asked = (directory: string, warmUp: readonly AskedOnce[], some: readonly AskedOnce[]) =>
  inProcess<Cost>(
    './search-asker.ts',
    [directory, String(warmUp.length)],
    JSON.stringify([...warmUp, ...some]),
  );

async function inProcess<Answer>(script: string, args: readonly string[], input: string): Promise<Answer> {
  const file = new URL(script, import.meta.url).pathname;
  const child = spawn(process.execPath, ['--max-old-space-size=12000', file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
  if (code !== 0) throw new Error(`${script} ended with ${code}.`);
  return JSON.parse(answer) as Answer;
}

/** Milliseconds of the two threads that make a page of results, each of which is asked for once. */
async function resultsPages(server: ServerProcess): Promise<number[]> {
  const threads = () => server.mainThread() + server.thread('reader');
  const get = async (query: string) => {
    const response = await fetch(`${server.origin}/find?${new URLSearchParams({ q: query }).toString()}`);
    if (!response.ok) throw new Error(`/find answered ${response.status}.`);
    await response.text();
  };
  for (const query of warmingUp) await get(query);
  const spent: number[] = [];
  for (const query of searchQueries) {
    const before = threads();
    await get(query);
    spent.push((threads() - before) / 1_000);
  }
  return spent;
}

/** Events a second: read and parsed, and folded into the search, by the server. */
async function builtAnew(settings: { readonly DATA_DIR: string }) {
  const system = await openSystem(readConfig(settings));
  const events = await system.store.count({ after: beginning });
  const scan = await perSecond(events, () => scanFile(join(settings.DATA_DIR, 'events.db')));
  const search = await perSecond(events, () => rebuilt(system.store, ['resource-search']));
  await system.close();
  return { scan, search };
}

const p95 = (values: readonly number[]) => percentile(values, 0.95);

function rowsOf(
  size: number,
  {
    costs,
    pages,
    memory,
    build,
    baselines,
  }: {
    readonly costs: Readonly<Record<Kind, readonly Cost[]>>;
    readonly pages: readonly number[];
    readonly memory: number;
    readonly build: { readonly scan: number; readonly search: number };
    readonly baselines: BaselineSpent;
  },
): Row[] {
  const of = inWords(size);
  const middle = (kind: Kind, value: (spent: readonly Spent[]) => number) =>
    median(costs[kind].map(({ spent }) => value(spent)));
  const cpu = (kind: Kind, share: number) =>
    middle(kind, (spent) =>
      percentile(
        spent.map(({ cpu }) => cpu),
        share,
      ),
    );
  const aims: Readonly<Partial<Record<Kind, string>>> = {
    q: size > 100_000 ? '≤ 60' : '≤ 15',
    near: '≤ 5',
    'near and open': '≤ 10',
  };
  const all = Object.values(costs).flat();
  const beside = (name: string, values: readonly number[]): Row[] => [
    {
      what: `q, ${of} resources: CPU p50 (ms) ÷ ${name}`,
      baseline: percentile(values, 0.5),
      ours: cpu('q', 0.5),
      aim: '',
    },
    {
      what: `q, ${of} resources: CPU p95 (ms) ÷ ${name}`,
      baseline: p95(values),
      ours: cpu('q', 0.95),
      aim: aims.q ?? '',
    },
  ];
  return [
    ...beside('MiniSearch in memory', baselines.miniSearch),
    ...beside('SQLite FTS5 by bm25', baselines.fts5),
    {
      what: `q, ${of} resources: wall p95 (ms)`,
      ours: middle('q', (spent) => p95(spent.map(({ wall }) => wall))),
      aim: '',
    },
    ...(Object.keys(kinds) as Kind[])
      .filter((kind) => kind !== 'q')
      .flatMap((kind) => [
        { what: `${kind}, ${of} resources: CPU p50 (ms)`, ours: cpu(kind, 0.5), aim: '' },
        { what: `${kind}, ${of} resources: CPU p95 (ms)`, ours: cpu(kind, 0.95), aim: aims[kind] ?? '' },
      ]),
    {
      what: `request thread, ${of} resources: most CPU of one search of any kind (ms)`,
      ours: Math.max(...all.flatMap(({ spent }) => spent.map(({ main }) => main))),
      aim: '≤ 10',
    },
    { what: `results page, ${of} resources: CPU p50 (ms)`, ours: percentile(pages, 0.5), aim: '' },
    {
      what: `results page, ${of} resources: CPU p95 (ms)`,
      ours: p95(pages),
      aim: size > 100_000 ? '' : '≤ 20',
    },
    {
      what: `rebuild of search, ${of} resources: events/s ÷ scan and parse`,
      baseline: build.scan,
      ours: build.search,
      aim: '',
    },
    {
      what: `memory of a process that searches ${of} resources (MB) ÷ MiniSearch`,
      baseline: baselines.memory,
      ours: Math.max(...all.map((each) => each.memory)),
      aim: '',
    },
    { what: `memory of the server (MB)`, ours: memory, aim: '≤ 300' },
  ];
}
