import { shortestPassword } from '../../commands/accounts/password.ts';
import { commonKnowledgeOf, setPassword } from '../../commands/accounts/person-password.ts';
import { html } from '../pages/html.ts';
import { button, checkbox, fields, form, notice, type Field, type Problems } from '../pages/controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { newSession } from './sign-in/new-session.ts';
import { paths } from '../pages/paths.ts';
import { passwordIn } from './person-fields.ts';
import { accountMails } from '../../actions/accounts/account-mails.ts';
import { reauthenticationField, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../pages/page-context.ts';

/**
 * Changes the password. This signs out all other browsers and, if the person asks for it, ends the access of all
 * sites.
 */
export function password(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.password,
    get: (pageContext) => passwordView(pageContext),
    async post(pageContext) {
      const { person } = pageContext.currentUser;
      const { user } = person;
      const about = await commonKnowledgeOf(dependencies, person);
      const chosen = await passwordIn(pageContext.form, about, 'new');
      const proof =
        chosen.problem === undefined ? await reauthenticationProblem(dependencies, pageContext) : undefined;
      if (chosen.problem !== undefined || proof !== undefined) {
        return { ...passwordView(pageContext, { password: proof, new: chosen.problem }), status: 422 };
      }
      const change = { password: chosen.password, about, endAccess: pageContext.form.has('end-access') };
      const changed = await setPassword(dependencies, user, change, pageContext.context());
      // The old password's sessions have all ended, this one too, so a new session is started.
      const { amr } = pageContext.currentUser.session;
      const cookies = await newSession(dependencies, pageContext, { user, amr, after: changed });
      await accountMails(dependencies).changedAccount(
        pageContext.currentUser.email,
        'a new password was set',
      );
      return redirectTo(`${paths.me}?done=password`, ...cookies);
    },
  };
}

function passwordView(pageContext: SignedInPageContext, problems: Problems = {}): View {
  const has = pageContext.currentUser.person.has_password;
  const asked: readonly Field[] = [
    ...reauthenticationField(pageContext, 'Current password'),
    {
      name: 'new',
      label: 'New password',
      type: 'password',
      hint: `At least ${shortestPassword} characters.`,
      autocomplete: 'new-password',
    },
  ];
  return {
    title: has ? 'Change the password' : 'Set a password',
    content: html`${!has && problems['password'] !== undefined ? notice(problems['password'], 'wrong') : ''}
      <p class="lead">You will be signed out in other browsers.</p>
      <section class="card">
        ${form({
          action: paths.password,
          token: pageContext.formToken,
          content: html`${fields(asked, problems)}
            ${checkbox({
              name: 'end-access',
              label: 'Also end the access of every site that can see my data',
              ticked: pageContext.request.method === 'GET' || pageContext.form.has('end-access'),
            })}
            <div class="choices">
              ${button('Save')} <a class="button secondary" href="${paths.me}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}
