import { shortestPassword } from '../../commands/accounts/password.ts';
import { setPassword } from '../../commands/accounts/person-password.ts';
import { html } from '../pages/html.ts';
import { button, checkbox, fields, form, notice, type Field, type Problems } from '../pages/controls.ts';
import type { Dash } from '../dashboard-dependencies.ts';
import { newSession } from './sign-in/new-session.ts';
import { paths } from '../pages/paths.ts';
import { passwordIn } from './person-fields.ts';
import { postOffice } from './account-mails.ts';
import { proofField, provenProblem } from './sign-in/reauthenticate.ts';
import { go, type OwnVisit, type Page, type View } from '../pages/page-context.ts';

/** Another password, which signs out every other browser and, where it is wished, ends every site's access. */
export function password(dash: Dash): Page {
  return {
    audience: 'signed in',
    path: paths.password,
    get: (visit) => passwordView(visit),
    async post(visit) {
      const { user } = visit.who.person;
      const about = [visit.who.email, visit.who.profile.name];
      const chosen = await passwordIn(visit.form, about, 'new');
      const proof = chosen.problem === undefined ? await provenProblem(dash, visit) : undefined;
      if (chosen.problem !== undefined || proof !== undefined) {
        return { ...passwordView(visit, { password: proof, new: chosen.problem }), status: 422 };
      }
      const wish = { password: chosen.password, about, endAccess: visit.form.has('end-access') };
      const { position } = await setPassword(dash, user, wish, visit.context());
      // Every session is over with the old password, this one too: it is followed by another.
      const { amr } = visit.who.session;
      const cookies = await newSession(dash, visit, { user, amr, after: position });
      await postOffice(dash).changed(visit.who.email, 'a new password was set');
      return go(`${paths.me}?done=password`, ...cookies);
    },
  };
}

function passwordView(visit: OwnVisit, problems: Problems = {}): View {
  const has = visit.who.person.has_password;
  const asked: readonly Field[] = [
    ...proofField(visit, 'Current password'),
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
      <p class="lead">Other browsers are signed out.</p>
      <section class="card">
        ${form({
          action: paths.password,
          token: visit.formToken,
          content: html`${fields(asked, problems)}
            ${checkbox({
              name: 'end-access',
              label: 'Also end the access of every site that I let see something of me',
              ticked: visit.request.method === 'GET' || visit.form.has('end-access'),
            })}
            <div class="choices">
              ${button('Save')} <a class="button secondary" href="${paths.me}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}
