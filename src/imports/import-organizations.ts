import { importOrganization, removeMissingOrganization } from '../commands/directory/organization.ts';
import type { ResourceParts } from '../commands/directory/resource.ts';
import type { CommandContext } from '../events/metadata.ts';
import { uuidOfNamed } from '../events/directory/organization-fields.ts';
import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import { orgIdOfOrganization } from '../hsds/export/ids.ts';
import { exportedFields } from '../hsds/export/organization.ts';
import type { HsdsOrganization, HsdsRecord } from '../hsds/item.ts';
import { organizations as stored } from '../projections/directory/organizations.ts';
import type { Documents } from '../stores/documents/port.ts';
import { organizationStreamOf, type SourceDigests } from './source-digests.ts';
import { isNamed, missingOrganizations } from './missing-records.ts';
import { organizationKey, type ImportTally } from './report.ts';
import { takenOf, takeNone, type Take } from './take.ts';

interface OfImport {
  readonly team: string;
  readonly source: string;
  readonly approve: boolean;
  readonly dryRun: boolean;
  readonly take?: Take | undefined;
}

type OrganizationParts = ResourceParts & { readonly documents: Documents };

/** The organizations of one import. They come before the services, which are told their ids. */
export class ImportedOrganizations {
  readonly #parts: OrganizationParts;
  readonly #digests: SourceDigests | undefined;
  readonly #context: () => CommandContext;
  readonly #of: OfImport;
  /** By their ids in the source. */
  readonly #ids = new Map<string, Promise<string>>();
  /** The events that say what the source says again. */
  readonly #again = new Set<string>();

  constructor(
    parts: OrganizationParts,
    context: () => CommandContext,
    of: OfImport,
    digests: SourceDigests | undefined,
  ) {
    this.#digests = digests;
    this.#parts = parts;
    this.#context = context;
    this.#of = of;
  }

  /** Imports one, and counts what came of it. */
  async import(item: HsdsOrganization, tally: ImportTally): Promise<void> {
    if (isNamedAlone(item)) return;
    const importing = this.#import(item, tally);
    this.#ids.set(item.source_id, importing);
    await importing;
  }

  async #import(item: HsdsOrganization, tally: ImportTally): Promise<string> {
    const { source_id, fields, digest, file, line } = item;
    const { team, source: system, approve, take = takeNone } = this.#of;
    const exported = orgIdOfOrganization(source_id);
    const context = this.#context();
    const { org_id, events, types, position, conflicts } = await importOrganization(
      this.#parts,
      {
        team,
        source: { system, id: source_id },
        fields,
        approve,
        take: takenOf(take, organizationKey(source_id), []),
        exportedAs: exported === undefined ? undefined : { org_id: exported, covered: coveredBy(fields) },
      },
      context,
    );
    if (!this.#of.dryRun) {
      tally.addChange({ types, position });
      if (digest !== undefined)
        await this.#digests?.remember(
          digest,
          { stream: organizationStreamOf(org_id), events, ...context },
          async () => (await this.#parts.documents.collection(stored.collection).get(org_id))?.read_event,
        );
    }
    tally.addOrganization(
      events.map(({ type }) => type),
      {
        file,
        line,
        svc_id: org_id,
        source_id: organizationKey(source_id),
        name: fields.name,
        fields: conflicts,
      },
    );
    return org_id;
  }

  /** One that the source says as before, and of which nothing was made: it is in the file. */
  again(digest: string): void {
    const event = this.#digests?.eventOf(digest);
    if (event !== undefined) this.#again.add(event);
  }

  /** Takes out what the file no longer has and no public record names, where that is wanted, and counts it. */
  async end(
    tally: ImportTally,
    removing: 'few' | 'any' | undefined,
    untilShown: () => Promise<void>,
  ): Promise<void> {
    const { documents } = this.#parts;
    const missing = await missingOrganizations(
      documents,
      this.#of,
      ({ source_id, read_event = '' }) => this.#ids.has(source_id) || this.#again.has(read_event),
    );
    let removed = 0;
    const removes = removing === 'any' || (removing === 'few' && !missing.isTooMany);
    if (removes && !this.#of.dryRun && missing.organizations.length > 0) {
      await untilShown();
      for (const { org_id } of missing.organizations) {
        if (await isNamed(documents, org_id)) continue;
        const { events, types, position } = await removeMissingOrganization(
          this.#parts,
          org_id,
          this.#context(),
        );
        tally.addChange({ types, position });
        if (events.length > 0) removed += 1;
      }
    }
    tally.addMissingOrganizations(missing.organizations, removed);
  }

  /** The fields of a record, with the id of its organization where that was imported. */
  async named({ fields, organization_source_id: id }: HsdsRecord): Promise<UnsealedFields> {
    const org_id =
      id === undefined ? undefined : ((await this.#ids.get(id)) ?? this.#digests?.organizations.get(id));
    if (org_id === undefined || !fields.organization) return fields;
    return { ...fields, organization: { id: org_id, ...fields.organization } };
  }
}

/**
 * The fields of which an export of ours says everything. A public one leaves out what team keys alone see, and where confidential
 * places are.
 */
const coveredBy = (fields: HsdsOrganization['fields']): readonly string[] => [
  ...exportedFields.filter((name) => name !== 'email' || fields.email !== undefined),
  ...(fields.locations?.some(({ confidential }) => confidential) ? [] : ['locations']),
  ...(fields.contacts ? ['contacts'] : []),
];

/** An export of ours has an id also for what services name and has no record. It is no record after an import either. */
const isNamedAlone = ({ source_id, fields: { name, url } }: HsdsOrganization): boolean =>
  source_id.toLowerCase() === uuidOfNamed(url === undefined ? { name } : { name, url });
