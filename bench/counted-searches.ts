import { commons } from '../src/events/teams.ts';
import { startSystem, type RunningSystem } from '../test/api/harness.ts';
import { inWords, median, spreadOf, type Row } from './measure.ts';
import { searchedFieldsOf } from './search-records.ts';
import { searchQueries } from './search-queries.ts';
import { seedResources } from './seed.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Each network asks this often in a batch. */
const perNetwork = 3;
/** So often a batch asks all queries, after the server has answered them once: as many searches as in some seconds of a busy day. */
const times = 8;

/**
 * CPU of searches on our pages that are counted, with the writing of the counts, beside the same searches in the same process
 * where nothing is counted: both servers are asked in turn, a few searches each. Every few come from a network that has not asked.
 * Of the thread that answers: it counts, and what the threads that read do for a search varies by more than that.
 */
export async function countedSearchRows(records: number): Promise<Row[]> {
  const system = await startSystem();
  await seedResources(system.system.store, commons.team, records, searchedFieldsOf);
  await system.caughtUp();
  let network = 0;
  /** Each in another part of the internet: there are limits for neighbours as well. */
  const another = () => {
    network += 1;
    return `${11 + (network % 199)}.${(network * 37) & 255}.${(network >> 4) & 255}.1`;
  };
  const round = async (): Promise<{ readonly off: number; readonly on: number }> => {
    const servers = {
      off: await system.another({ environment: { COUNT_SEARCHES: 'false' } }),
      on: await system.another({ environment: { COUNT_SEARCHES: 'true' } }),
    };
    const spent = { off: 0, on: 0 };
    const cpuOf = async (which: keyof typeof spent, work: () => Promise<unknown>) => {
      const began = process.threadCpuUsage();
      await work();
      const { user, system: kernel } = process.threadCpuUsage(began);
      spent[which] += user + kernel;
    };
    for (let time = 0; time <= times; time++) {
      // Whatever a server does once is not part of a search.
      if (time === 1) Object.assign(spent, { off: 0, on: 0 });
      for (let n = 0; n < searchQueries.length; n += perNetwork) {
        const queries = searchQueries.slice(n, n + perNetwork);
        const turns = n % 2 === time % 2 ? (['off', 'on'] as const) : (['on', 'off'] as const);
        for (const which of turns) await cpuOf(which, () => asks(servers[which], another(), queries));
      }
    }
    // Writes what was counted.
    for (const which of ['off', 'on'] as const) await cpuOf(which, () => servers[which].close());
    return spent;
  };
  try {
    await round();
    const found: Awaited<ReturnType<typeof round>>[] = [];
    for (let n = 0; n < rounds; n++) found.push(await round());
    const [off, on] = [found.map((each) => each.off), found.map((each) => each.on)];
    return [
      {
        what: `${times * searchQueries.length} searches on pages of ${inWords(records)} records, CPU of the thread that answers in µs, counted ÷ not counted`,
        baseline: median(off),
        ours: median(on),
        spread: spreadOf(on, off),
        aim: '≤ 1.02',
      },
    ];
  } finally {
    await system.stop();
  }
}

async function asks(
  server: Awaited<ReturnType<RunningSystem['another']>>,
  remoteAddress: string,
  queries: readonly string[],
): Promise<void> {
  for (const query of queries) {
    const { statusCode } = await server.inject({
      url: `/find?${new URLSearchParams({ q: query }).toString()}`,
      remoteAddress,
    });
    if (statusCode !== 200) throw new Error(`A search answered ${statusCode}.`);
  }
}
