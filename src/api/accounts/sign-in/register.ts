import { openAccount } from '../../../actions/accounts/visitors.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, form, notice } from '../../pages/controls.ts';
import { checkInboxView } from '../../pages/frame/common-views.ts';
import { signInLink } from '../../pages/frame/layout.ts';
import { html } from '../../pages/html.ts';
import { redirectTo, type Page, type View } from '../../pages/page-context.ts';
import { namedSite } from '../../pages/parts/named-site.ts';
import { paths } from '../../pages/paths.ts';
import { returnToInMail, returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { accountFields } from '../person-fields.ts';
import { countEstimate } from './judge-first.ts';

type Context = VisitorPageContext<ReturnTo>;

/** Opens an account. Only the address itself learns whether it already has an account. */
export const register = visitorForm({
  path: paths.register,
  action: openAccount,
  about: returnToOf,
  get(dependencies, pageContext, first) {
    const { currentUser, about } = pageContext;
    if (currentUser && !about.site) return redirectTo(about.end);
    return registerView(dependencies, pageContext, first);
  },
  async fields(dependencies, pageContext) {
    await countEstimate(dependencies, pageContext, (refused) =>
      registerView(undefined, pageContext, { problems: {}, refused }),
    );
    return fieldsOf(pageContext);
  },
  also: ({ about }) => ({ returnTo: returnToInMail(about) }),
  view: registerView,
  done: ({ about }) => redirectTo(`${paths.registered}${about.query}`),
});

const fieldsOf = ({ form, about: { site } }: Context) =>
  accountFields(form, {
    email: site?.request.loginHint ?? '',
    advice: ' A few words that only you would combine are easy to remember.',
  });

/** The page after registering. It is the same for every address. */
export function registered(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.registered,
    async get(pageContext) {
      const { query } = await returnToOf(dependencies, pageContext);
      return checkInboxView(dependencies, query, {
        sent: 'We sent an email to your address. Open the link in it to continue. The link works for one day.',
        waits: 'To continue, you need the link in an email to your address. The link works for one day.',
        otherwise: html`<a href="${paths.register}${query}">register again</a> if you mistyped the address`,
      });
    },
  };
}

function registerView(_: unknown, pageContext: Context, { problems, refused }: Again): View {
  const { site, inputs, query } = pageContext.about;
  return {
    title: 'Create an account',
    shape: 'narrow',
    content: html`${refused ? notice(refused.message, 'wrong') : ''}
      ${site ? html`<p class="lead">to continue to ${namedSite(site.request)}</p>` : ''}
      ${form({
        action: paths.register,
        token: pageContext.formToken,
        content: html`${inputs} ${inputFields(fieldsOf(pageContext), pageContext.form, problems)}
        ${button('Create account')}`,
      })}
      <ul class="ways">
        <li>Have an account? ${signInLink(query)}</li>
      </ul>`,
  };
}
