import { openFirstAccount } from '../../../actions/accounts/visitors.ts';
import { readLink } from '../../../commands/accounts/one-time-links.ts';
import { inputFields, visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, form, hidden } from '../../pages/controls.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { html } from '../../pages/html.ts';
import { EarlyAnswer, redirectTo, type View } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { accountFields } from '../person-fields.ts';
import { newSession } from './new-session.ts';

/** Creates the first administrator's account, with the one-time link that the first start prints. */
export const firstAdministratorPage = visitorForm({
  path: paths.setUp,
  action: openFirstAccount,
  /** The link. */
  async about({ store, vault, now }, { form, query }) {
    const link = form.get('link') ?? query.get('link') ?? '';
    if (await readLink({ store, vault }, { link, purpose: 'set-up', at: now() })) return link;
    throw new EarlyAnswer(invalidLinkView(''));
  },
  fields: (_, { form }) => accountFields(form),
  also: ({ about }) => ({ link: about }),
  view: setUpView,
  done: async (pageContext, user, dependencies) =>
    redirectTo(paths.home, ...(await newSession(dependencies, pageContext, { user, amr: ['pwd'] }))),
});

function setUpView(
  _: unknown,
  { form: typed, formToken, about }: VisitorPageContext<string>,
  { problems, refused }: Again,
): View {
  if (refused) return invalidLinkView('');
  return {
    title: 'Set up Commonweal',
    shape: 'narrow',
    content: html`<p>This creates the account of the first administrator. The link works once.</p>
      ${form({
        action: paths.setUp,
        token: formToken,
        content: html`${hidden('link', about)} ${inputFields(accountFields(typed), typed, problems)}
        ${button('Create the account')}`,
      })}`,
  };
}
