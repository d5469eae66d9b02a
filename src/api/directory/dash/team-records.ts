import { CommandRefused } from '../../../ground/refusals.ts';
import { integerOfSvcId } from '../../../events/ids.ts';
import { defined } from '../../../ground/defined.ts';
import {
  mistakes,
  reportsQuery,
  type MistakeDocument,
} from '../../../projections/directory/upkeep/mistakes.ts';
import { claims } from '../../../projections/directory/upkeep/claims.ts';
import {
  suggestions,
  suggestionsQuery,
  type SuggestionDocument,
} from '../../../projections/directory/upkeep/suggestions.ts';
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

/** The same of suggested changes. */
export async function nextSuggestion(
  documents: Documents,
  team: string,
  after: readonly [suggestedAt: string, suggestion: string] | undefined,
): Promise<Queue<SuggestionDocument>> {
  const collection = documents.collection(suggestions.collection);
  const query = { ...suggestionsQuery({ team, status: 'open' }), limit: 1 };
  return nextOf(after, (place) => collection.page({ ...query, ...defined({ after: place }) }));
}

/** The place in a queue of what people have sent that an address names: a time and an id. */
export function placeOfQueue(text: string | null): readonly [string, string] | undefined {
  const found = /^(\d{4}-[\d:.TZ-]{1,30}) ([0-9a-f-]{36})$/.exec(text ?? '');
  return found ? [found[1] ?? '', found[2] ?? ''] : undefined;
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
  readonly suggestions: number;
  /** Proven claims of organizations. */
  readonly claims: number;
}

/** How much waits. */
export async function waitingIn(documents: Documents, team: string): Promise<Waiting> {
  const atMost = mostCounted + 1;
  const [submitted, waitingOrganizations, reports, suggested, claimed] = await Promise.all([
    documents.collection(resources.collection).count({ where: { team, status: 'submitted' }, atMost }),
    documents.collection(organizations.collection).count({ where: { team, status: 'submitted' }, atMost }),
    documents.collection(mistakes.collection).count({ where: { team, status: 'open' }, atMost }),
    documents.collection(suggestions.collection).count({ where: { team, status: 'open' }, atMost }),
    documents.collection(claims.collection).count({ where: { team, status: 'proven' }, atMost }),
  ]);
  return { submitted, organizations: waitingOrganizations, reports, suggestions: suggested, claims: claimed };
}
