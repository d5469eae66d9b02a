import { wholeOrganizationOf, type WholeOrganization } from '../../hsds/export/organization.ts';
import type { SealedPeople } from '../../events/directory/people.ts';
import type { Records, ViewedRecord } from '../../projections/directory/each-record.ts';
import { organizationFieldsIn, organizations } from '../../projections/directory/organizations.ts';
import { defined } from '../../ground/defined.ts';
import type { Documents } from '../../stores/documents/port.ts';

/** Records whose organizations are read at once. */
const together = 200;

/**
 * Records with all that the directory says of their organizations. `listed`: of public ones alone. `open`: what they say about
 * persons is opened for those who may see it.
 */
export async function* withOrganizations(
  documents: Pick<Documents, 'collection'>,
  { view, listed, open }: Records,
  records: AsyncIterable<ViewedRecord>,
): AsyncGenerator<ViewedRecord & { readonly organization?: WholeOrganization | undefined }> {
  const collection = documents.collection(organizations.collection);
  async function* complete(batch: readonly ViewedRecord[]) {
    const ids = new Set(batch.flatMap(({ fields }) => fields.organization?.id ?? []));
    const docs = ids.size === 0 ? undefined : await collection.getMany([...ids]);
    const shown = [...(docs?.values() ?? [])].filter((doc) => !listed || doc.listed === 1);
    const people = (await open?.(shown.map((doc) => JSON.parse(doc.people ?? '{}') as SealedPeople))) ?? [];
    const whole = new Map(
      shown.map((doc, place) => {
        const fields = {
          ...organizationFieldsIn(doc, view),
          ...defined({ contacts: people[place]?.contacts }),
        };
        const source_id = view === 'stored' ? doc.source?.id : undefined;
        return [doc.org_id, wholeOrganizationOf({ org_id: doc.org_id, fields, source_id })];
      }),
    );
    for (const record of batch) {
      const organization = whole.get(record.fields.organization?.id ?? '');
      yield organization ? { ...record, organization } : record;
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
