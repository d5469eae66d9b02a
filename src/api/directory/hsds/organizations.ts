import { organizationOf, wholeOrganizationOf } from '../../../hsds/export/organization.ts';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { responseOf, type CachedResponse } from '../../http/responses/cached-response.ts';
import { etagOf } from '../../http/responses/etag.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { exportedOrganization, PublicOrganizations } from './public-organizations.ts';
import { readOrganizationsQuery } from './query.ts';
import { hsdsPath, pageAfter } from './services.ts';

export const organizationsPath = `${hsdsPath}/organizations`;

export interface HsdsOrganizations {
  /** Answers a request for a page. @throws Problem, BadQuery */
  list(target: string, caller: Caller): Promise<CachedResponse>;
  /** @throws Problem not_found */
  one(id: string, caller: Caller): Promise<CachedResponse>;
}

/** Public organizations of HSDS 3.1, in the tier of the key. */
export function hsdsOrganizations(dependencies: ServerDependencies): HsdsOrganizations {
  const organizations = new PublicOrganizations(dependencies.documents);
  const base = baseOf(dependencies) + organizationsPath;

  return {
    async list(target, caller) {
      const query = readOrganizationsQuery(target);
      const tier = tierOf(caller);
      const { docs, total } = await organizations.page(query);
      const pages = Math.ceil(total / query.perPage);
      const body = JSON.stringify({
        total_items: total,
        total_pages: pages,
        page_number: query.page,
        size: docs.length,
        first_page: query.page === 1,
        last_page: query.page >= pages,
        empty: docs.length === 0,
        contents: docs.map((doc) => organizationOf(exportedOrganization(doc, tier))),
      });
      const next = query.page < pages ? `<${base}?${pageAfter(target, query)}>; rel="next"` : undefined;
      return responseOf(body, etagOf(tier, body), next);
    },
    async one(id, caller) {
      const doc = await organizations.withUuid(id);
      const shown = doc
        ? wholeOrganizationOf(exportedOrganization(doc, tierOf(caller)))
        : await organizations.namedByService(id);
      if (!shown) throw commonProblem('not_found', 'There is no such organization.');
      const text = JSON.stringify(shown);
      return responseOf(text, etagOf(text));
    },
  };
}
