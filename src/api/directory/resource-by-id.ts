import {
  developerTier,
  resources,
  teamTier,
  type ResourceDocument,
} from '../../projections/directory/resources.ts';
import type { Caller } from '../http/bearer/caller.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { commonProblem } from '../http/errors.ts';
import { etagOf } from '../http/caching/etag.ts';
import { responseOf, type CachedResponse } from '../http/caching/cached-response.ts';
import { managedTier, submittedTier } from './managed-resource.ts';

/** Reads one resource. @throws Problem not_found, also for one that the caller may not see */
export type ReadResource = (svcId: string, caller: Caller) => Promise<CachedResponse>;

export function resourceById({ documents }: ServerDependencies): ReadResource {
  const collection = documents.collection(resources.collection);
  return async (svcId, caller) => {
    const doc = await collection.get(svcId);
    const text = doc && visibleTo(caller, doc);
    if (text === undefined) throw commonProblem('not_found', 'There is no such resource.');
    return responseOf(text, etagOf(text));
  };
}

/** What a caller sees of a resource; undefined when nothing. */
function visibleTo({ keyId, kind, team, scopes }: Caller, doc: ResourceDocument): string | undefined {
  if (doc.team === team && scopes.has('directory:manage')) return managedTier(doc);
  const tier = kind === 'developer' ? developerTier : teamTier;
  if (doc.submitted_by === keyId) return submittedTier(tier(doc), doc);
  return doc.listed === 1 ? tier(doc) : undefined;
}
