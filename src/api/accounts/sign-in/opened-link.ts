import { readLink, type LinkPurpose } from '../../../commands/accounts/one-time-links.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';
import { personOf } from '../../../personal/personal-data.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { hidden } from '../../pages/controls.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { html, type Html } from '../../pages/html.ts';
import { EarlyAnswer, type PageContext } from '../../pages/page-context.ts';
import { returnToOrHome, type ReturnTo } from '../../pages/return-to.ts';

/** A valid one-time link from an email, and whose it is. */
export interface OpenedLink {
  readonly link: string;
  readonly person: Person;
  /** The address of the account. */
  readonly email: string;
  readonly returnTo: ReturnTo;
  /** Passes link and way back on to the form. */
  readonly inputs: Html;
}

/** What a page is about to which a link leads. @throws EarlyAnswer, `invalidLinkView` where it is not valid */
export const openedLink =
  (purpose: Exclude<LinkPurpose, 'set-up'>) =>
  async (dependencies: PageDependencies, pageContext: PageContext): Promise<OpenedLink> => {
    const { store, vault, personal, now } = dependencies;
    const returnTo = await returnToOrHome(dependencies, pageContext);
    const link = pageContext.form.get('link') ?? pageContext.query.get('link') ?? '';
    const person = (await readLink({ store, vault }, { link, purpose, at: now() }))?.person;
    if (!person) throw new EarlyAnswer(invalidLinkView(returnTo.query));
    const email = (await personal.open<string>(personOf(person.user), person.email_sealed)) ?? '';
    return { link, person, email, returnTo, inputs: html`${returnTo.inputs}${hidden('link', link)}` };
  };
