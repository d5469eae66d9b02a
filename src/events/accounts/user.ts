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
const credential = base64url.describe('Names the passkey (WebAuthn credential id).');
const sessionEpoch = z.int().positive().describe('Sessions of an earlier epoch are over.');

const accessEpoch = z
  .int()
  .positive()
  .describe('Present where every site’s access ended with it; consents of an earlier epoch are over.');

const claim = z.uuid().describe('The claim to the address, as its own stream names it.');

export const userStream = stream('user', {
  UserRegistered: event(
    'A person has an account; the address is theirs but not yet verified.',
    z.strictObject({
      user: userId,
      role: userRole,
      email: emailIndex,
      claim,
      email_sealed: sealed.describe('The address.'),
      profile: sealed.describe('Name, username, picture URL, phone.'),
    }),
  ),
  UserProfileChanged: event('The profile is another.', z.strictObject({ profile: sealed })),
  UserEmailChanged: event(
    'The address is another, not yet verified.',
    z.strictObject({ email: emailIndex, claim, email_sealed: sealed }),
  ),
  UserEmailVerified: event(
    'The person showed that the address is theirs.',
    z.strictObject({ email: emailIndex }),
  ),
  EmailClaimLapsed: event(
    'The address was not verified in time, and somebody else claims it.',
    z.strictObject({ email: emailIndex, claim }),
  ),
  UserPasswordChanged: event(
    'Another password holds, and every session is over.',
    z.strictObject({
      version: z.int().positive(),
      password_id: z.uuid().describe('Names the hash in the vault.'),
      session_epoch: sessionEpoch,
      access_epoch: accessEpoch.optional(),
      passkeys_removed: z.literal(true).optional().describe('Every passkey was removed with it.'),
    }),
  ),
  UserSessionsEnded: event(
    'The person signed out everywhere.',
    z.strictObject({ session_epoch: sessionEpoch }),
  ),
  UserRoleChanged: event(
    'An operator made the person an administrator, or no longer one.',
    z.strictObject({ role: userRole }),
  ),
  SetUpClosed: event(
    'There is an administrator who was made another way: the link that makes the first one is void.',
    z.strictObject({ administrator: userId }),
  ),
  PasskeyAdded: event(
    'The person can sign in with this passkey.',
    z.strictObject({
      credential,
      public_key: base64url.describe('COSE key (RFC 9052).'),
      transports: z.array(z.string().max(20)).max(10),
      label: sealed.optional().describe('What the person calls it.'),
    }),
  ),
  PasskeyRemoved: event('The passkey is no longer accepted.', z.strictObject({ credential })),
  UserErased: event(
    'The data key of the person is destroyed: what was sealed under it nobody can read any more.',
    z.strictObject({ email: emailIndex }),
  ),
});
export type UserEvent = EventOf<typeof userStream>;
