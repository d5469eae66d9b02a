import { keepersOf } from '../../../actions/directory/upkeep/claims/claimed-records.ts';
import { integerOfSvcId } from '../../../events/ids.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { organizations } from '../../../projections/directory/organizations.ts';
import { survivorOf } from '../../../projections/directory/each-record.ts';
import { confirmedOf } from '../../../projections/directory/shown-fields.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import { followedFrom } from '../../../projections/directory/upkeep/followings.ts';
import type { DefaultZones } from '../../../places/hours-zone.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { CurrentZones, withHoursZone } from '../default-zones.ts';
import { html } from '../../pages/html.ts';
import {
  viaParameter,
  type PublicContext,
  type PublicPage,
  type PublicView,
} from '../../pages/frame/public-page.ts';
import { searchBox } from './find/search-box.ts';
import type { DirectoryPageDependencies } from './directory-page.ts';
import type { StaleAfter } from '../upkeep/confirmed-line.ts';
import { recordPath, recordView, type PublicRecord } from './record-view.ts';

/** What is at the address of a record: the record, or why there is none. */
export type Found = PublicRecord | MergedRecord | 'unknown' | 'gone';

/** It was a duplicate of another record, which has its place. */
export interface MergedRecord {
  readonly mergedInto: string;
}

/** Reads what everybody may see of a record. */
export function publicRecords(
  dependencies: Pick<ServerDependencies, 'documents' | 'config'>,
): (svcId: string) => Promise<Found> {
  const { documents, config } = dependencies;
  const zones = new CurrentZones(dependencies);
  const collection = documents.collection(resources.collection);
  const ofOrganizations = documents.collection(organizations.collection);
  return async (svcId) => {
    // An id with a wrong checksum is refused without reading a store.
    if (integerOfSvcId(svcId) === undefined) return 'unknown';
    const doc = await collection.get(svcId);
    const survivor = doc?.removed_at === undefined ? undefined : await survivorOf(documents, doc);
    if (survivor) return { mergedInto: survivor.svc_id };
    const found = doc === undefined ? 'unknown' : publicPart(doc, await zones.now(), config.staleAfterDays);
    if (typeof found === 'string' || doc === undefined) return found;
    const orgId = found.fields.organization?.id;
    const [from, organization, keepers] = await Promise.all([
      followedFrom(documents, doc),
      orgId === undefined ? undefined : ofOrganizations.get(orgId),
      keepersOf(documents, doc),
    ]);
    return {
      ...found,
      from,
      kept: keepers.length > 0,
      ...(organization?.listed === 1 ? { organization: organization.org_id } : {}),
    };
  };
}

/** A record that was never public is unknown; one that no longer is, is gone. */
function publicPart(
  doc: ResourceDocument,
  zones: DefaultZones,
  staleAfter: StaleAfter,
): PublicRecord | 'unknown' | 'gone' {
  if (doc.listed !== 1) return doc.removed_at === undefined ? 'unknown' : 'gone';
  return {
    svcId: doc.svc_id,
    fields: withHoursZone(fieldsIn(doc, 'developer'), doc.team, zones),
    freshness: { confirmed: confirmedOf(doc), staleAfter },
  };
}

/** The page of a record. */
export const recordPage = (
  dependencies: Pick<DirectoryPageDependencies, 'documents' | 'config' | 'searches'>,
): PublicPage => {
  const read = publicRecords(dependencies);
  return {
    path: recordPath(':svc_id'),
    async get(context) {
      const found = await read(svcIdIn(context));
      if (typeof found !== 'string')
        dependencies.searches.opened(context.request, context.query.get(viaParameter));
      if (typeof found === 'string') return missingView(found, context);
      return 'mergedInto' in found ? { movedTo: recordPath(found.mergedInto) } : recordView(found, context);
    },
  };
};

export const svcIdIn = ({ request }: PublicContext): string =>
  (request.params as { readonly svc_id: string }).svc_id;

/** Says in plain words that there is no such record, or none any more, and lets people search. */
export function missingView(why: 'unknown' | 'gone', { texts }: PublicContext): PublicView {
  const { record } = texts;
  const gone = why === 'gone';
  return {
    title: gone ? record.goneTitle : record.notFoundTitle,
    status: gone ? 410 : 404,
    noStore: true,
    content: html`<p>${gone ? record.gone : record.notFound}</p>
      ${searchBox(texts)}`,
  };
}
