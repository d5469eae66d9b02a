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
import { managedTier } from './managed-resource.ts';

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

/** The tier in which the caller sees a resource. Undefined when the caller may not see it. */
function visibleTo({ kind, team, scopes }: Caller, doc: ResourceDocument): string | undefined {
  if (doc.team === team && scopes.has('directory:manage')) return managedTier(doc);
  if (doc.listed === 0) return undefined;
  return kind === 'developer' ? developerTier(doc) : teamTier(doc);
}
