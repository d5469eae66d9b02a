import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { NewPasskey } from '../../../commands/accounts/person.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { relyingParty } from './passkey-challenge.ts';
import { jsonOf, webAuthn } from './web-authn.ts';
import type { SignedInPageContext, CurrentUser } from '../../pages/page-context.ts';

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): the algorithms that all authenticators use. */
const algorithms = [-8, -7, -257] as const;

/** The options of a new passkey: discoverable, and with user verification. */
export async function creationOptions(
  { issuer }: PageDependencies,
  { person, profile, email }: CurrentUser,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Commonweal',
    rpID: relyingParty(issuer()).id,
    userID: bytes(person.user.replaceAll('-', ''), 'hex'),
    userName: email,
    userDisplayName: profile.name,
    challenge: bytes(challenge, 'base64url'),
    timeout: 300_000,
    supportedAlgorithmIDs: [...algorithms],
    excludeCredentials: person.passkeys.map(({ credential, transports }) => ({
      id: credential,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The passkey that was made for this page. Undefined when there is none, or its proof is not valid. */
export async function registeredPasskey(
  { challenges, issuer, now }: PageDependencies,
  { form, browser }: SignedInPageContext,
): Promise<NewPasskey | undefined> {
  const challenge = await challenges.answer(form.get('challenge'), browser, now());
  const response = jsonOf(form.get('answer'));
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
    const credential = registrationInfo?.credential;
    return (
      credential && {
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        transports: (credential.transports ?? []).filter((transport) => transport.length <= 20).slice(0, 10),
      }
    );
  } catch {
    // A response that the library refuses is not a passkey.
    return undefined;
  }
}

const bytes = (text: string, encoding: BufferEncoding): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, encoding));
