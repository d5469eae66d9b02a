import { counted } from '../ground/counted.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { pages } from '../projections/engine/paginate.ts';
import { organizations } from '../projections/directory/organizations.ts';
import { sourcesOfMerged } from '../projections/directory/each-record.ts';
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
  const heldBy = await sourcesOfMerged(documents, team);
  // A record has the place of those that were merged into it: it is missing when this source has none of them, and others have none.
  const isHeld = (svcId: string): boolean =>
    (heldBy.get(svcId) ?? []).some((from) => from.system !== source || ids.has(from.id));
  let of = 0;
  const query = { where: { source_key: sourceKey(team, source) }, orderBy: ['number'] } as const;
  for await (const page of pages(documents.collection(resources.collection), query))
    for (const { svc_id, status, source: from, card } of page) {
      if (!from || (status !== 'approved' && status !== 'submitted')) continue;
      of += 1;
      if (ids.has(from.id) || isHeld(svc_id)) continue;
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

/** An organization whose source no longer has it. */
export interface MissingOrganization {
  readonly org_id: string;
  readonly source_id: string;
  readonly name: string;
}

interface MissingOfSource {
  readonly organizations: readonly MissingOrganization[];
  /** More than a fifth of those of the source is gone. */
  readonly isTooMany: boolean;
}

/** The organizations of a source that are public or wait for review, and that its file does not have. */
export async function missingOrganizations(
  documents: Pick<Documents, 'collection'>,
  { team, source }: { readonly team: string; readonly source: string },
  isInFile: (organization: {
    readonly source_id: string;
    readonly read_event?: string | undefined;
  }) => boolean,
): Promise<MissingOfSource> {
  const found: MissingOrganization[] = [];
  let of = 0;
  const query = { where: { team }, orderBy: ['name_key', 'org_id'] } as const;
  for await (const page of pages(documents.collection(organizations.collection), query))
    for (const { org_id, name, status, source: from, read_event } of page) {
      if (from?.system !== source || (status !== 'approved' && status !== 'submitted')) continue;
      of += 1;
      if (!isInFile({ source_id: from.id, read_event })) found.push({ org_id, source_id: from.id, name });
    }
  return { organizations: found, isTooMany: found.length > of * mostGone };
}

/** Whether a public record names the organization. */
export async function isNamed(documents: Pick<Documents, 'collection'>, orgId: string): Promise<boolean> {
  const where = { listed: 1, organization: orgId } as const;
  const collection = documents.collection(resources.collection);
  return (await collection.page({ where, orderBy: ['number'], limit: 1 })).length > 0;
}
