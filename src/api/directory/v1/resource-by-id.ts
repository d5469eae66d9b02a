import { keepersOf } from '../../../actions/directory/upkeep/claims/claimed-records.ts';
import { survivorOf } from '../../../projections/directory/each-record.ts';
import {
  developerTier,
  resources,
  teamTier,
  type ResourceDocument,
} from '../../../projections/directory/resources.ts';
import type { PersonalData } from '../../../personal/personal-data.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { resourceProblem } from '../../http/responses/api-errors.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { etagOf } from '../../http/responses/etag.ts';
import { responseOf, type CachedResponse } from '../../http/responses/cached-response.ts';
import { managedTier, submittedTier } from '../managed-resource.ts';
import { openedMembers } from '../people-members.ts';

/** Reads one resource. @throws Problem merged; not_found, also for one that the caller may not see */
export type ReadResource = (svcId: string, caller: Caller) => Promise<CachedResponse>;

export function resourceById({ documents, personal }: ServerDependencies): ReadResource {
  const collection = documents.collection(resources.collection);
  return async (svcId, caller) => {
    const doc = await collection.get(svcId);
    const survivor = doc && wasSeenBy(caller, doc) ? await survivorOf(documents, doc) : undefined;
    if (survivor)
      throw resourceProblem(
        'merged',
        `This resource was a duplicate and was merged into ${survivor.svc_id}.`,
        { members: { merged_into: survivor.svc_id } },
      );
    const text = doc && (await visibleTo(caller, doc, personal));
    if (!doc || text === undefined) throw commonProblem('not_found', 'There is no such resource.');
    const answer = (await keepersOf(documents, doc)).length > 0 ? withKept(text) : text;
    return responseOf(answer, etagOf(answer));
  };
}

/** A claim that begins or ends changes no record, so lists, which are joined from records alone, do not have it. */
const withKept = (text: string): string => `${text.slice(0, -1)},"kept_by_agency":true}`;

/** Whether a caller could see a resource before it was removed. */
const wasSeenBy = ({ keyId, team, scopes }: Caller, doc: ResourceDocument): boolean =>
  doc.removed_at !== undefined ||
  doc.submitted_by === keyId ||
  (doc.team === team && scopes.has('directory:manage'));

/** What a caller sees of a resource; undefined when nothing. */
async function visibleTo(
  { keyId, kind, team, scopes }: Caller,
  doc: ResourceDocument,
  personal: PersonalData,
): Promise<string | undefined> {
  const manages = doc.team === team && scopes.has('directory:manage');
  const submitted = doc.submitted_by === keyId;
  if (!manages && !submitted && doc.listed !== 1) return undefined;
  if (!manages && tierOf({ kind }) === 'developer')
    return submitted ? submittedTier(developerTier(doc), doc) : developerTier(doc);
  const people = (await openedMembers(personal, [doc]))(doc);
  if (manages) return managedTier(doc, people);
  return submitted ? submittedTier(teamTier(doc, people), doc) : teamTier(doc, people);
}
