import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ensureLogKey } from '../src/audit/proof-log/format/log-key.ts';
import { Signer } from '../src/audit/proof-log/signer.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import type { ThreadData } from '../src/runtime/threads/thread.ts';
import { beginning } from '../src/stores/event-store/port.ts';
import { EmbeddedProofLog } from '../src/stores/side/embedded-proof-log.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { until } from '../test/support/until.ts';
import { alternate, perSecond, type Row } from './measure.ts';

const data = { text: 'x'.repeat(300) };
const metadata = {
  commonweal_schema: 1,
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'system', id: 'bench' },
};

/** What the proof log costs those who append, and how fast it grows over a log that is there. */
export async function proofLogRows(events: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path });
  const system = await openSystem(config);
  await system.installation.ensureId();
  const rows: Row[] = [];
  for (const [underWay, count] of [
    [1, 4_000],
    [10, 20_000],
    [50, 50_000],
  ] as const) {
    const append = () => appending(system, underWay, count);
    const withSigner = async () => {
      const writer = system.shareWriter();
      const thread = new Worker(new URL('./signer-thread.ts', import.meta.url), {
        workerData: { config, writer } satisfies ThreadData,
        transferList: writer ? [writer] : [],
      });
      thread.on('message', ({ message }: { message: string }) => {
        throw new Error(message);
      });
      await covered(system);
      const rate = await append();
      thread.postMessage('stop');
      await once(thread, 'exit');
      return rate;
    };
    rows.push({
      what: `durable appends/s, ${underWay} under way, with the proof log ÷ without`,
      ...(await alternate(7, append, withSigner)),
      aim: '≥ 0.95',
    });
  }
  const have = await system.store.count({ after: beginning });
  if (have < events) await appending(system, 50, events - have);
  const all = await system.store.count({ after: beginning });
  rows.push({
    what: `proof log over ${all} events that are there, events/s ÷ scan and parse`,
    ...(await alternate(
      3,
      () => perSecond(all, () => scan(system)),
      () => grown(system, all),
    )),
    aim: '',
  });
  await system.close();
  folder.remove();
  return rows;
}

/** Appends so many events to streams of their own, a number of them at the same time. Answers how many a second. */
function appending({ store }: System, underWay: number, count: number): Promise<number> {
  let left = count;
  const worker = async (): Promise<void> => {
    const stream = `team-${randomUUID()}`;
    for (let revision = -1; left-- > 0; revision += 1) {
      const event = { id: randomUUID(), type: 'Measured', data, metadata };
      await store.append(stream, [event], revision === -1 ? 'no_stream' : revision);
    }
  };
  return perSecond(count, () => Promise.all(Array.from({ length: underWay }, worker)));
}

/** Until the newest checkpoint covers the whole log. */
async function covered({ store, proofLog }: System): Promise<void> {
  const events = await store.count({ after: beginning });
  await until(async () => ((await proofLog.newest())?.size ?? 0) >= events);
}

async function scan({ store }: System): Promise<void> {
  for (let after = beginning; ;) {
    const page = await store.readAll({ after, limit: 500 });
    if (page.position === after) return;
    after = page.position;
  }
}

/** The whole log into a new tree. */
async function grown({ store, vault }: System, events: number): Promise<number> {
  const folder = temporaryFolder();
  const proofLog = new EmbeddedProofLog(folder.path);
  const key = await ensureLogKey(vault, 'bench.example/audit/log');
  const rate = await perSecond(events, async () => {
    const signer = await Signer.open({ store, proofLog, key, epoch: 0 });
    await signer.grow(() => new Date());
    await signer.sign(new Date());
  });
  await proofLog.close();
  folder.remove();
  return rate;
}
