import { z } from 'zod';
import { linkLives } from '../../commands/accounts/one-time-links.ts';
import {
  changeEmail,
  commandPerson,
  findByEmail,
  findPerson,
  requirePerson,
} from '../../commands/accounts/person.ts';
import { requireActive, standsAt } from '../../commands/accounts/user.ts';
import type { AccountStanding, Person } from '../../commands/accounts/user-state.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { networksOf } from '../../ground/network.ts';
import { SealedValue } from '../../ground/seal.ts';
import { personOf as holderOf } from '../../personal/personal-data.ts';
import { action, done, personOf, type ActionParts } from '../action.ts';
import { accountMails, type MailParts } from './account-mails.ts';
import { refuseFor } from './throttle.ts';
import { inUniformTime, type UniformTiming } from './uniform-timing.ts';

type Parts = ActionParts & MailParts;

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

const sealedChange = ({ masterKey }: Parts): SealedValue<AddressChange> =>
  new SealedValue(masterKey, 'address change with password', linkLives['verify-email']);

/**
 * Sends a link to a new address of the person. Nothing changes until it is opened. The current address is informed too.
 * Only the new address learns whether it already has an account.
 */
export const askForAddress = action({
  name: 'account.ask-for-address',
  /** `ip`: from where it is asked. */
  input: z.object({ email: z.string(), ip: z.string() }),
  wrongField: { forbidden: 'email' },
  async run(parts: Parts & UniformTiming, { email: to, ip }, { who }) {
    refuseFor(await parts.throttle.askForMail(networksOf(ip)), 'Too many emails were requested.');
    await inUniformTime(parts, async () => {
      const mails = accountMails(parts);
      const person = await requirePerson(parts, personOf(who));
      await mails.changingAddress(person);
      const holder = await findByEmail(parts, to);
      if (holder && holder.user !== person.user) return mails.alreadyRegistered(holder);
      const { user, email: from, passwordVersion, sessionEpoch } = person;
      const change = { user, from, to, standing: { passwordVersion, sessionEpoch } };
      return mails.newAddress(to, user, (at) => sealedChange(parts).seal(change, at));
    });
    return done([]);
  },
});

/** Sends the link that confirms the address of the account, where it is not confirmed. */
export const askToConfirm = action({
  name: 'account.ask-to-confirm',
  input: z.object({ ip: z.string() }),
  async run(parts: Parts, { ip }, { who }) {
    refuseFor(await parts.throttle.askForMail(networksOf(ip)), 'Too many emails were requested.');
    const person = await requirePerson(parts, personOf(who));
    if (!person.verified) await accountMails(parts).verify(person);
    return done([]);
  },
});

export interface PendingChange {
  readonly change: AddressChange;
  readonly person: Person;
}

/** What the link to a new address says, as long as it is valid. A change that was interrupted can be repeated. */
export async function pendingChange(parts: Parts, confirm: string): Promise<PendingChange | undefined> {
  const change = sealedChange(parts).open(confirm, parts.now());
  const person = change && (await findPerson(parts, change.user));
  if (!person || !standsAt(person, change.standing)) return undefined;
  const begun = !person.verified && person.email === (await parts.personal.emailIndex(change.to));
  return person.email === change.from || begun ? { change, person } : undefined;
}

/** Makes the new address that of the account. It is refused when somebody else has it now. */
export const acceptAddress = action({
  name: 'account.accept-address',
  right: 'visitor',
  input: z.object({ confirm: z.string() }),
  async run(parts: Parts, { confirm }, by) {
    const pending = await pendingChange(parts, confirm);
    if (!pending) throw new CommandRefused('not_found', 'This link no longer works.');
    const { user, to: email, standing } = pending.change;
    const old = await parts.personal.open<string>(holderOf(user), pending.person.email_sealed);
    const { state } = await changeEmail(parts, user, { email, standing }, asPerson(by.context, user));
    const verify = { kind: 'verify-email', email: requireActive(state).email } as const;
    const changes = await commandPerson(parts, user, verify, asPerson(by.another(), user));
    const tellOld = () => (old === undefined ? Promise.resolve() : accountMails(parts).changedAddress(old));
    return { changes, value: tellOld };
  },
});

/** In the name of somebody who has just shown to be the person. */
export const asPerson = (context: CommandContext, user: string): CommandContext => ({
  ...context,
  actor: { kind: 'user', id: user },
});
