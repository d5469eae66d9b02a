import { organizationList } from '../../../actions/directory/organizations.ts';
import type { ResourceFields } from '../../../events/directory/resource-fields.ts';
import { integerOfOrgId } from '../../../events/ids.ts';
import { defined } from '../../../ground/defined.ts';
import {
  organizations,
  plainName,
  type OrganizationDocument,
} from '../../../projections/directory/organizations.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';

/** An organization of the team. @throws CommandRefused not_found, also for one of another team */
export async function teamOrganization(
  documents: Documents,
  { team: { team }, request }: TeamPageContext,
): Promise<OrganizationDocument> {
  const { org_id } = request.params as { readonly org_id: string };
  const doc =
    integerOfOrgId(org_id) === undefined
      ? undefined
      : await documents.collection(organizations.collection).get(org_id);
  if (doc?.team !== team) throw organizationList.none();
  return doc;
}

/** Which organizations of a team are asked for. */
export interface OrganizationQuery {
  readonly team: string;
  readonly words?: string;
  readonly status?: ResourceDocument['status'] | undefined;
  /** The place of the last one that was looked at: its key and its id. */
  readonly after?: readonly [nameKey: string, orgId: string] | undefined;
}

export type OrganizationRow = Pick<OrganizationDocument, 'org_id' | 'name' | 'status' | 'updated_at'> & {
  /** How many of its services are public. */
  readonly services: number;
};

interface OrganizationPage {
  readonly rows: readonly OrganizationRow[];
  /** Where the next page begins. Undefined at the end. */
  readonly next?: readonly [nameKey: string, orgId: string];
}

const mostRows = 50;
/** Organizations that are looked at together, and the most for a page. */
const [readAtOnce, mostExamined] = [500, 5_000];
const read = ['org_id', 'name', 'name_key', 'status', 'updated_at'] as const;

/** A page of a team's organizations in the order of their names: those that have all the words in their names. */
export async function findOrganizations(
  documents: Documents,
  { team, words = '', status, after }: OrganizationQuery,
): Promise<OrganizationPage> {
  const collection = documents.collection(organizations.collection);
  const sought = plainName(words).split(/\s+/).filter(Boolean);
  const found: Pick<OrganizationDocument, (typeof read)[number]>[] = [];
  let place = after;
  for (let examined = 0; examined < mostExamined && found.length <= mostRows;) {
    const docs = await collection.select(
      {
        where: { team, ...defined({ status }) },
        orderBy: ['name_key', 'org_id'],
        limit: sought.length === 0 ? mostRows + 1 : readAtOnce,
        ...defined({ after: place }),
      },
      read,
    );
    found.push(...docs.filter(({ name_key }) => sought.every((word) => name_key.includes(word))));
    examined += readAtOnce;
    const last = docs.at(-1);
    place =
      last && docs.length === (sought.length === 0 ? mostRows + 1 : readAtOnce) ? placeOf(last) : undefined;
    if (!place) break;
  }
  const rows = found.slice(0, mostRows);
  const last = rows.at(-1);
  const next = found.length > mostRows && last ? placeOf(last) : place;
  return {
    rows: await Promise.all(rows.map((row) => withServices(documents, row))),
    ...(next && { next }),
  };
}

const placeOf = ({ name_key, org_id }: Pick<OrganizationDocument, 'name_key' | 'org_id'>) =>
  [name_key, org_id] as const;

async function withServices<Row extends { readonly org_id: string }>(
  documents: Documents,
  row: Row,
): Promise<Row & { readonly services: number }> {
  const where = { listed: 1, organization: row.org_id } as const;
  return { ...row, services: await documents.collection(resources.collection).count({ where }) };
}

/** So many names are proposed in a form. */
const mostProposed = 1_000;

/** What the organizations of a team are called, in the order of their names. */
export async function organizationNames(documents: Documents, team: string): Promise<string[]> {
  const query = { where: { team }, orderBy: ['name_key', 'org_id'], limit: mostProposed } as const;
  const docs = await documents.collection(organizations.collection).select(query, ['name', 'status']);
  return docs.filter(isCurrent).map(({ name }) => name);
}

const isCurrent = ({ status }: Pick<OrganizationDocument, 'status'>): boolean =>
  status === 'approved' || status === 'submitted';

/**
 * What is typed about a record, in which an organization that is called like one of the team is that one. Any other is a
 * name alone.
 */
export async function withOrganization(
  documents: Documents,
  team: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { organization } = input as { readonly organization?: ResourceFields['organization'] | null };
  if (!organization) return input;
  const key = plainName(organization.name);
  const called = await documents.collection(organizations.collection).page({
    where: { team },
    orderBy: ['name_key', 'org_id'],
    from: key,
    limit: 20,
  });
  const doc = called.find((each) => each.name_key === key && isCurrent(each));
  if (!doc) return { ...input, organization: { name: organization.name } };
  const { name, url } = doc.fields;
  return { ...input, organization: { id: doc.org_id, name, ...defined({ url }) } };
}
