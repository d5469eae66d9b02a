import { CommandRefused } from '../../commands/errors.ts';
import { linkLives } from '../../commands/accounts/one-time-links.ts';
import { changeEmail, commandPerson, findPerson } from '../../commands/accounts/person.ts';
import { standsAt } from '../../commands/accounts/user.ts';
import { personOf } from '../../personal/personal-data.ts';
import { html } from '../pages/html.ts';
import { SealedValue } from '../../ground/sealed-value.ts';
import { button, fields, form, hidden, notice, when, type Problems } from '../pages/controls.ts';
import { personParts, type PageDependencies } from '../dashboard-dependencies.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { paths } from '../pages/paths.ts';
import { accountMails } from '../../actions/accounts/account-mails.ts';
import { recentSignInProblem, passwordProblem } from './sign-in/reauthenticate.ts';
import { invalidLinkView } from '../pages/frame/common-views.ts';
import { redirectTo, type Page, type View, type PageContext } from '../pages/page-context.ts';
import type { AccountStanding, Person } from '../../commands/accounts/user-state.ts';

/** The content of the link to a new address. It is sealed, so that nobody can read an address in it. */
interface AddressChange {
  readonly user: string;
  /**
   * Keyed hash of the account's address when the link was made. The link is void when the account has another one.
   */
  readonly from: string;
  readonly to: string;
  /** The state of the account when the link was made. A person who knew an earlier password cannot use the link. */
  readonly standing: AccountStanding;
}

export const addressChange = ({ masterKey }: PageDependencies): SealedValue<AddressChange> =>
  new SealedValue(masterKey, 'address change with password', linkLives['verify-email']);

/** Confirms a new address, with the link that was sent to it and the password of the account. */
export function confirmEmail(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.confirmEmail,
    async get(pageContext) {
      const text = pageContext.query.get('confirm') ?? '';
      const pending = await pendingChangeIn(dependencies, text);
      return pending ? confirmView(pageContext, text, pending) : invalidLinkView('');
    },
    async post(pageContext) {
      const text = pageContext.form.get('confirm') ?? '';
      const pending = await pendingChangeIn(dependencies, text);
      if (!pending) return invalidLinkView('');
      const wrong = await proofProblem(dependencies, pageContext, pending.person);
      if (wrong) return { ...confirmView(pageContext, text, pending, wrong.problem), status: wrong.status };
      if (!(await acceptNewAddress(dependencies, pageContext, pending))) return invalidLinkView('');
      return redirectTo(`${paths.me}?done=email`);
    },
  };
}

interface PendingChange {
  readonly change: AddressChange;
  readonly person: Person;
}

/** A change that is still valid. A change that was interrupted can be repeated. */
async function pendingChangeIn(
  dependencies: PageDependencies,
  text: string,
): Promise<PendingChange | undefined> {
  const change = addressChange(dependencies).open(text, dependencies.now());
  const person = change && (await findPerson(dependencies, change.user));
  if (!person || !standsAt(person, change.standing)) return undefined;
  const begun = !person.verified && person.email === (await dependencies.personal.emailIndex(change.to));
  return person.email === change.from || begun ? { change, person } : undefined;
}

/** A person with the link has the new address. They must also show that the account is theirs. */
async function proofProblem(dependencies: PageDependencies, pageContext: PageContext, person: Person) {
  if (person.passwordVersion > 0) {
    return passwordProblem(dependencies, pageContext, person, pageContext.form.get('password') ?? '');
  }
  const { currentUser } = pageContext;
  const problem =
    currentUser?.person.user === person.user
      ? recentSignInProblem(dependencies, currentUser)
      : 'Sign in to your account in this browser first. Then open the link in the email again.';
  return problem === undefined ? undefined : { problem, status: 422 };
}

/** False when somebody else has the address now. */
async function acceptNewAddress(
  dependencies: PageDependencies,
  pageContext: PageContext,
  { change, person }: PendingChange,
): Promise<boolean> {
  const { user, to: email, standing } = change;
  const old = await dependencies.personal.open<string>(personOf(user), person.email_sealed);
  try {
    const change = { email, standing };
    const { state } = await changeEmail(personParts(dependencies), user, change, pageContext.context(user));
    if (state?.status !== 'active') return false;
    const confirm = { kind: 'verify-email', email: state.email } as const;
    const outcome = await commandPerson(dependencies, user, confirm, pageContext.context(user));
    await untilShown(dependencies.documents, outcome);
  } catch (error) {
    if (error instanceof CommandRefused) return false;
    throw error;
  }
  if (old !== undefined) await accountMails(dependencies).changedAddress(old);
  return true;
}

function confirmView(
  { formToken }: PageContext,
  text: string,
  { change, person }: PendingChange,
  problem?: string,
): View {
  const asked = person.passwordVersion > 0;
  const problems: Problems = { password: problem };
  return {
    title: 'Confirm your new address',
    shape: 'narrow',
    content: html`${when(!asked && problem !== undefined, notice(problem ?? '', 'wrong'))}
      <p>You will sign in with <strong>${change.to}</strong>, and we will send emails there.</p>
      ${form({
        action: paths.confirmEmail,
        token: formToken,
        content: html`${hidden('confirm', text)}
        ${
          asked
            ? fields(
                [
                  {
                    name: 'password',
                    label: 'Your password',
                    type: 'password',
                    autocomplete: 'current-password',
                    autofocus: true,
                  },
                ],
                problems,
              )
            : ''
        }
        ${button('Use this address')}`,
      })}`,
  };
}
