import { requirePerson } from '../../commands/person.ts';
import { isPasswordOf } from '../../commands/person-password.ts';
import { networkOf } from '../network.ts';
import type { Field } from './controls.ts';
import type { Dash } from './dependencies.ts';
import { personParts } from './dependencies.ts';
import type { OwnVisit } from './visit.ts';
import { waitFor } from './wait-for.ts';

/** So long after signing in without a password nobody is asked to prove it once more; seconds. */
const freshSeconds = 15 * 60;

/**
 * A change that would lock the owner out needs more than an open browser: the password, or, for who has none, a
 * sign-in of just now. Answers what is wrong; undefined when it is them.
 */
export async function provenProblem(
  dash: Dash,
  { who, form, request }: OwnVisit,
): Promise<string | undefined> {
  if (!who.person.has_password) return freshProblem(dash, who);
  const password = form.get('password') ?? '';
  if (password === '') return 'Enter your password.';
  const network = networkOf(request.ip);
  const seconds = await dash.throttle.guess(who.person.email, network);
  if (seconds > 0) return `Too many attempts. ${waitFor(seconds)}.`;
  const person = await requirePerson(dash, who.person.user);
  if (!(await isPasswordOf(personParts(dash), person, password))) return 'This is not your password.';
  await dash.throttle.right(who.person.email, network);
  return undefined;
}

const freshProblem = ({ now }: Dash, { session }: OwnVisit['who']): string | undefined =>
  now().getTime() / 1_000 - session.authTime <= freshSeconds
    ? undefined
    : 'Sign out and in again first, so that we know that it is you.';

/** The field that asks for the proof; none for who has no password. */
export const proofField = ({ who }: OwnVisit, label = 'Password'): readonly Field[] =>
  who.person.has_password
    ? [{ name: 'password', label, type: 'password', autocomplete: 'current-password' }]
    : [];
