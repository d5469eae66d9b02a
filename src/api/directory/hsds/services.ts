import type { Confirmed } from '../../../events/directory/upkeep/confirmation.ts';
import { survivorOf } from '../../../projections/directory/each-record.ts';
import { resources, developerTier, teamTier } from '../../../projections/directory/resources.ts';
import { fieldsOfShown } from '../../../projections/directory/document-fields.ts';
import { entityId, svcIdOfService } from '../../../hsds/export/ids.ts';
import { briefly, serviceOf, type HsdsService } from '../../../hsds/export/service.ts';
import { defined } from '../../../ground/defined.ts';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { ReadOncePerTurn } from '../../http/responses/read-once-per-turn.ts';
import { ResponseCache, responseOf, type CachedResponse } from '../../http/responses/cached-response.ts';
import { etagOf } from '../../http/responses/etag.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { openedMembers } from '../people-members.ts';
import { PublicOrganizations, type Organizations } from './public-organizations.ts';
import { ServicePages, type ServicesPage } from './pages.ts';
import { readServicesQuery, type Form, type ServicesQuery } from './query.ts';

export const hsdsPath = '/hsds';
export const servicesPath = `${hsdsPath}/services`;

/** Memory for answers. */
const pagesBytes = 8 * 1024 * 1024;

export interface HsdsServices {
  /** Answers a request for a page. @throws Problem, BadQuery */
  list(target: string, caller: Caller, connection: object): Promise<CachedResponse>;
  /** @throws Problem not_found */
  one(id: string, caller: Caller): Promise<CachedResponse | { readonly movedTo: string }>;
}

/** Public resources as services of HSDS 3.1, in the tier of the key. */
export function hsdsServices(dependencies: ServerDependencies): HsdsServices {
  const { documents, personal } = dependencies;
  const collection = documents.collection(resources.collection);
  const pages = new ServicePages(dependencies);
  const organizations = new PublicOrganizations(documents);
  // Answers hold while neither changes.
  const stamps = new ReadOncePerTurn(async () => {
    const [ofServices, ofOrganizations] = await Promise.all([pages.stamp(), organizations.stamp()]);
    return ofServices === undefined || ofOrganizations === undefined
      ? undefined
      : `${ofServices} ${ofOrganizations}`;
  });
  const answers = new ResponseCache(pagesBytes);
  const base = baseOf(dependencies) + servicesPath;

  return {
    async list(target, caller, connection) {
      const requested = readServicesQuery(target);
      const stamp = await stamps.for(connection);
      const query = await organizations.narrowed(requested);
      const tier = tierOf(caller);
      const key = JSON.stringify([tier, query]);
      const before = answers.get(key, stamp);
      if (before) return before;
      const page = await pages.read(query, tier, stamp);
      const body = bodyOf(query, page, await organizations.ofRecords(page.records, tier));
      const next = page.hasMore ? `<${base}?${pageAfter(target, query)}>; rel="next"` : undefined;
      const answer = responseOf(body, etagOf(tier, body), next);
      answers.put(key, stamp, answer);
      return answer;
    },
    async one(id, caller) {
      const svcId = svcIdOfService(id);
      const doc = svcId === undefined ? undefined : await collection.get(svcId);
      const survivor = doc?.removed_at === undefined ? undefined : await survivorOf(documents, doc);
      if (survivor) return { movedTo: `${servicesPath}/${entityId(survivor.svc_id, 'service')}` };
      if (doc?.listed !== 1) throw commonProblem('not_found', 'There is no such service.');
      const shown =
        tierOf(caller) === 'developer'
          ? developerTier(doc)
          : teamTier(doc, (await openedMembers(personal, [doc]))(doc));
      const own = await organizations.ofRecords([shown], tierOf(caller));
      const text = JSON.stringify(serviceOfShown(JSON.parse(shown) as ShownRecord, own));
      return responseOf(text, etagOf(text));
    },
  };
}

interface ShownRecord {
  readonly svc_id: string;
  readonly updated_at: string;
  readonly organization?: { readonly id?: string };
  readonly confirmed?: Confirmed;
}

/** The service in a record as the read API shows it. */
function serviceOfShown(shown: ShownRecord, organizations: Organizations): HsdsService {
  const organization = organizations.get(shown.organization?.id ?? '');
  return serviceOf({
    svc_id: shown.svc_id,
    listed: true,
    fields: fieldsOfShown({ ...shown }),
    ...defined({ organization, confirmed: shown.confirmed }),
  });
}

/** `minimal` tells who keeps a copy what to fetch again: its time is that of the last change here. */
const forms: Readonly<Record<Form, (shown: ShownRecord, organizations: Organizations) => object>> = {
  full: serviceOfShown,
  brief: (shown, organizations) => briefly(serviceOfShown(shown, organizations)),
  minimal: ({ svc_id, updated_at }) => ({ id: entityId(svc_id, 'service'), last_modified: updated_at }),
};

function bodyOf(
  { page, perPage, form }: ServicesQuery,
  { records, total, hasMore }: ServicesPage,
  organizations: Organizations,
): string {
  return JSON.stringify({
    ...(total === undefined ? {} : { total_items: total, total_pages: Math.ceil(total / perPage) }),
    page_number: page,
    size: records.length,
    first_page: page === 1,
    last_page: !hasMore,
    empty: records.length === 0,
    contents: records.map((record) => forms[form](JSON.parse(record) as ShownRecord, organizations)),
  });
}

export function pageAfter(target: string, { page }: { readonly page: number }): string {
  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
  query.set('page', String(page + 1));
  return query.toString();
}
