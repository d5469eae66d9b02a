import { requirePerson } from '../../../commands/accounts/person.ts';
import { isPasswordOf } from '../../../commands/accounts/person-password.ts';
import { retryAfterText } from '../../../ground/refusals.ts';
import { networksOf } from '../../../ground/network.ts';
import { proofField } from '../../../actions/perform.ts';
import type { Unproven } from '../../pages/action-form.ts';
import { fields, notice, type Problems } from '../../pages/controls.ts';
import type { Html } from '../../pages/html.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { SignedInPageContext, PageContext } from '../../pages/page-context.ts';
import { signIns, type MeasuredSignIn } from './measured.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';
import { passwordField } from '../person-fields.ts';

/** How long after signing in without a password a person need not authenticate again, in seconds. */
const freshSeconds = 15 * 60;

/**
 * What is wrong with the password that the form has for an account. Undefined when it is right. Guesses are counted as
 * on the sign-in page.
 */
export async function passwordProblem(
  dependencies: PageDependencies,
  { request, form, currentUser }: PageContext,
  person: Person,
): Promise<Unproven | undefined> {
  const password = form.get(proofField) ?? '';
  if (password === '') return unproven('Enter your password.');
  const guess = {
    account: person.email,
    networks: networksOf(request.ip),
    browser: dependencies.recognizedBrowsers.nameAt(request, person) ?? sessionOf(currentUser, person),
    user: person.user,
  };
  const seconds = await dependencies.throttle.guess(guess);
  const publish = (outcome: MeasuredSignIn['outcome']) =>
    signIns.publish({ method: 'confirmation', outcome } satisfies MeasuredSignIn);
  if (seconds > 0) {
    publish('throttled');
    return { problem: `Too many attempts. ${retryAfterText(seconds)}.`, status: 429 };
  }
  if (!(await isPasswordOf(dependencies, person, password))) {
    publish('failed');
    return unproven('This is not the password of the account.');
  }
  publish('succeeded');
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
): Promise<Unproven | undefined> {
  const { currentUser } = pageContext;
  if (!currentUser.person.has_password) return recentSignInProblem(dependencies, currentUser);
  const person = await requirePerson(dependencies, currentUser.person.user);
  const wrong = await passwordProblem(dependencies, pageContext, person);
  return wrong && unproven(wrong.problem);
}

export const recentSignInProblem = (
  { now }: PageDependencies,
  { session }: SignedInPageContext['currentUser'],
): Unproven | undefined =>
  now().getTime() / 1_000 - session.authTime <= freshSeconds
    ? undefined
    : unproven('Sign out and sign in again first, so that we know it is you.');

export const unproven = (problem: string): Unproven => ({ problem, status: 422 });

/** The password field, for a person with a password. */
export const proofFields = (
  { currentUser }: SignedInPageContext,
  problems: Problems,
  label?: string,
): Html | '' => (currentUser.person.has_password ? fields([passwordField(label)], problems) : '');

/** What is wrong with the proof of a person without a password, for whom there is no field at which it could stand. */
export function proofNotice({ currentUser }: SignedInPageContext, problems: Problems): Html | '' {
  const problem = currentUser.person.has_password ? undefined : problems[proofField];
  return problem === undefined ? '' : notice(problem, 'wrong');
}
