import { z } from 'zod';
import { chooseMails as choose, chosenMails } from '../../commands/accounts/chosen-mails.ts';
import { changeProfile, commandPerson, requirePerson } from '../../commands/accounts/person.ts';
import { commonKnowledgeOf, setPassword } from '../../commands/accounts/person-password.ts';
import { endSession } from '../../commands/accounts/session.ts';
import { profileFields } from '../../events/accounts/user.ts';
import { sessions } from '../../projections/accounts-sessions.ts';
import { action, done, personOf, type ActionParts } from '../action.ts';
import { languageCodes } from '../../tables/language-codes.ts';
import { accountMails, type MailParts } from './account-mails.ts';

/** Replaces the profile as a whole. */
export const saveProfile = action({
  name: 'account.profile',
  input: profileFields,
  run: async (parts: ActionParts, profile, { who, context }) =>
    done(await changeProfile(parts, personOf(who), profile, context)),
});

/** Chooses whether the person hears by mail what became of the records that they submitted, and in which language. */
export const chooseMails = action({
  name: 'account.mails',
  input: z.object({
    decisions: z.boolean({ error: 'is either ticked or not' }),
    language: z
      .string()
      .refine((code) => languageCodes.includes(code), { message: 'is no language of ours' }),
  }),
  run: async (parts: ActionParts, chosen, { who, context }) =>
    done(await choose(parts, personOf(who), chosen, context)),
});

/** What the person has chosen of mails, and whether their address is confirmed. */
export async function mailsOf(parts: ActionParts, user: string) {
  const person = await requirePerson(parts, user);
  return { verified: person.verified, ...(await chosenMails(parts, person)) };
}

/** Sets another password. This ends all sessions and, if the person asks for it, the access of all sites. */
export const changePassword = action({
  name: 'account.password',
  input: z.object({ password: z.string(), endAccess: z.boolean() }),
  async run(parts: ActionParts & MailParts, chosen, { who, context }) {
    const person = await requirePerson(parts, personOf(who));
    const about = await commonKnowledgeOf(parts, person);
    const changes = await setPassword(parts, person.user, { ...chosen, about }, context);
    return {
      changes,
      value: () => accountMails(parts).changedAccount(person, 'a new password was set'),
    };
  },
});

/** Ends a session of the person. They may neither end nor learn about one of somebody else. */
export const endOneSession = action({
  name: 'account.end-session',
  input: z.object({ session: z.string() }),
  async run({ store, documents }: ActionParts, { session }, { who, context }) {
    const found = await documents.collection(sessions.collection).get(session);
    return done(found?.user === personOf(who) ? await endSession(store, session, 'signed_out', context) : []);
  },
});

/** Ends all sessions of the person, with one event. */
export const endAllSessions = action({
  name: 'account.end-sessions',
  input: z.object({}),
  run: async (parts: ActionParts, _, { who, context }) =>
    done(await commandPerson(parts, personOf(who), { kind: 'end-sessions' }, context)),
});
