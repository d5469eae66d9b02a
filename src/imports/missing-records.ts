import { counted } from '../ground/counted.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { pages } from '../projections/engine/paginate.ts';
import { resources, sourceKey } from '../projections/directory/resources.ts';
import type { Documents } from '../stores/documents/port.ts';

/** A record whose source no longer has it. */
export interface MissingRecord {
  readonly svc_id: string;
  readonly source_id: string;
  readonly name: string;
}

export interface Missing {
  readonly records: readonly MissingRecord[];
  /** Records of the source that are public or wait for review. */
  readonly of: number;
}

/** A larger part of a source than this is hardly ever gone at once: the file is cut off, or is of another source. */
export const mostGone = 1 / 5;

/** The records of a source that are public or wait for review, and are not in its file. `ids`: what the file has. */
export async function missingRecords(
  documents: Pick<Documents, 'collection'>,
  { team, source }: { readonly team: string; readonly source: string },
  ids: ReadonlySet<string>,
): Promise<Missing> {
  const records: MissingRecord[] = [];
  let of = 0;
  const query = { where: { source_key: sourceKey(team, source) }, orderBy: ['number'] } as const;
  for await (const page of pages(documents.collection(resources.collection), query))
    for (const { svc_id, status, source: from, card } of page) {
      if (!from || (status !== 'approved' && status !== 'submitted')) continue;
      of += 1;
      if (ids.has(from.id)) continue;
      const { name } = JSON.parse(`{${card}}`) as { readonly name: string };
      records.push({ svc_id, source_id: from.id, name });
    }
  return { records, of };
}

export const isTooMany = ({ records, of }: Missing): boolean => records.length > of * mostGone;

/** More than a fifth of a source is gone, and somebody has to say that this is right. */
export class TooManyMissing extends CommandRefused {
  readonly missing: number;
  readonly of: number;

  constructor({ records, of }: Missing) {
    const gone = records.length.toLocaleString('en');
    super(
      'conflict',
      `${gone} of ${counted(of, 'record')} of this source ${records.length === 1 ? 'is' : 'are'} gone from the file. That is more than a fifth, so nothing was imported.`,
    );
    this.missing = records.length;
    this.of = of;
  }
}
