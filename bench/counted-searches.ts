import { commons } from '../src/events/teams.ts';
import { startSystem, type RunningSystem } from '../test/api/harness.ts';
import { alternate, inWords, type Row } from './measure.ts';
import { searchedFieldsOf } from './search-records.ts';
import { searchQueries } from './search-queries.ts';
import { seedResources } from './seed.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
/** Each network asks this often in a batch. */
const perNetwork = 3;
/** So often a batch asks all queries, after the server has answered them once: as many searches as in some seconds of a busy day. */
const times = 8;

/**
 * CPU of searches on our pages that are counted, with the writing of the counts, beside the same searches in the same process
 * where nothing is counted. Every batch asks all queries, from networks that have not asked before.
 */
export async function countedSearchRows(records: number): Promise<Row[]> {
  const system = await startSystem();
  await seedResources(system.system.store, commons.team, records, searchedFieldsOf);
  await system.caughtUp();
  let network = 0;
  const cpuOfBatch = async (countSearches: 'true' | 'false'): Promise<number> => {
    const server = await system.another({ environment: { COUNT_SEARCHES: countSearches } });
    await server.ready();
    const askAll = async () => {
      for (let n = 0; n < searchQueries.length; n += perNetwork) {
        network += 1;
        // Each in another part of the internet: there are limits for neighbours as well.
        const address = `${11 + (network % 199)}.${(network * 37) & 255}.${(network >> 4) & 255}.1`;
        await asks(server, address, searchQueries.slice(n, n + perNetwork));
      }
    };
    // Whatever a server does once is not part of a search.
    await askAll();
    const began = process.cpuUsage();
    for (let time = 0; time < times; time++) await askAll();
    // Writes what was counted.
    await server.close();
    const { user, system: kernel } = process.cpuUsage(began);
    return user + kernel;
  };
  try {
    await cpuOfBatch('true');
    await cpuOfBatch('false');
    const found = await alternate(
      rounds,
      () => cpuOfBatch('false'),
      () => cpuOfBatch('true'),
    );
    return [
      {
        what: `${times * searchQueries.length} searches on pages of ${inWords(records)} records, CPU in µs, counted ÷ not counted`,
        ...found,
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
