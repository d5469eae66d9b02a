import { organizationOf, type HsdsOrganization } from '../../hsds/export/organization.ts';
import type { ViewedRecord } from '../../projections/directory/each-record.ts';
import {
  organizationFieldsIn,
  organizations,
  type OrganizationView,
} from '../../projections/directory/organizations.ts';
import type { Documents } from '../../stores/documents/port.ts';

/** Records whose organizations are read at once. */
const together = 200;

/** Records with what the directory says of their organizations. `listed`: of public ones alone. */
export async function* withOrganizations(
  documents: Pick<Documents, 'collection'>,
  { view, listed }: { readonly view: OrganizationView; readonly listed: boolean },
  records: AsyncIterable<ViewedRecord>,
): AsyncGenerator<ViewedRecord & { readonly organization?: HsdsOrganization | undefined }> {
  const collection = documents.collection(organizations.collection);
  async function* complete(batch: readonly ViewedRecord[]) {
    const ids = new Set(batch.flatMap(({ fields }) => fields.organization?.id ?? []));
    const docs = ids.size === 0 ? undefined : await collection.getMany([...ids]);
    for (const record of batch) {
      const doc = docs?.get(record.fields.organization?.id ?? '');
      if (!doc || (listed && doc.listed !== 1)) yield record;
      else {
        const fields = organizationFieldsIn(doc, view);
        yield { ...record, organization: organizationOf({ org_id: doc.org_id, fields }) };
      }
    }
  }
  let batch: ViewedRecord[] = [];
  for await (const record of records) {
    if (batch.push(record) < together) continue;
    yield* complete(batch);
    batch = [];
  }
  yield* complete(batch);
}
