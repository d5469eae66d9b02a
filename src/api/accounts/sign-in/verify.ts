import { commandPerson } from '../../../commands/accounts/person.ts';
import { personOf } from '../../../personal/personal-data.ts';
import { html } from '../../pages/html.ts';
import { button, fields, form, hidden, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { linkPage, type OpenedLink } from './link-page.ts';
import { newSession } from './new-session.ts';
import { paths } from '../../pages/paths.ts';
import { passwordProblem } from './reauthenticate.ts';
import { redirectTo, type Page, type View, type PageContext } from '../../pages/page-context.ts';

/**
 * Confirms an address with the link from the email and the password. The link alone is not enough: somebody could
 * register another person's address and wait for its owner to confirm it (account pre-hijacking). A mail program that
 * follows links must not confirm anything either.
 */
export const verify = (dependencies: PageDependencies): Page =>
  linkPage(dependencies, {
    path: paths.verify,
    purpose: 'verify-email',
    get: (pageContext, opened) => verifyView(dependencies, pageContext, opened),
    async post(pageContext, opened) {
      const { person, returnTo } = opened;
      const given = pageContext.form.get('password') ?? '';
      const wrong = await passwordProblem(dependencies, pageContext, person, given);
      if (wrong) {
        const view = await verifyView(dependencies, pageContext, opened, { password: wrong.problem });
        return { ...view, status: wrong.status };
      }
      const { user, email } = person;
      const confirm = { kind: 'verify-email', email } as const;
      const changed = await commandPerson(dependencies, user, confirm, pageContext.context(user));
      const session = { user, amr: ['pwd'], after: changed };
      return redirectTo(returnTo.end, ...(await newSession(dependencies, pageContext, session)));
    },
  });

async function verifyView(
  { personal }: PageDependencies,
  { formToken }: PageContext,
  { link, person: { user, email_sealed }, returnTo: { inputs, query } }: OpenedLink,
  problems: Problems = {},
): Promise<View> {
  const email = (await personal.open<string>(personOf(user), email_sealed)) ?? '';
  return {
    title: 'Confirm your address',
    shape: 'narrow',
    content: html`<p>Enter the password that you chose when you registered.</p>
      ${form({
        action: paths.verify,
        token: formToken,
        content: html`${inputs}${hidden('link', link)}
        ${fields(
          [
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              value: email,
              autocomplete: 'username',
              readonly: true,
            },
            {
              name: 'password',
              label: 'Password',
              type: 'password',
              autocomplete: 'current-password',
              autofocus: true,
            },
          ],
          problems,
        )}
        ${button('Confirm and sign in')}`,
      })}
      <ul class="ways">
        <li><a href="${paths.reset}${query}">Choose another password</a></li>
        <li class="quiet">You did not register? Close this page, and nothing will happen.</li>
      </ul>`,
  };
}
