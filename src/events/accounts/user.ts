import { z } from 'zod';
import { event, stream, text, type EventOf } from '../define.ts';
import { displayName, misleadingName, misleads } from '../display-name.ts';
import { emailIndex, sealed, userId } from '../oauth/values.ts';

export const userRole = z.enum(['person', 'administrator'], { message: 'must be person or administrator' });
export type UserRole = z.output<typeof userRole>;

/** The fields of a profile. They are validated before they are sealed, because nobody can check them afterwards. */
export const profileFields = z.strictObject({
  name: displayName(200),
  username: z
    .string()
    .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,58}[\p{L}\p{N}])?$/u, {
      message: 'must be up to 60 letters, digits, inner dots, hyphens and underscores',
    })
    .refine((name) => !misleads(name), { message: misleadingName })
    .optional(),
  /** Shown by other sites. Our own pages never load it. */
  picture: text(2_000)
    .refine((value) => /^https:\/\/[^\s"'<>\\]+$/.test(value) && URL.canParse(value), {
      message: 'must be an https URL',
    })
    .optional(),
  phone: z
    .string()
    .regex(/^\+?[0-9][0-9 ()./-]{3,30}$/, { message: 'must be a telephone number' })
    .optional(),
});
export type ProfileFields = z.output<typeof profileFields>;

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(4_000)
  .meta({ title: 'base64url' });
const credential = base64url.describe('The WebAuthn credential id of the passkey.');
const sessionEpoch = z.int().positive().describe('Sessions with a lower epoch are over.');

const accessEpoch = z
  .int()
  .positive()
  .describe('Present when the access of every site ended. Consents with a lower access epoch are over.');

const hold = z.uuid().describe('The id of the legal hold. A person can be under several.');

const claim = z.uuid().describe('The id of the claim in the stream of the address.');

export const userStream = stream('user', {
  UserRegistered: event(
    'A person registered. The email address is not verified yet.',
    z.strictObject({
      user: userId,
      role: userRole,
      email: emailIndex,
      claim,
      email_sealed: sealed.describe('The email address.'),
      profile: sealed.describe('Name, username, picture URL, phone.'),
      invitation: z
        .uuid()
        .optional()
        .describe(
          'The invitation to a team with whose link the account began. It can be used before its address is verified.',
        ),
    }),
  ),
  UserProfileChanged: event('The profile was changed.', z.strictObject({ profile: sealed })),
  UserEmailChanged: event(
    'The email address was changed. The new one is not verified yet.',
    z.strictObject({ email: emailIndex, claim, email_sealed: sealed }),
  ),
  UserEmailVerified: event('The person verified the email address.', z.strictObject({ email: emailIndex })),
  EmailClaimLapsed: event(
    'The email address was not verified in time, and somebody else claimed it.',
    z.strictObject({ email: emailIndex, claim }),
  ),
  UserPasswordChanged: event(
    'The password was changed. Every session ended.',
    z.strictObject({
      version: z.int().positive(),
      password_id: z.uuid().describe('The id of the password hash in the vault.'),
      session_epoch: sessionEpoch,
      access_epoch: accessEpoch.optional(),
      passkeys_removed: z.literal(true).optional().describe('Present when every passkey was removed too.'),
    }),
  ),
  UserSessionsEnded: event(
    'The person signed out everywhere.',
    z.strictObject({ session_epoch: sessionEpoch }),
  ),
  UserRoleChanged: event('An operator changed the role of the person.', z.strictObject({ role: userRole })),
  SetUpClosed: event(
    'The link that registers the first administrator became invalid, because an administrator was made in another way.',
    z.strictObject({ administrator: userId }),
  ),
  PasskeyAdded: event(
    'The person added a passkey.',
    z.strictObject({
      credential,
      public_key: base64url.describe('COSE key (RFC 9052).'),
      transports: z.array(z.string().max(20)).max(10),
      label: sealed.optional().describe('The name that the person gave the passkey.'),
    }),
  ),
  PasskeyRemoved: event('A passkey was removed. It is no longer accepted.', z.strictObject({ credential })),
  ErasureRequested: event(
    'The account is to be erased. Until it is due, the request can be withdrawn. The metadata say who asked for it.',
    z.strictObject({
      due_at: z.iso.datetime().describe('When the account is erased. A legal hold delays it.'),
    }),
  ),
  ErasureWithdrawn: event('The request to erase the account was withdrawn.', z.strictObject({})),
  UserMailsChosen: event(
    'The person chose whether to get mails about what became of the records that they submitted, and in which language.',
    z.strictObject({
      decisions: z.boolean(),
      language_sealed: sealed.describe('The code of the language of these mails.'),
    }),
  ),
  LegalHoldPlaced: event(
    'A legal hold was placed on the person. While one is in force, nothing of the person is erased.',
    z.strictObject({ hold, reason: sealed.describe('Why, for those who placed it.') }),
  ),
  LegalHoldLifted: event('A legal hold was lifted.', z.strictObject({ hold })),
  OwnDataExported: event(
    'What is stored about the person was downloaded. The metadata say by whom: the person, or an operator for them.',
    z.strictObject({}),
  ),
  UserErased: event(
    'The account was erased. The person’s data key is destroyed, so nobody can read the data that was sealed with it.',
    z.strictObject({ email: emailIndex }),
  ),
});
export type UserEvent = EventOf<typeof userStream>;
