import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { temporaryFolder } from '../test/support/folder.ts';
import { freePort } from '../test/support/free-port.ts';
import { serveCheckout, type Checkout } from './checkouts.ts';
import { firstPage, seedDirectory, type Directory } from './list-site.ts';
import { load, type Asked } from './load.ts';
import { median, rounds, spreadOf, type Row } from './measure.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { submissionOf } from './seed.ts';

const aRound = { listed: 5_000, submitted: 200 } as const;
const kinds = ['listed', 'submitted'] as const;
type Kind = (typeof kinds)[number];

/** Where spans go. `off`: there are none, and OpenTelemetry is not loaded. */
const collectors = ['off', 'taken', 'away'] as const;
type Collector = (typeof collectors)[number];

interface Site {
  readonly server: ServerProcess;
  readonly directory: Directory;
  readonly cpu: Readonly<Record<Kind, number[]>>;
}

/**
 * What traces cost a server: of requests for a kept page, and of submitted resources with all that follows, in CPU of the whole
 * process. Against the same server without traces, with a collector that takes them and with one that is away.
 */
export async function traceRows(measured: readonly Checkout[]): Promise<Row[]> {
  const ours = measured.at(-1) as Checkout;
  const folder = temporaryFolder();
  const collector = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const ports = { taken: (collector.address() as AddressInfo).port, away: await freePort() };
  const sites = {} as Record<Collector, Site>;
  for (const each of collectors)
    sites[each] = await startSite(ours, join(folder.path, each), each === 'off' ? undefined : ports[each]);
  for (let round = -1; round < rounds; round++)
    for (const each of collectors)
      for (const kind of kinds) {
        const spent = await costOf(sites[each], kind);
        // The first round only warms up.
        if (round >= 0) sites[each].cpu[kind].push(spent);
      }
  for (const each of collectors) await sites[each].server.stop();
  collector.close();
  folder.remove();
  const row = (kind: Kind, what: string, to: Collector): Row => {
    const [baseline, spent] = [sites.off.cpu[kind], sites[to].cpu[kind]];
    return {
      what,
      baseline: median(baseline),
      ours: median(spent),
      spread: spreadOf(spent, baseline),
      aim: to === 'taken' ? '' : '≤ with a collector',
    };
  };
  return [
    row('listed', 'v1 list, kept, with traces, beside off: CPU (µs)', 'taken'),
    row('listed', 'the same, the collector is away: CPU (µs)', 'away'),
    row('submitted', 'submitted resource with traces, beside off: CPU (µs)', 'taken'),
    row('submitted', 'the same, the collector is away: CPU (µs)', 'away'),
  ];
}

async function startSite(ours: Checkout, dataDir: string, port: number | undefined): Promise<Site> {
  const directory = await seedDirectory({ DATA_DIR: dataDir }, { listed: 1_000, submitted: 0 });
  const server = await serveCheckout(ours, {
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: '100000000',
    OTEL_SDK_DISABLED: String(port === undefined),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port ?? 4318}`,
    OTEL_BSP_SCHEDULE_DELAY: '500',
  });
  await untilReady(server);
  await untilIdle(server);
  return { server, directory, cpu: { listed: [], submitted: [] } };
}

let made = 0;
async function costOf({ server, directory: { reader } }: Site, kind: Kind): Promise<number> {
  const headers = { authorization: `Bearer ${reader}`, 'content-type': 'application/json' };
  const asked = Array.from({ length: aRound[kind] }, (): Asked => {
    if (kind === 'listed') return { method: 'GET', path: firstPage, headers };
    const body = JSON.stringify(submissionOf(++made));
    return { method: 'POST', path: '/dash/api/v1/resources', headers, body };
  });
  return (await load(server, asked, { withAftermath: kind === 'submitted' })).cost.cpu;
}
