import { findByEmail, requirePerson } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import { networksOf } from '../http/network.ts';
import { button, fields, form, notice, type Problems } from '../pages/controls.ts';
import type { Dash } from '../dashboard-dependencies.ts';
import { addressChange } from './email-confirm.ts';
import { inUniformTime } from './sign-in/uniform-timing.ts';
import { paths } from '../pages/paths.ts';
import { addressIn } from './person-fields.ts';
import { accountMails } from './account-mails.ts';
import { proofField, provenProblem } from './sign-in/reauthenticate.ts';
import { go, type SignedInPageContext, type Page, type View } from '../pages/page-context.ts';
import { waitFor } from '../pages/wait-for.ts';

/**
 * Another address. Nothing changes until its owner opens the link that is sent there: a typing error locks
 * nobody out. The address of before is told as well. Whether it has an account already is told to nobody but the address.
 */
export function email(dash: Dash): Page {
  return {
    audience: 'signed in',
    path: paths.email,
    get: (pageContext) => emailView(pageContext),
    async post(pageContext) {
      const wish = addressIn(pageContext.form);
      const proof = wish.problem === undefined ? await provenProblem(dash, pageContext) : undefined;
      if (wish.problem !== undefined || proof !== undefined) {
        return { ...emailView(pageContext, { email: wish.problem, password: proof }), status: 422 };
      }
      const seconds = await dash.throttle.askForMail(networksOf(pageContext.request.ip));
      if (seconds > 0) {
        return {
          ...emailView(pageContext, { email: `Too many emails were requested. ${waitFor(seconds)}.` }),
          status: 429,
        };
      }
      await inUniformTime(() => write(dash, pageContext, wish.email));
      return go(`${paths.me}?done=email-sent`);
    },
  };
}

async function write(dash: Dash, { who }: SignedInPageContext, to: string): Promise<void> {
  const mails = accountMails(dash);
  const person = await requirePerson(dash, who.person.user);
  await mails.changingAddress(who.email);
  const holder = await findByEmail(dash, to);
  if (holder && holder.user !== who.person.user) return mails.alreadyRegistered(to);
  const { user, email: from, passwordVersion, sessionEpoch } = person;
  const change = { user, from, to, standing: { passwordVersion, sessionEpoch } };
  return mails.newAddress(to, user, (at) => addressChange(dash).seal(change, at));
}

function emailView(pageContext: SignedInPageContext, problems: Problems = {}): View {
  const { who, form: given, formToken } = pageContext;
  return {
    title: 'Change your email address',
    content: html`${!who.person.has_password && problems['password'] !== undefined ? notice(problems['password'], 'wrong') : ''}
      <p class="lead">
        It is <strong>${who.email}</strong> now. We will send a link to the new address. Open it and enter
        your password to change the address.
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
                ...proofField(pageContext),
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
