import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { projections } from '../src/projections/all.ts';
import { nameOf, type AnyProjection } from '../src/projections/engine/define.ts';
import { foldLog } from '../test/support/fold-log.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { alternate, inWords, perSecond, type Row } from './measure.ts';
import { seedResources } from './seed.ts';

/** Events a second through a rebuild, against reading and parsing every event and doing nothing with it. */
export async function rebuildRows(resources: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  await seedResources(system.store, 'commons', resources);
  const events = await system.store.count({ after: -1n });
  const raw = new DatabaseSync(join(folder.path, 'events.db'), { readOnly: true });
  const scan = () =>
    perSecond(events, () => {
      let seen = 0;
      for (const row of raw.prepare('SELECT * FROM events ORDER BY position').iterate()) {
        JSON.parse(row['data'] as string);
        JSON.parse(row['metadata'] as string);
        seen += 1;
      }
      if (seen !== events) throw new Error(`Scanned ${seen} of ${events} events.`);
    });
  const rows: Row[] = [];
  for (const name of ['resources', 'resource-search', 'submissions']) {
    const projection = projections.find((each) => nameOf(each) === name);
    if (!projection) throw new Error(`There is no read model ${name}.`);
    const of = await alternate(3, scan, () => perSecond(events, () => build(system, projection)));
    rows.push({
      what: `rebuild events/s, ${name}, ${inWords(resources)} resources ÷ scan and parse`,
      baseline: inWords(of.baseline),
      ours: inWords(of.ours),
      ratio: of.ours / of.baseline,
      aim: name === 'resources' ? '≥ 0.4' : '',
    });
  }
  raw.close();
  await system.close();
  folder.remove();
  return rows;
}

/** One generation from the first event to the last, indexes included. */
async function build({ store, documents }: System, projection: AnyProjection): Promise<void> {
  const { generation } = await documents.build(projection.collection, projection.version);
  const writer = await documents.writer(projection.collection, generation);
  await foldLog(projection, { store, documents, writer });
  await writer.finish();
  await documents.drop(nameOf(projection), generation);
}
