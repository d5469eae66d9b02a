import { findPerson, maySignIn } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { returnToOf } from '../pages/return-to.ts';
import { signIns, type MeasuredSignIn } from './sign-in/measured.ts';
import { newSession } from './sign-in/new-session.ts';
import { relyingParty } from '../../actions/accounts/challenges.ts';
import { passkeyMethods } from '../../actions/accounts/passkeys.ts';
import { jsonOf, webAuthn } from '../../actions/accounts/web-authn.ts';
import { paths } from '../pages/paths.ts';
import { signInView, tooManySignIns } from './sign-in/sign-in.ts';
import { redirectTo, type Page, type PageContext } from '../pages/page-context.ts';

/** Signs in with a passkey, which names the account itself. */
export function signInByPasskey(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.signInByPasskey,
    async post(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      const proof = await verifiedPasskey(dependencies, pageContext);
      const full = proof ? (await dependencies.limits.take(['person-sign-ins', proof.user])).seconds : 0;
      const outcome = full > 0 ? 'throttled' : proof ? 'succeeded' : 'failed';
      signIns.publish({ method: 'passkey', outcome } satisfies MeasuredSignIn);
      if (!proof) {
        const wrong = html`This passkey did not work. Try another one, or use your password.`;
        return { ...signInView(dependencies, pageContext, returnTo, { wrong }), status: 422 };
      }
      if (full > 0)
        return tooManySignIns(full, (wrong) => signInView(dependencies, pageContext, returnTo, { wrong }));
      return redirectTo(returnTo.end, ...(await newSession(dependencies, pageContext, proof)));
    },
  };
}

interface Proof {
  readonly user: string;
  readonly amr: readonly string[];
}

async function verifiedPasskey(
  dependencies: PageDependencies,
  { form, browser }: PageContext,
): Promise<Proof | undefined> {
  const { challenges, issuer, throttle, now } = dependencies;
  const response = jsonOf(form.get('answer'));
  const user = userOf(response?.response.userHandle);
  if (!response || user === undefined) return undefined;
  const person = await findPerson(dependencies, user);
  const passkey = person?.passkeys.find(({ credential }) => credential === response.id);
  if (!person || !maySignIn(person) || !passkey) return undefined;
  // Nothing was verified yet, so an unknown passkey costs little. Passkeys have a limit of their own, which guesses
  // at passwords do not use up.
  if ((await throttle.passkey(passkey.credential)) > 0) return undefined;
  const challenge = await challenges.answer(form.get('challenge'), browser, now());
  if (challenge === undefined) return undefined;
  const { id, origin } = relyingParty(issuer());
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      // Synchronised passkeys do not count signatures (WebAuthn Level 3 section 6.1.1).
      credential: { id: passkey.credential, publicKey: bytesOf(passkey.public_key), counter: 0 },
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    await throttle.passkeySucceeded(passkey.credential);
    return { user, amr: passkeyMethods(authenticationInfo.credentialDeviceType) };
  } catch {
    // A response that the library refuses is no proof.
    return undefined;
  }
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'));

/** The user handle of a passkey is the 16 bytes of the person's id. */
function userOf(handle: string | undefined): string | undefined {
  const hex = Buffer.from(handle ?? '', 'base64url').toString('hex');
  if (hex.length !== 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
