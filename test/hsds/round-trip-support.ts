import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import { serviceOf, type HsdsService } from '../../src/hsds/export/service.ts';
import { writePackage } from '../../src/hsds/export/write-package.ts';
import type { HsdsRecord } from '../../src/hsds/item.ts';
import { readItems, recordsIn } from './support.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

/** A record as the operator of a directory exports it, once it was imported and approved. */
const exported = ({ source_id, status, fields }: HsdsRecord): HsdsService =>
  serviceOf({
    svc_id: svcIdOf(integerId('import', 'harbour', 'source', source_id, '0')),
    fields,
    listed: status === 'active',
    inside: { status: status === 'active' ? 'approved' : 'submitted', team: 'harbour', source_id },
  });

/** What an import reads from the export of these records, as tables and as JSON. */
export async function readAgain(
  records: readonly HsdsRecord[],
): Promise<{ readonly csv: HsdsRecord[]; readonly json: HsdsRecord[] }> {
  const folder = folderOfThisTest();
  const [csv, json] = [join(folder, 'csv'), join(folder, 'services.json')];
  async function* services() {
    for (const record of records) yield await Promise.resolve(exported(record));
  }
  await mkdir(csv);
  await writePackage(csv, 'source', services());
  await writeFile(json, JSON.stringify(records.map(exported)));
  return { csv: recordsIn(await readItems(csv)), json: recordsIn(await readItems(json)) };
}

/** What an import would store, by the id in the source. The ids of contacts are the source's own. */
export const stored = (records: readonly HsdsRecord[]): ReadonlyMap<string, object> =>
  new Map(
    records.map(({ source_id, status, fields: { contacts, ...fields } }) => {
      const said = contacts?.map(({ id: _, ...contact }) => contact);
      return [source_id, { status, fields: said ? { ...fields, contacts: said } : fields }];
    }),
  );
