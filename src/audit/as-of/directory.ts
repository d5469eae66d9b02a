import { openPeople } from '../../commands/directory/sealed-people.ts';
import { resource, type ResourceState } from '../../commands/directory/resource-decider.ts';
import type { ReviewStatus } from '../../commands/directory/reviewed-state.ts';
import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { eachPerson, type SealedPeople } from '../../events/directory/people.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { fieldsIn } from '../../projections/directory/document-fields.ts';
import { resources, type ResourceDocument } from '../../projections/directory/resources.ts';
import { concernedEvents, concernedKinds, type ConcernedParts } from './concerned-events.ts';
import { foldedBy } from './read-models.ts';
import { pageOf, type ListRequest, type AsOfReader, type ListPage } from './reader.ts';

/** A record as it was. */
export interface RecordThen {
  readonly svc_id: string;
  readonly id: number;
  readonly status: ReviewStatus;
  readonly submitted_at: string;
  readonly updated_at: string;
  readonly submitted_by?: string | undefined;
  readonly review_note?: string | undefined;
  readonly fields: UnsealedFields;
  /** How much of what the record said about persons is in `fields`. Absent: it said nothing about any. */
  readonly personal_data?: 'open' | 'sealed' | 'erased' | 'partly erased';
}

export interface DirectoryThen {
  /** Records of each status. */
  readonly counts: Readonly<Record<ReviewStatus, number>>;
  readonly records: ListPage<RecordThen>;
}

/** What is kept of each record of the team while the log is read: a team may have a hundred thousand. */
type Kept = Pick<NonNullable<ResourceState>, 'svc_id' | 'id' | 'team' | 'status' | 'fields' | 'people'>;

/** A revision changes no status. A record may have thousands. */
const typesWithStatus = resources.events.filter((type) => type !== 'ResourceRevised');

const emptyFields = { name: '', category: 'other' } as const;

/**
 * The directory of a team. The streams of its records are read for the status of each, by the rules that commands decide on;
 * the records of the page are then folded from their streams as their read model folds them.
 */
export async function directoryThen(
  parts: ConcernedParts & { readonly personal: PersonalData },
  { team, status }: { readonly team: string; readonly status?: ReviewStatus | undefined },
  reader: AsOfReader,
  list: ListRequest,
): Promise<DirectoryThen> {
  const { log, personal } = parts;
  const found = await statusesOf(parts, team);
  const counts = { submitted: 0, approved: 0, rejected: 0, inactive: 0 };
  for (const record of found) counts[record.status] += 1;
  const listed = status === undefined ? found : found.filter((record) => record.status === status);
  const { entries, ...rest } = pageOf(listed, ({ id }) => String(id).padStart(16, '0'), list);
  const documents = await Promise.all(
    entries.map(async ({ svc_id }) =>
      foldedBy(resources, await log.readStream(streamName(resourceStream, svc_id))).get(svc_id),
    ),
  );
  const shown = await recordsOf(
    personal,
    documents.filter((doc) => doc !== undefined),
    reader.opens.has('directory'),
  );
  return { counts, records: { ...rest, entries: shown } };
}

async function statusesOf(parts: ConcernedParts, team: string): Promise<Kept[]> {
  const records = new Map<string, Kept>();
  for await (const events of concernedEvents(parts, concernedKinds.resources, { team }, typesWithStatus))
    for (const event of events) {
      const before = records.get(event.stream);
      if (!before && (event.type !== 'ResourceSubmitted' || (event.data as { team: string }).team !== team))
        continue;
      const state = resource.evolve(before, upcast(event) as ResourceEvent);
      if (!state) continue;
      const { svc_id, id, status } = state;
      records.set(event.stream, { svc_id, id, team, status, fields: emptyFields, people: [] });
    }
  return [...records.values()];
}

async function recordsOf(
  personal: PersonalData,
  documents: readonly ResourceDocument[],
  opens: boolean,
): Promise<RecordThen[]> {
  const sealed = documents.map(({ people = '{}' }) => JSON.parse(people) as SealedPeople);
  const opened = await openPeople(personal, sealed);
  return documents.map((doc, place) => {
    const named = eachPerson(sealed[place] ?? {}).length;
    const left = Object.values(opened[place] ?? {}).flat().length;
    const personal_data =
      named === 0
        ? undefined
        : left === 0
          ? 'erased'
          : !opens
            ? 'sealed'
            : left < named
              ? 'partly erased'
              : 'open';
    return {
      svc_id: doc.svc_id,
      id: doc.number,
      status: doc.status,
      submitted_at: doc.submitted_at,
      updated_at: doc.updated_at,
      submitted_by: doc.submitted_by,
      review_note: doc.review_note,
      // What is confidential is for those who manage the directory, as in the read API.
      fields: fieldsIn(doc, opens ? 'stored' : 'team', opens ? opened[place] : {}),
      ...(personal_data === undefined ? {} : { personal_data }),
    };
  });
}
