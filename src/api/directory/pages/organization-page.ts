import { integerOfOrgId } from '../../../events/ids.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import {
  organizationFieldsIn,
  organizations,
  type OrganizationDocument,
} from '../../../projections/directory/organizations.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { html } from '../../pages/html.ts';
import type { PublicPage, PublicView } from '../../pages/frame/public-page.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { searchBox } from './find/search-box.ts';
import { organizationView } from './organization-view.ts';
import { organizationPath } from './record-view.ts';

/** The most services that a page lists. Further ones have pages of their own. */
const mostServices = 500;

/** The page of an organization: who they are, how to reach them, and what they offer. */
export function organizationPage({ documents }: Pick<ServerDependencies, 'documents'>): PublicPage {
  const collection = documents.collection(organizations.collection);
  const services = documents.collection(resources.collection);
  return {
    path: organizationPath(':org_id'),
    async get(context) {
      const { org_id } = context.request.params as { readonly org_id: string };
      // An id with a wrong checksum is refused without reading a store.
      const doc = integerOfOrgId(org_id) === undefined ? undefined : await collection.get(org_id);
      if (doc?.listed !== 1) return missingView(doc, context.texts);
      const page = pageIn(context.query);
      const where = { listed: 1, organization: org_id } as const;
      const [offered, total, parent] = await Promise.all([
        services.page({ where, orderBy: ['number'], skip: (page - 1) * mostServices, limit: mostServices }),
        services.count({ where }),
        parentOf(doc),
      ]);
      return organizationView(
        {
          orgId: org_id,
          fields: organizationFieldsIn(doc, 'developer'),
          updatedAt: doc.updated_at,
          fromSource: doc.source !== undefined,
          parent,
          page,
          more: Math.max(0, total - page * mostServices),
          services: offered.map((each) => ({ svcId: each.svc_id, fields: fieldsIn(each, 'developer') })),
        },
        context,
      );
    },
  };

  /** Only a public one has a page to lead to. */
  async function parentOf({ fields: { parent } }: OrganizationDocument) {
    const doc = parent?.id === undefined ? undefined : await collection.get(parent.id);
    if (doc?.listed === 1) return { name: doc.name, orgId: doc.org_id };
    return parent && { name: parent.name };
  }
}

/** The page of its services that is asked for. */
function pageIn(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
}

/** Says in plain words that there is no such organization, or none any more, and lets people search. */
function missingView(doc: OrganizationDocument | undefined, texts: Texts): PublicView {
  const gone = doc?.status === 'inactive';
  const { record, organization } = texts;
  return {
    title: gone ? organization.goneTitle : record.notFoundTitle,
    status: gone ? 410 : 404,
    noStore: true,
    content: html`<p>${gone ? record.gone : record.notFound}</p>
      ${searchBox(texts)}`,
  };
}
