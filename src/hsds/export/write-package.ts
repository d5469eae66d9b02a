import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { csvLine } from '../../ground/csv.ts';
import { IdSet } from './id-set.ts';
import { filledIn, unknownOrganization } from './required-cells.ts';
import type { HsdsService } from './service.ts';
import {
  exportedTableNames,
  exportedTables,
  fixedRows,
  rowsOf,
  rowsOfOrganization,
  type ExportedTable,
  type TableRow,
  references,
} from './tables.ts';

/** Text that a table collects before it is written. */
const bufferedCharacters = 64 * 1024;

/**
 * Writes services as a CSV datapackage into an empty folder. The services are not held in memory; of each organization
 * its id is. `name`: that of the datapackage.
 */
export async function writePackage(
  folder: string,
  name: string,
  services: AsyncIterable<HsdsService>,
): Promise<void> {
  const tables = new Map<ExportedTable, Table>();
  try {
    for (const table of exportedTableNames) tables.set(table, await openTable(folder, table));
    const write = async (rows: readonly TableRow[]): Promise<void> => {
      for (const [table, row] of rows) {
        const { cells, attribute } = filledIn(table, row);
        await tables.get(table)?.add(cells);
        if (attribute) await tables.get('attributes')?.add({ ...attribute });
      }
    };
    await write(fixedRows);
    const organizations = new IdSet();
    for await (const service of services) {
      const { organization = unknownOrganization } = service;
      if (organizations.add(organization.id)) await write(rowsOfOrganization(organization));
      await write(rowsOf({ ...service, organization_id: organization.id }));
    }
    for (const table of tables.values()) await table.flush();
    const described = await open(join(folder, 'datapackage.json'), 'wx');
    await described.writeFile(`${JSON.stringify(describePackage(name), undefined, 2)}\n`);
    await described.close();
  } finally {
    for (const table of tables.values()) await table.close();
  }
}

/** The file of a table in a datapackage. */
export const fileOfTable = (table: ExportedTable): string => `${table}.csv`;

interface Table {
  add(cells: Readonly<Record<string, unknown>>): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

async function openTable(folder: string, table: ExportedTable): Promise<Table> {
  const columns = Object.keys(exportedTables[table]);
  const file: FileHandle = await open(join(folder, fileOfTable(table)), 'wx');
  let buffered = csvLine(columns);
  const flush = async (): Promise<void> => {
    const text = buffered;
    buffered = '';
    await file.appendFile(text);
  };
  return {
    async add(cells) {
      buffered += csvLine(columns.map((column) => cells[column]));
      if (buffered.length >= bufferedCharacters) await flush();
    },
    flush,
    close: () => file.close(),
  };
}

/** The datapackage.json of an export (Frictionless Tabular Data Package). It names no time: the same data gives the same file. */
export const describePackage = (name: string) => ({
  profile: 'tabular-data-package',
  name,
  title: 'Community resources',
  description: 'Services, their organizations and locations, by the Human Services Data Specification.',
  homepage: 'https://docs.openreferral.org',
  version: '3.1',
  resources: exportedTableNames.map(resourceOf),
});

function resourceOf(table: ExportedTable) {
  const columns = Object.entries(exportedTables[table]);
  const foreignKeys = columns.flatMap(([column]) => {
    const referred = references[column];
    return referred ? [{ fields: column, reference: { resource: referred, fields: 'id' } }] : [];
  });
  return {
    name: table,
    path: `${table}.csv`,
    profile: 'tabular-data-resource',
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    schema: {
      primaryKey: 'id',
      fields: columns.map(([column, kind]) => ({
        name: column,
        ...kind,
        ...(column === 'id' ? { constraints: { required: true, unique: true } } : {}),
      })),
      ...(foreignKeys.length === 0 ? {} : { foreignKeys }),
    },
  };
}
