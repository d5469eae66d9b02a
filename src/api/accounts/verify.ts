import { readLink } from '../../commands/accounts/one-time-links.ts';
import { commandPerson } from '../../commands/accounts/person.ts';
import type { Person } from '../../commands/accounts/user.ts';
import { personOf } from '../../personal/personal-data.ts';
import { html } from '../pages/html.ts';
import { button, fields, form, hidden, type Problems } from '../pages/controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { returnToOrHome, type ReturnTo } from '../pages/return-to.ts';
import { newSession } from './sign-in/new-session.ts';
import { paths } from '../pages/paths.ts';
import { passwordProblem } from './sign-in/reauthenticate.ts';
import { invalidLinkView } from '../pages/common-views.ts';
import { redirectTo, type Page, type View, type PageContext } from '../pages/page-context.ts';

/**
 * Confirming an address with the link out of the mail and the password together. The link alone is not enough:
 * somebody could register another's address and wait for its owner to confirm it (account pre-hijacking). Nor
 * does a mail program that follows links confirm anything.
 */
export function verify(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.verify,
    async get(pageContext) {
      const returnTo = await returnToOrHome(dependencies, pageContext);
      const link = pageContext.query.get('link') ?? '';
      const found = await personBy(dependencies, link);
      return found
        ? verifyView(dependencies, pageContext, returnTo, link, found)
        : invalidLinkView(returnTo.query);
    },
    async post(pageContext) {
      const returnTo = await returnToOrHome(dependencies, pageContext);
      const link = pageContext.form.get('link') ?? '';
      const found = await personBy(dependencies, link);
      if (!found) return invalidLinkView(returnTo.query);
      const wrong = await passwordProblem(
        dependencies,
        pageContext,
        found,
        pageContext.form.get('password') ?? '',
      );
      if (wrong) {
        const view = await verifyView(dependencies, pageContext, returnTo, link, found, {
          password: wrong.problem,
        });
        return { ...view, status: wrong.status };
      }
      const { user, email } = found;
      const changed = await commandPerson(
        dependencies,
        user,
        { kind: 'verify-email', email },
        pageContext.context(user),
      );
      return redirectTo(
        returnTo.end,
        ...(await newSession(dependencies, pageContext, { user, amr: ['pwd'], after: changed })),
      );
    },
  };
}

async function personBy({ store, vault, now }: PageDependencies, link: string): Promise<Person | undefined> {
  return (await readLink({ store, vault }, { link, purpose: 'verify-email', at: now() }))?.person;
}

async function verifyView(
  { personal }: PageDependencies,
  { formToken }: PageContext,
  { inputs, query }: ReturnTo,
  link: string,
  { user, email_sealed }: Person,
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
