import { basename, resolve } from 'node:path';
import { countRows } from './count-rows.ts';
import { DatapackageError } from './errors.ts';
import type { PackageFiles } from './source/package-files.ts';
import type { HsdsItem } from './item.ts';
import { fileOf, layouts, versionOf } from './source/layout.ts';
import { openFiles } from './source/open-files.ts';
import { itemsOf } from './record.ts';
import { loadRelatedTables } from './related-tables.ts';
import { readTable } from './source/table.ts';
import type { ZipLimits } from './source/zip.ts';

/** An open HSDS CSV datapackage. */
export interface Datapackage {
  /** The HSDS version. HSDS 2 counts as 3. */
  readonly version: '1.1' | '3';
  /** A name for its source: the `name` or `id` in datapackage.json, else the name of the folder or zip file. */
  readonly name: string;
  /** Rows in services.csv, for a progress bar. */
  readonly services: number;
  /**
   * Every service as a record, in the order of services.csv, with problems and warnings in between. The problems of
   * the other tables come first. Deterministic: the same files give the same items, and the order of rows in the
   * other tables changes no record. Throws `DatapackageError` when reading fails midway.
   */
  records(): AsyncGenerator<HsdsItem>;
  close(): void;
}

/**
 * Opens a datapackage: a folder, or a .zip file that holds one at any depth. All tables except services are read at
 * once. Throws `DatapackageError` when there is no datapackage, or when a file is not UTF-8, lacks a column or cannot
 * be read.
 */
export async function openDatapackage(
  path: string,
  options: { readonly limits?: Partial<ZipLimits> } = {},
): Promise<Datapackage> {
  const files = await openFiles(path, options.limits);
  try {
    const file = fileOf(files, 'services');
    if (file === undefined) throw withoutServices(path, files);
    const { required } = layouts.services;
    // Reports a wrong header before the other tables are read.
    await readTable(files, file, required).next();
    const services = await countRows(files, file);
    const related = await loadRelatedTables(files);

    async function* records(): AsyncGenerator<HsdsItem> {
      yield* related.problems;
      const seen = new Map<string, number>();
      for await (const row of readTable(files, file ?? '', required)) {
        if (row.kind !== 'row') {
          yield row;
          continue;
        }
        const id = row.cell('id');
        const before = seen.get(id);
        if (before !== undefined) {
          yield {
            kind: 'problem',
            file: file ?? '',
            line: row.line,
            reason: `service ${id} is already on line ${before}`,
          };
          continue;
        }
        if (id !== '') seen.set(id, row.line);
        for (const item of itemsOf(file ?? '', row, related)) yield item;
      }
    }

    return {
      version: versionOf(files),
      name: await nameOf(path, files),
      services,
      records,
      close: () => files.close(),
    };
  } catch (error) {
    files.close();
    throw error;
  }
}

function withoutServices(path: string, files: PackageFiles): DatapackageError {
  const tables = files.names.some((name) =>
    /^(organizations?|locations?|phones?|datapackage)\.(csv|json)$/i.test(name),
  );
  return tables
    ? new DatapackageError('no_services', `${basename(path)} has no services.csv.`)
    : new DatapackageError(
        'not_a_datapackage',
        `${basename(path)} is not an HSDS CSV datapackage: it has no services.csv.`,
      );
}

/** datapackage.json is optional, and that of some publishers is a broken link, so nothing in it is an error. */
async function nameOf(path: string, files: PackageFiles): Promise<string> {
  const file = files.names.find((name) => name.toLowerCase() === 'datapackage.json');
  const described = file === undefined ? {} : await describedIn(files, file);
  const given = [described['name'], described['id']].find(
    (name) => typeof name === 'string' && name.trim() !== '',
  );
  return (typeof given === 'string' ? given : basename(resolve(path)).replace(/\.zip$/i, ''))
    .trim()
    .slice(0, 200);
}

async function describedIn(files: PackageFiles, file: string): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of await files.open(file)) {
      size += parts.push(part as Buffer) && (part as Buffer).length;
      if (size > 1024 * 1024) return {};
    }
    const parsed: unknown = JSON.parse(
      Buffer.concat(parts)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
