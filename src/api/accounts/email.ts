import { findByEmail, requirePerson } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import { networksOf } from '../../ground/network.ts';
import { button, fields, form, notice, type Problems } from '../pages/controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { addressChange } from './email-confirm.ts';
import { inUniformTime } from './sign-in/uniform-timing.ts';
import { paths } from '../pages/paths.ts';
import { addressIn } from './person-fields.ts';
import { accountMails } from '../../actions/accounts/account-mails.ts';
import { reauthenticationField, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../pages/page-context.ts';
import { retryAfterText } from '../pages/retry-after-text.ts';

/**
 * Changes the address. Nothing changes until the link that is sent to the new address is opened, so a typing error
 * locks nobody out. The current address is informed too. Only the new address learns whether it already has an
 * account.
 */
export function email(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.email,
    get: (pageContext) => emailView(pageContext),
    async post(pageContext) {
      const entered = addressIn(pageContext.form);
      const proof =
        entered.problem === undefined ? await reauthenticationProblem(dependencies, pageContext) : undefined;
      if (entered.problem !== undefined || proof !== undefined) {
        return { ...emailView(pageContext, { email: entered.problem, password: proof }), status: 422 };
      }
      const seconds = await dependencies.throttle.askForMail(networksOf(pageContext.request.ip));
      if (seconds > 0) {
        return {
          ...emailView(pageContext, { email: `Too many emails were requested. ${retryAfterText(seconds)}.` }),
          status: 429,
        };
      }
      await inUniformTime(dependencies, () => write(dependencies, pageContext, entered.email));
      return redirectTo(`${paths.me}?done=email-sent`);
    },
  };
}

async function write(
  dependencies: PageDependencies,
  { currentUser }: SignedInPageContext,
  to: string,
): Promise<void> {
  const mails = accountMails(dependencies);
  const person = await requirePerson(dependencies, currentUser.person.user);
  await mails.changingAddress(currentUser.email);
  const holder = await findByEmail(dependencies, to);
  if (holder && holder.user !== currentUser.person.user) return mails.alreadyRegistered(holder);
  const { user, email: from, passwordVersion, sessionEpoch } = person;
  const change = { user, from, to, standing: { passwordVersion, sessionEpoch } };
  return mails.newAddress(to, user, (at) => addressChange(dependencies).seal(change, at));
}

function emailView(pageContext: SignedInPageContext, problems: Problems = {}): View {
  const { currentUser, form: given, formToken } = pageContext;
  return {
    title: 'Change your email address',
    content: html`${!currentUser.person.has_password && problems['password'] !== undefined ? notice(problems['password'], 'wrong') : ''}
      <p class="lead">
        It is <strong>${currentUser.email}</strong> now. We will send a link to the new address. Open it and
        enter your password to change the address.
      </p>
      <section class="card">
        ${form({
          action: paths.email,
          token: formToken,
          content: html`${fields(
              [
                {
                  name: 'email',
                  label: 'Email',
                  type: 'email',
                  value: given.get('email') ?? '',
                  autocomplete: 'email',
                },
                ...reauthenticationField(pageContext),
              ],
              problems,
            )}
            <div class="choices">
              ${button('Send the link')} <a class="button secondary" href="${paths.me}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}
