import { organizations } from '../projections/directory/organizations.ts';
import { resources } from '../projections/directory/resources.ts';
import { pages } from '../projections/engine/paginate.ts';
import type { Documents } from '../stores/documents/port.ts';
import { mostGone } from './missing-records.ts';

/** An organization whose source no longer has it. */
export interface MissingOrganization {
  readonly org_id: string;
  readonly source_id: string;
  readonly name: string;
}

interface Missing {
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
): Promise<Missing> {
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
