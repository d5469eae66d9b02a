import type { DatabaseSync } from 'node:sqlite';
import type { LinkColumn, TableName } from './layout.ts';
import type { StagedFile, StagedLink } from './related-rows.ts';

/** The table whose ids a column names, whatever table it is in. */
const targets: Partial<Record<LinkColumn, TableName>> = {
  service_id: 'services',
  service_at_location_id: 'servicesAtLocations',
  location_id: 'locations',
  organization_id: 'organizations',
  parent_organization_id: 'organizations',
  program_id: 'programs',
  contact_id: 'contacts',
  phone_id: 'phones',
  parent_id: 'terms',
  taxonomy_term_id: 'terms',
  unit_id: 'units',
};

/** An `organization_id` may name the parent of a service, whose organization is meant. */
const parents: readonly TableName[] = ['services', 'programs'];

const isNot =
  (column: LinkColumn) =>
  (table: TableName): string =>
    `AND NOT EXISTS (SELECT 1 FROM ${table} AS target WHERE target.id = row.${column})`;

/** Where the link columns of these files lead. A table that the source does not have is no fault of its links. */
export function linksOf(
  database: DatabaseSync,
  files: readonly StagedFile[],
  index: (table: TableName, column: LinkColumn) => void,
): StagedLink[] {
  const present = new Set(files.map(({ table }) => table));
  const named = parents.filter((table) => present.has(table));
  return files.flatMap(({ name, table, filled }, at) =>
    (Object.entries(targets) as [LinkColumn, TableName][]).flatMap(([column, target]) => {
      const rows = filled.get(column) ?? 0;
      if (rows === 0 || !present.has(target)) return [];
      index(target, 'id');
      if (column === 'organization_id') for (const parent of named) index(parent, 'id');
      const found = database
        .prepare(
          `SELECT count(*) AS dangling, min(line) AS firstLine, ${column} AS firstId FROM ${table} AS row
           WHERE file = ? AND ${column} IS NOT NULL
             ${[target, ...(column === 'organization_id' ? named : [])].map(isNot(column)).join(' ')}`,
        )
        .get(at);
      const dangling = Number(found?.['dangling'] ?? 0);
      const [firstLine, firstId] = [found?.['firstLine'], found?.['firstId']];
      return [
        {
          file: name,
          column,
          rows,
          dangling,
          firstLine: dangling === 0 ? undefined : Number(firstLine),
          firstId: dangling === 0 ? undefined : String(firstId),
        },
      ];
    }),
  );
}
