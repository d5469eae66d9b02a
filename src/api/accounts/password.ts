import { changePassword } from '../../actions/accounts/own-account.ts';
import { commonKnowledgeOf } from '../../commands/accounts/person-password.ts';
import { inputFields, personForm, type Again } from '../pages/action-form.ts';
import { checkbox } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';
import { newPasswordField } from './person-fields.ts';
import { newSession } from './sign-in/new-session.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

const chosenField = (about: readonly string[]) =>
  newPasswordField(about, { name: 'new', label: 'New password' });

/**
 * Changes the password. This signs out all other browsers and, if the person asks for it, ends the access of all
 * sites.
 */
export const password = personForm({
  path: paths.password,
  action: changePassword,
  get: passwordView,
  fields: async (dependencies, { currentUser }) => [
    chosenField(await commonKnowledgeOf(dependencies, currentUser.person)),
  ],
  also: ({ form }) => ({ endAccess: form.has('end-access') }),
  prove: reauthenticationProblem,
  view: passwordView,
  async done(pageContext, _, dependencies) {
    // The old password's sessions have all ended, this one too, so a new session is started.
    const { person, session } = pageContext.currentUser;
    const proof = { user: person.user, amr: session.amr };
    return redirectTo(`${paths.me}?done=password`, ...(await newSession(dependencies, pageContext, proof)));
  },
});

function passwordView(_: unknown, pageContext: SignedInPageContext, { problems }: Again): View {
  const { form, request } = pageContext;
  return {
    title: pageContext.currentUser.person.has_password ? 'Change the password' : 'Set a password',
    content: html`${proofNotice(pageContext, problems)}
      <p class="lead">You will be signed out in other browsers.</p>
      ${formCard(pageContext, {
        action: paths.password,
        content: html`${proofFields(pageContext, problems, 'Current password')}
        ${inputFields([chosenField([])], form, problems)}
        ${checkbox({
          name: 'end-access',
          label: 'Also end the access of every site that can see my data',
          ticked: request.method === 'GET' || form.has('end-access'),
        })}`,
        submit: 'Save',
      })}`,
  };
}
