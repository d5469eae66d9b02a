import { Accounting } from '../accounting.ts';
import { ownAttributes } from '../own-attributes.ts';
import type { StagedRows } from './staged-rows.ts';

/** A service of a source by its id there, and what it is called. Enough to tell whether two files are of one source. */
export interface NamedService {
  readonly id: string;
  readonly name: string;
}

/**
 * The services of a source by id and name, without making records of them, also those whose name is empty. `most`: so many,
 * from all over the files.
 */
export function namedServices(staged: StagedRows, services: number, most = services): NamedService[] {
  const found: NamedService[] = [];
  const apart = Math.max(1, services / Math.max(1, most));
  const source = { related: staged, accounting: new Accounting(), warn: () => undefined };
  let place = 0;
  for (const row of staged.each('services')) {
    // The first of each part of the same length, so that it does not matter how the rows are ordered.
    if (place++ < Math.floor(found.length * apart)) continue;
    const id = row.cell('id');
    const name = row.cell('name');
    found.push({ id: id === '' ? id : (ownAttributes(source, id).values.source_id ?? id), name });
  }
  return found.filter(({ id }) => id !== '');
}
