import { z } from 'zod';
import { registerFirstAdministrator } from '../../commands/accounts/administrator.ts';
import { readLink, type LinkPurpose } from '../../commands/accounts/one-time-links.ts';
import { commandPerson, findByEmail, registerPerson, requirePerson } from '../../commands/accounts/person.ts';
import { commonKnowledgeOf, setPassword } from '../../commands/accounts/person-password.ts';
import { requireActive } from '../../commands/accounts/user.ts';
import type { Person } from '../../commands/accounts/user-state.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { displayName } from '../../events/display-name.ts';
import { defined } from '../../ground/defined.ts';
import { personOf as holderOf } from '../../personal/personal-data.ts';
import type { Limits } from '../../stores/limits/port.ts';
import { action, done, visitorOf, type ActionParts } from '../action.ts';
import { accountMails, type MailParts } from './account-mails.ts';
import { asPerson } from './addresses.ts';
import { refuseFor } from './throttle.ts';
import { removeVoidMailsOf } from './void-mails.ts';
import { inUniformTime, type UniformTiming } from './uniform-timing.ts';

type Parts = ActionParts & MailParts & UniformTiming;

const right = 'visitor';
const newAccount = { name: displayName(200), email: z.string(), password: z.string() };
/** Where the person goes on, for the link in the email. */
const returnTo = z.string();
const tooMany = 'Too many requests came from your network.';

/**
 * Opens an account. Only the address itself learns whether it already has an account: the answer is the same, takes
 * as long, and an email is sent in both cases.
 */
export const openAccount = action({
  name: 'accounts.open',
  right,
  input: z.object({ ...newAccount, returnTo }),
  async run(parts: Parts, { name, email, password, returnTo }, { who, context, untilShown }) {
    refuseFor(await parts.throttle.askForMail(visitorOf(who).networks), tooMany);
    await inUniformTime(parts, async () => {
      const mails = accountMails(parts);
      try {
        // Nobody is signed in while registering, so the actor is the service.
        const byItself = { ...context, actor: { kind: 'system', id: 'register' } } as const;
        const { outcome } = await registerPerson(parts, { email, profile: { name }, password }, byItself);
        await untilShown(outcome);
        await mails.verify(requireActive(outcome.state), { returnTo });
      } catch (error) {
        if (!isConflict(error)) throw error;
        const existing = await findByEmail(parts, email);
        // The account of this address was never confirmed. The person who holds the address takes it over with a name
        // and a password of their own.
        if (existing && !existing.verified) await mails.reset(existing, { returnTo });
        else await mails.alreadyRegistered(existing ?? email);
      }
    });
    return done([]);
  },
});

/** Opens the account of the first administrator, with the link that the first start prints. Its value: whose it is. */
export const openFirstAccount = action({
  name: 'accounts.open-first',
  right,
  input: z.object({ ...newAccount, link: z.string() }),
  wrongField: { invalid: 'email' },
  async run(parts: Parts, { link, name, email, password }, { context, another }) {
    await requireLink(parts, 'set-up', link);
    const bySetUp = { ...context, actor: { kind: 'system', id: 'set-up' } } as const;
    const registration = { email, profile: { name }, password };
    const { userId } = await registerFirstAdministrator(parts, registration, bySetUp).catch(
      (error: unknown) => {
        if (!isConflict(error)) throw error;
        throw new CommandRefused('invalid', 'This address has an account already.');
      },
    );
    // The operator gave the address, so it need not be confirmed.
    const person = await requirePerson(parts, userId);
    const changes = await confirmed(parts, person, asPerson(another(), userId));
    return { changes, value: () => userId };
  },
});

/** Confirms the address of an account. Its value: whose it is. */
export const confirmAddress = action({
  name: 'accounts.confirm',
  right,
  input: z.object({ link: z.string() }),
  async run(parts: Parts, { link }, { context }) {
    const person = await personOfLink(parts, 'verify-email', link);
    const changes = await confirmed(parts, person, asPerson(context, person.user));
    await removeVoidMailsOf(parts, person);
    return { changes, value: () => person.user };
  },
});

/**
 * Sends a link to choose a new password, if there is an account. The answer is the same for every address. A browser
 * that has signed in to the account before has a limit of its own.
 */
export const askForReset = action({
  name: 'accounts.ask-for-reset',
  right,
  input: z.object({ email: z.string(), returnTo }),
  wrongField: { forbidden: 'email' },
  async run(parts: Parts, { email, returnTo }, { who }) {
    const { networks, browserAt } = visitorOf(who);
    await inUniformTime(parts, async () => {
      const person = await findByEmail(parts, email);
      const browser = browserAt(person);
      if (browser === undefined) refuseFor(await parts.throttle.askForMail(networks), tooMany);
      const mails = accountMails(parts);
      return person ? mails.reset(person, { browser, returnTo }) : mails.nobody(email, 'reset');
    });
    return done([]);
  },
});

/**
 * Sets a new password with the link from the email. The link works once, because its MAC covers the password. Whoever
 * has the link reads the mail of the address, so the address is confirmed too. Somebody else may have known the old
 * password: all sessions and the access of all sites end, and passkeys are removed unless the owner keeps them. Nothing
 * stays of what was entered in an account of which no address was ever confirmed: the owner enters a name.
 */
export const choosePassword = action({
  name: 'accounts.choose-password',
  right,
  input: z.object({
    link: z.string(),
    name: displayName(200).optional(),
    password: z.string(),
    removePasskeys: z.boolean(),
  }),
  async run(
    parts: Parts & { readonly limits: Limits },
    { link, name, password, removePasskeys },
    { who, context },
  ) {
    const person = await personOfLink(parts, 'reset-password', link);
    const { user, email, everVerified } = person;
    if (!everVerified && name === undefined) throw new CommandRefused('invalid', 'Enter a name.');
    const profile =
      everVerified || name === undefined ? undefined : await parts.personal.seal(holderOf(user), { name });
    const change = {
      password,
      about: [...(await commonKnowledgeOf(parts, person)), name ?? ''],
      afterVersion: person.passwordVersion,
      endAccess: true,
      removePasskeys: removePasskeys || !everVerified,
      verifies: email,
      ...defined({ profile }),
    };
    const changes = await setPassword(parts, user, change, asPerson(context, user));
    await removeVoidMailsOf(parts, person);
    const value = async () => {
      await parts.limits.forget(['person-sign-ins', user]);
      await parts.throttle.forget({ account: email, networks: visitorOf(who).networks });
      await accountMails(parts).changedAccount(person, 'a new password was set');
      return { user, sessionEpoch: requireActive(changes.state).sessionEpoch };
    };
    return { changes, value };
  },
});

const confirmed = (
  parts: Parts,
  { user, email }: Person,
  context: Parameters<typeof asPerson>[0],
): ReturnType<typeof commandPerson> => commandPerson(parts, user, { kind: 'verify-email', email }, context);

/** @throws CommandRefused not_found, for a link that is not valid (any more) */
async function requireLink(parts: Parts, purpose: LinkPurpose, link: string) {
  const found = await readLink(parts, { link, purpose, at: parts.now() });
  if (!found) throw new CommandRefused('not_found', 'This link no longer works.');
  return found;
}

const personOfLink = async (parts: Parts, purpose: LinkPurpose, link: string): Promise<Person> =>
  requireActive((await requireLink(parts, purpose, link)).person);

const isConflict = (error: unknown): boolean => error instanceof CommandRefused && error.code === 'conflict';
