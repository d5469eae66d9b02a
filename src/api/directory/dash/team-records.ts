import { CommandRefused } from '../../../ground/refusals.ts';
import { integerOfSvcId } from '../../../events/ids.ts';
import { defined } from '../../../ground/defined.ts';
import {
  mistakes,
  reportsQuery,
  type MistakeDocument,
} from '../../../projections/directory/upkeep/mistakes.ts';
import { organizations } from '../../../projections/directory/organizations.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';

/** More are not counted. */
const mostCounted = 999;

/** A count as people read it. */
export const shownCount = (count: number): string =>
  count > mostCounted ? `more than ${mostCounted}` : String(count);

/** A record of the team. @throws CommandRefused not_found, also for one of another team */
export async function teamRecord(
  documents: Documents,
  team: string,
  svcId: string,
): Promise<ResourceDocument> {
  const doc =
    integerOfSvcId(svcId) === undefined
      ? undefined
      : await documents.collection(resources.collection).get(svcId);
  if (doc === undefined || doc.team !== team)
    throw new CommandRefused('not_found', 'There is no such record in the directory of your team.');
  return doc;
}

/** The record that the address of a page names. */
export const svcIdIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly svcId: string }).svcId;

/** What waits for the reviewers of a team, one at a time. */
export interface Queue<Item> {
  readonly item: Item | undefined;
  /** The queue was asked for what is after a place, and begins again. */
  readonly again: boolean;
}

/** The first submitted record, or the first one after a place. */
export async function nextSubmitted(
  documents: Documents,
  team: string,
  after: number | undefined,
): Promise<Queue<ResourceDocument>> {
  const collection = documents.collection(resources.collection);
  const query = { where: { team, status: 'submitted' }, orderBy: ['number'], limit: 1 } as const;
  return nextOf(after === undefined ? undefined : [after], (place) =>
    collection.page({ ...query, ...defined({ after: place }) }),
  );
}

/** The oldest open report, or the one after a place. */
export async function nextReport(
  documents: Documents,
  team: string,
  after: readonly [reportedAt: string, report: string] | undefined,
): Promise<Queue<MistakeDocument>> {
  const collection = documents.collection(mistakes.collection);
  const query = { ...reportsQuery({ team, status: 'open' }), limit: 1 };
  return nextOf(after, (place) => collection.page({ ...query, ...defined({ after: place }) }));
}

async function nextOf<Item, Place>(
  after: Place | undefined,
  page: (place: Place | undefined) => Promise<Item[]>,
): Promise<Queue<Item>> {
  const [item] = await page(after);
  if (item !== undefined || after === undefined) return { item, again: false };
  const [first] = await page(undefined);
  return { item: first, again: first !== undefined };
}

/** How much waits in each queue. */
export interface Waiting {
  readonly submitted: number;
  readonly organizations: number;
  readonly reports: number;
}

/** How much waits. */
export async function waitingIn(documents: Documents, team: string): Promise<Waiting> {
  const atMost = mostCounted + 1;
  const [submitted, waitingOrganizations, reports] = await Promise.all([
    documents.collection(resources.collection).count({ where: { team, status: 'submitted' }, atMost }),
    documents.collection(organizations.collection).count({ where: { team, status: 'submitted' }, atMost }),
    documents.collection(mistakes.collection).count({ where: { team, status: 'open' }, atMost }),
  ]);
  return { submitted, organizations: waitingOrganizations, reports };
}
