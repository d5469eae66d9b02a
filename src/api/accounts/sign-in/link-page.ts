import { readLink, type LinkPurpose } from '../../../commands/accounts/one-time-links.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import type { Answer, Page, PageContext } from '../../pages/page-context.ts';
import { returnToOrHome, type ReturnTo } from '../../pages/return-to.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/** A valid one-time link, and whose it is. */
export interface OpenedLink {
  readonly link: string;
  readonly person: Person;
  readonly returnTo: ReturnTo;
}

interface LinkPage {
  readonly path: string;
  readonly purpose: Exclude<LinkPurpose, 'set-up'>;
  readonly get: (pageContext: PageContext, opened: OpenedLink) => Promise<Answer>;
  readonly post: (pageContext: PageContext, opened: OpenedLink) => Promise<Answer>;
}

/** A page behind a one-time link from an email. Without a valid link it shows `invalidLinkView`. */
export function linkPage(dependencies: PageDependencies, page: LinkPage): Page {
  const { path, purpose } = page;
  const { store, vault, now } = dependencies;
  const answer = async (pageContext: PageContext, from: URLSearchParams, handler: LinkPage['get']) => {
    const returnTo = await returnToOrHome(dependencies, pageContext);
    const link = from.get('link') ?? '';
    const found = await readLink({ store, vault }, { link, purpose, at: now() });
    if (!found?.person) return invalidLinkView(returnTo.query);
    return handler(pageContext, { link, person: found.person, returnTo });
  };
  return {
    audience: 'everybody',
    path,
    get: (pageContext) => answer(pageContext, pageContext.query, page.get),
    post: (pageContext) => answer(pageContext, pageContext.form, page.post),
  };
}
