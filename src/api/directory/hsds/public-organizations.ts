import { fieldsOfShown } from '../../../projections/directory/document-fields.ts';
import {
  organizationFieldsIn,
  organizations,
  type OrganizationDocument,
} from '../../../projections/directory/organizations.ts';
import { developerTier, resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import { orgIdOfOrganization } from '../../../hsds/export/ids.ts';
import {
  namedOrganization,
  organizationOf,
  type ExportedOrganization,
  type HsdsOrganization,
} from '../../../hsds/export/organization.ts';
import type { Collection, Documents } from '../../../stores/documents/port.ts';
import type { Tier } from '../resource-queries.ts';
import type { ServicesQuery } from './query.ts';

/** The organizations of services by their `org_id`, as far as they are public. */
export type Organizations = ReadonlyMap<string, HsdsOrganization>;

export interface OrganizationsPage {
  readonly docs: readonly OrganizationDocument[];
  readonly total: number;
}

/** Public organizations by the ids that HSDS has for them. */
export class PublicOrganizations {
  readonly #organizations: Collection<OrganizationDocument>;
  readonly #resources: Collection<ResourceDocument>;

  constructor(documents: Documents) {
    this.#organizations = documents.collection(organizations.collection);
    this.#resources = documents.collection(resources.collection);
  }

  stamp(): Promise<string | undefined> {
    return this.#organizations.stamp();
  }

  /** In the order of their names. */
  async page({ page, perPage }: Pick<ServicesQuery, 'page' | 'perPage'>): Promise<OrganizationsPage> {
    const where = { listed: 1 } as const;
    const orderBy = ['name_key', 'org_id'] as const;
    const total = await this.#organizations.count({ where });
    const skip = (page - 1) * perPage;
    if (skip >= total) return { docs: [], total };
    return { docs: await this.#organizations.page({ where, orderBy, limit: perPage, skip }), total };
  }

  /** By its UUID, also by the one that it had before it had a record. */
  async withUuid(uuid: string): Promise<OrganizationDocument | undefined> {
    const id = orgIdOfOrganization(uuid);
    if (id !== undefined) {
      const doc = await this.#organizations.get(id);
      return doc?.listed === 1 ? doc : undefined;
    }
    const [doc] = await this.#organizations.page({
      where: { named_uuid: uuid.toLowerCase(), listed: 1 },
      orderBy: ['org_id'],
      limit: 1,
    });
    return doc;
  }

  /** What a public service says of an organization that has no public record. */
  async namedByService(uuid: string): Promise<HsdsOrganization | undefined> {
    const [doc] = await this.#resources.page({
      where: { listed: 1, organization: orgIdOfOrganization(uuid) ?? uuid.toLowerCase() },
      orderBy: ['number'],
      limit: 1,
    });
    if (!doc) return undefined;
    const { organization } = fieldsOfShown(JSON.parse(developerTier(doc)) as Record<string, unknown>);
    return organization && namedOrganization(organization);
  }

  /** The query with the key of the organization that it asks for. */
  async narrowed(query: ServicesQuery): Promise<ServicesQuery> {
    const { organizationId, filter } = query;
    if (organizationId === undefined || filter === undefined) return query;
    const doc = await this.withUuid(organizationId);
    const organization = doc?.org_id ?? orgIdOfOrganization(organizationId) ?? organizationId.toLowerCase();
    return { ...query, filter: { ...filter, organization } };
  }

  /** The organizations of these records. */
  async ofRecords(records: readonly string[], tier: Tier): Promise<Organizations> {
    const ids = records.flatMap((record) => {
      const { organization } = JSON.parse(record) as { organization?: { id?: string } };
      return organization?.id ?? [];
    });
    if (ids.length === 0) return new Map();
    const docs = await this.#organizations.getMany([...new Set(ids)]);
    return new Map(
      [...docs].flatMap(([id, doc]) =>
        doc.listed === 1 ? [[id, organizationOf(exportedOrganization(doc, tier))] as const] : [],
      ),
    );
  }
}

export const exportedOrganization = (doc: OrganizationDocument, tier: Tier): ExportedOrganization => ({
  org_id: doc.org_id,
  fields: organizationFieldsIn(doc, tier),
});
