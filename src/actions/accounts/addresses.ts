import { z } from 'zod';
import { changeEmail, commandPerson, findByEmail, requirePerson } from '../../commands/accounts/person.ts';
import { requireActive } from '../../commands/accounts/user.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { networksOf } from '../../ground/network.ts';
import { personOf as holderOf } from '../../personal/personal-data.ts';
import { action, done, personOf, type ActionParts } from '../action.ts';
import { accountMails, type MailParts } from './account-mails.ts';
import { pendingChange, sealedChange } from './pending-address.ts';
import { refuseFor } from './throttle.ts';
import { removeVoidMails } from './void-mails.ts';
import { inUniformTime, type UniformTiming } from './uniform-timing.ts';

type Parts = ActionParts & MailParts;

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

/** Makes the new address that of the account. It is refused when somebody else has it now. */
export const acceptAddress = action({
  name: 'account.accept-address',
  right: 'visitor',
  input: z.object({ confirm: z.string() }),
  async run(parts: Parts, { confirm }, by) {
    const pending = await pendingChange(parts, confirm);
    if (!pending) throw new CommandRefused('not_found', 'This link no longer works.');
    const { user, to: email, standing: expected } = pending.change;
    const old = await parts.personal.open<string>(holderOf(user), pending.person.email_sealed);
    const { state } = await changeEmail(parts, user, { email, expected }, asPerson(by.context, user));
    const verify = { kind: 'verify-email', email: requireActive(state).email } as const;
    const changes = await commandPerson(parts, user, verify, asPerson(by.another(), user));
    await removeVoidMails(parts, email);
    if (old !== undefined) await removeVoidMails(parts, old);
    const tellOld = () => (old === undefined ? Promise.resolve() : accountMails(parts).changedAddress(old));
    return { changes, value: tellOld };
  },
});

/** In the name of somebody who has just shown to be the person. */
export const asPerson = (context: CommandContext, user: string): CommandContext => ({
  ...context,
  actor: { kind: 'user', id: user },
});
