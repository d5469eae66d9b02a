import { CommandRefused } from '../../ground/refusals.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { recordFilter, type RecordFilter } from './record-filter.ts';
import { countRecords, everyRecord } from './record-table.ts';

interface Fitting {
  readonly team: string;
  /** The query of a table. */
  readonly filter: string;
  readonly now: Date;
  readonly zone?: string | undefined;
}

/** How many records of a team fit a filter. @throws CommandRefused invalid */
export const countFitting = (documents: Documents, { filter, ...of }: Fitting): Promise<number> =>
  countRecords(documents, { ...of, filter: parsed(filter) });

/** The ids of the records of a team that fit a filter, as they were submitted. @throws CommandRefused invalid, also when they are more than `most` */
export async function fittingRecords(
  documents: Documents,
  { filter, ...of }: Fitting,
  most: number,
): Promise<string[]> {
  const ids: string[] = [];
  const order = { by: 'submitted', descending: false } as const;
  for await (const some of everyRecord(documents, { ...of, filter: parsed(filter), order })) {
    ids.push(...some);
    if (ids.length > most)
      throw new CommandRefused(
        'invalid',
        `Only ${most.toLocaleString('en')} can be changed at once. Narrow the filter down.`,
      );
  }
  return ids;
}

/** What stands in the address of a table beside its filter. */
const beside = ['team', 'show', 'sort', 'page', 'view'];

/** A page leaves out what it does not understand. Here that would mean more records than somebody has seen. */
function parsed(text: string): RecordFilter {
  const query = new URLSearchParams(text);
  const { filter, unknown } = recordFilter.parse(query);
  const understood = recordFilter.toQuery(filter);
  const isRead = [...query].every(
    ([name, value]) => value.trim() === '' || name in understood || beside.includes(name),
  );
  if (unknown.length > 0 || !isRead)
    throw new CommandRefused(
      'invalid',
      'This filter means nothing. Open the table again, and choose another one.',
    );
  return filter;
}
