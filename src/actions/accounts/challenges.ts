import { randomBytes } from 'node:crypto';
import type { MasterKey } from '../../ground/master-key.ts';
import { SealedValue } from '../../ground/seal.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';

interface Challenge {
  readonly challenge: string;
  readonly browser: string;
}

/** How long a challenge is valid, in seconds. */
const challengeSeconds = 3_600;

/**
 * Challenges for passkeys (WebAuthn Level 3 section 13.4.3): unguessable, for one browser, valid once and for a
 * limited time. A challenge travels sealed in the page, so one that nobody answers leaves nothing behind.
 */
export class Challenges {
  readonly #sealed: SealedValue<Challenge>;
  readonly #answered: SideTable<true>;

  constructor({ masterKey, side }: { readonly masterKey: MasterKey; readonly side: SideStore }) {
    this.#sealed = new SealedValue(masterKey, 'passkey challenge', challengeSeconds);
    this.#answered = side.table('passkey-answers');
  }

  ask(browser: string, at: Date): { readonly challenge: string; readonly sealed: string } {
    const challenge = randomBytes(32).toString('base64url');
    return { challenge, sealed: this.#sealed.seal({ challenge, browser }, at) };
  }

  /** The challenge to compare with the signed one. Undefined when it is from another browser, expired or used. */
  async answer(sealed: string | null, browser: string, at: Date): Promise<string | undefined> {
    const sent = sealed === null ? undefined : this.#sealed.open(sealed, at);
    if (sent?.browser !== browser) return undefined;
    // When several answers come at once, one of them is accepted.
    const until = new Date(at.getTime() + challengeSeconds * 1_000);
    return (await this.#answered.putIfAbsent(sent.challenge, true, until)) ? sent.challenge : undefined;
  }
}

/** The relying party: the host where people sign in (WebAuthn Level 3 section 5.1.2). */
export const relyingParty = (issuer: string) => ({ id: new URL(issuer).hostname, origin: issuer });
