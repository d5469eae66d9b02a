import { exportedTables, exportedTableNames, references, type ExportedTable } from './tables.ts';

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
