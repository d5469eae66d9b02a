import { requirePerson } from '../../../commands/accounts/person.ts';
import { isPasswordOf } from '../../../commands/accounts/person-password.ts';
import { networksOf } from '../../../ground/network.ts';
import type { Field } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { personParts } from '../../dashboard-dependencies.ts';
import type { SignedInPageContext, PageContext } from '../../pages/page-context.ts';
import { retryAfterText } from '../../pages/retry-after-text.ts';
import { signIns, type MeasuredSignIn } from './measured.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/** How long after signing in without a password a person need not authenticate again, in seconds. */
const freshSeconds = 15 * 60;

/**
 * What is wrong with a password that was entered for an account. Undefined when it is right. Guesses are counted as
 * on the sign-in page.
 */
export async function passwordProblem(
  dependencies: PageDependencies,
  { request, currentUser }: PageContext,
  person: Person,
  password: string,
): Promise<{ readonly problem: string; readonly status: number } | undefined> {
  if (password === '') return { problem: 'Enter your password.', status: 422 };
  const guess = {
    account: person.email,
    networks: networksOf(request.ip),
    browser: dependencies.known.nameAt(request, person) ?? sessionOf(currentUser, person),
    user: person.user,
  };
  const seconds = await dependencies.throttle.guess(guess);
  const told = (outcome: MeasuredSignIn['outcome']) =>
    signIns.publish({ method: 'confirmation', outcome } satisfies MeasuredSignIn);
  if (seconds > 0) {
    told('throttled');
    return { problem: `Too many attempts. ${retryAfterText(seconds)}.`, status: 429 };
  }
  if (!(await isPasswordOf(personParts(dependencies), person, password))) {
    told('failed');
    return { problem: 'This is not the password of the account.', status: 422 };
  }
  told('succeeded');
  await dependencies.throttle.succeeded(guess);
  return undefined;
}

/** A signed-in person is known to the account, even in a session from before browsers were remembered. */
const sessionOf = (currentUser: PageContext['currentUser'], { user }: Person): string | undefined =>
  currentUser?.person.user === user ? currentUser.session.sessionId : undefined;

/**
 * A change that could lock the owner out needs more than an open browser: the password or, for a person without one,
 * a recent sign-in. Returns what is wrong. Undefined when the person has authenticated.
 */
export async function reauthenticationProblem(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<string | undefined> {
  const { currentUser, form } = pageContext;
  if (!currentUser.person.has_password) return recentSignInProblem(dependencies, currentUser);
  const person = await requirePerson(dependencies, currentUser.person.user);
  return (await passwordProblem(dependencies, pageContext, person, form.get('password') ?? ''))?.problem;
}

export const recentSignInProblem = (
  { now }: PageDependencies,
  { session }: SignedInPageContext['currentUser'],
): string | undefined =>
  now().getTime() / 1_000 - session.authTime <= freshSeconds
    ? undefined
    : 'Sign out and sign in again first, so that we know it is you.';

/** The password field. Empty for a person without a password. */
export const reauthenticationField = (
  { currentUser }: SignedInPageContext,
  label = 'Password',
): readonly Field[] =>
  currentUser.person.has_password
    ? [{ name: 'password', label, type: 'password', autocomplete: 'current-password' }]
    : [];
