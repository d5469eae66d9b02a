import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { LogRange } from '../src/audit/verify/hash-range.ts';
import { verifyStore } from '../src/audit/verify/verify-store.ts';
import { verifyExport } from '../src/audit/verify/verify-export.ts';
import { exportable } from '../src/audit/exports/exportable.ts';
import { writeExport } from '../src/audit/exports/write-export.ts';
import { signCheckpoint } from '../src/audit/proof-log/format/checkpoint.ts';
import { entryOf, leafHash } from '../src/audit/proof-log/entry.ts';
import { GrowingTree, type FilledTile } from '../src/audit/proof-log/format/growing-tree.ts';
import { ensureLogKey } from '../src/audit/proof-log/format/log-key.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { startHashing } from '../src/runtime/threads/hashing-threads.ts';
import { beginning } from '../src/stores/event-store/port.ts';
import type { BundlePlace } from '../src/stores/side/proof-log-port.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, median, perSecond, type Row } from './measure.ts';
import { eventsAPerson, seedMixedLog } from './mixed-log.ts';
import { scanFile } from './rebuild.ts';

const threads = 2;
const rounds = 3;

/**
 * Events a second of `commonweal verify`, with its threads, over a log of mixed events, against reading and parsing each
 * event once in one thread; and of a whole export, written and verified, with the most memory that it took.
 */
export async function verifyRows(size: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path });
  const system = await openSystem(config);
  const people = Math.ceil(size / eventsAPerson);
  await seedMixedLog(system.store, people);
  const key = await ensureLogKey(system.vault, 'bench.example.org/audit/log');
  const events = await signAll(system, key);
  const { store, proofLog } = system;
  const { verifier } = key;
  const hashing = startHashing(config, threads);
  const rates = {
    scan: [] as number[],
    verify: [] as number[],
    export: [] as number[],
    offline: [] as number[],
  };
  let memory = 0;
  const watch = setInterval(() => (memory = Math.max(memory, process.memoryUsage.rss())), 20);
  const before = process.memoryUsage.rss();
  for (let round = 0; round < rounds; round += 1) {
    rates.scan.push(await perSecond(events, () => scanFile(join(folder.path, 'events.db'))));
    const options = {
      store,
      proofLog,
      verifier,
      hash: (range: LogRange) => hashing.hash(range),
      parallel: 2 * threads,
    };
    rates.verify.push(
      await perSecond(events, async () => {
        const { findings } = await verifyStore(options);
        if (findings.length > 0) throw new Error(findings[0]?.sentence);
      }),
    );
    const out = join(folder.path, `export-${round}`);
    mkdirSync(out);
    const from = await exportable(store, proofLog, verifier);
    const asked = {
      format: 'ndjson',
      filter: {},
      installation: 'bench',
      domain: '',
      now: new Date(0),
    } as const;
    memory = 0;
    rates.export.push(await perSecond(events, () => writeExport(out, from, asked)));
    rates.offline.push(
      await perSecond(events, async () => {
        const { findings } = await verifyExport({ folder: out, verifier });
        if (findings.length > 0) throw new Error(findings[0]?.sentence);
      }),
    );
  }
  clearInterval(watch);
  await hashing.stop();
  await system.close();
  folder.remove();
  const scan = median(rates.scan);
  const of = `${inWords(events)} events`;
  return [
    {
      what: `verify of ${of}, ${threads} threads: events/s ÷ scan and parse`,
      baseline: scan,
      ours: median(rates.verify),
      aim: '≥ 200,000',
    },
    {
      what: `whole export of ${of}: events/s ÷ scan and parse`,
      baseline: scan,
      ours: median(rates.export),
      aim: '',
    },
    {
      what: `verify of that export: events/s ÷ scan and parse`,
      baseline: scan,
      ours: median(rates.offline),
      aim: '',
    },
    {
      what: `most memory while it is exported and verified, MB ÷ before`,
      baseline: before / 1e6,
      ours: memory / 1e6,
      aim: '',
    },
  ];
}

/** A checkpoint over the whole log, as the signer makes it. */
async function signAll(
  { store, proofLog }: System,
  key: Parameters<typeof signCheckpoint>[1],
): Promise<number> {
  const tree = new GrowingTree();
  let last = beginning;
  for (let after = beginning; ;) {
    const tiles: FilledTile[] = [];
    const bundles: BundlePlace[] = [];
    const page = await store.readAll({ after, limit: 1_000 });
    if (page.position === after) break;
    for (const event of page.events) {
      if (tree.size % 256 === 0) bundles.push({ index: tree.size / 256, after: last });
      tree.add(leafHash(entryOf(event)), (tile) => tiles.push(tile));
      last = event.position;
    }
    await proofLog.putTiles(tiles);
    await proofLog.putBundles(bundles);
    after = page.position;
  }
  await proofLog.putTiles(tree.partialTiles());
  const note = signCheckpoint({ size: tree.size, root: tree.root() }, key);
  await proofLog.add({ size: tree.size, note, signedAt: new Date().toISOString() }, { extends: 0, epoch: 1 });
  return tree.size;
}
