import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { addPasskey, commandPerson, requirePerson, type NewPasskey } from '../../commands/accounts/person.ts';
import { uuidOf } from '../../events/ids.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { defined } from '../../ground/defined.ts';
import type { PersonDocument } from '../../projections/accounts-people.ts';
import { action, personOf, type ActionParts } from '../action.ts';
import { accountMails, type MailParts } from './account-mails.ts';
import { relyingParty, type Challenges } from './challenges.ts';
import { jsonOf, webAuthn } from './web-authn.ts';

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): the algorithms that all authenticators use. */
const algorithms = [-8, -7, -257] as const;

/** The options of a new passkey: discoverable, and with user verification. */
export async function creationOptions(
  { issuer }: Pick<MailParts, 'issuer'>,
  {
    user,
    passkeys = [],
    name,
    email,
  }: Pick<PersonDocument, 'user'> &
    Partial<Pick<PersonDocument, 'passkeys'>> & {
      readonly name: string;
      readonly email: string;
    },
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Commonweal',
    rpID: relyingParty(issuer()).id,
    userID: bytes(user.replaceAll('-', ''), 'hex'),
    userName: email,
    userDisplayName: name,
    challenge: bytes(challenge, 'base64url'),
    timeout: 300_000,
    supportedAlgorithmIDs: [...algorithms],
    excludeCredentials: passkeys.map(({ credential, transports }) => ({
      id: credential,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export interface PasskeyParts extends ActionParts, MailParts {
  readonly challenges: Challenges;
}

/** What a page has sent of a passkey that a browser made for it. `challenge`: as `Challenges` sealed it. */
export const sentPasskey = { challenge: z.string(), answer: z.string(), browser: z.string() };

/** Adds the passkey that a browser has made. `challenge`: as `Challenges` sealed it. */
export const addOwnPasskey = action({
  name: 'account.add-passkey',
  input: z.object({ label: z.string().max(60).optional(), ...sentPasskey }),
  async run(parts: PasskeyParts, { label, ...input }, { who, context }) {
    const person = await requirePerson(parts, personOf(who));
    const { passkey } = await requirePasskey(parts, input);
    const changes = await addPasskey(parts, person.user, { ...passkey, ...defined({ label }) }, context);
    return { changes, value: () => accountMails(parts).changedAccount(person, 'a passkey was added') };
  },
});

/** Removes a passkey of the person. The last way to sign in cannot be removed. */
export const removeOwnPasskey = action({
  name: 'account.remove-passkey',
  input: z.object({ credential: z.string() }),
  async run(parts: ActionParts & MailParts, { credential }, { who, context }) {
    const person = await requirePerson(parts, personOf(who));
    const changes = await commandPerson(parts, person.user, { kind: 'remove-passkey', credential }, context);
    return { changes, value: () => accountMails(parts).changedAccount(person, 'a passkey was removed') };
  },
});

/**
 * The account that begins with a passkey. The passkey names it, so it is fixed when the page asks for one: by the challenge,
 * which nobody can guess.
 */
export const accountOfPasskey = (challenge: string): string => uuidOf('account of a passkey', challenge);

/** A passkey that was made for a page. */
interface MadePasskey {
  readonly passkey: NewPasskey;
  /** The question that it answers, which is answered once. */
  readonly challenge: string;
  /** How it authenticates (RFC 8176). */
  readonly amr: readonly string[];
}

/** @throws CommandRefused invalid, when there is none, or its proof is not valid */
export async function requirePasskey(
  parts: PasskeyParts,
  input: { readonly challenge: string; readonly answer: string; readonly browser: string },
): Promise<MadePasskey> {
  const made = await registeredPasskey(parts, input);
  if (!made) throw new CommandRefused('invalid', 'No passkey was made. Try again, or use another device.');
  return made;
}

async function registeredPasskey(
  { challenges, issuer, now }: PasskeyParts,
  input: { readonly challenge: string; readonly answer: string; readonly browser: string },
): Promise<MadePasskey | undefined> {
  const challenge = await challenges.answer(input.challenge, input.browser, now());
  const response = jsonOf(input.answer);
  if (challenge === undefined || !response) return undefined;
  const { id, origin } = relyingParty(issuer());
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!registrationInfo) return undefined;
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      passkey: {
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        transports: (credential.transports ?? []).filter((transport) => transport.length <= 20).slice(0, 10),
      },
      challenge,
      amr: passkeyMethods(credentialDeviceType),
    };
  } catch {
    // A response that the library refuses is not a passkey.
    return undefined;
  }
}

/**
 * RFC 8176: `hwk` for a key that never leaves its device, `swk` for one that is synchronised, `user` for a presence test.
 */
export const passkeyMethods = (type: 'singleDevice' | 'multiDevice'): readonly string[] => [
  type === 'singleDevice' ? 'hwk' : 'swk',
  'user',
];

const bytes = (text: string, encoding: BufferEncoding): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, encoding));
