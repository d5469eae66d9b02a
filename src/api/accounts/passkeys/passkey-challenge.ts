import { randomBytes } from 'node:crypto';
import type { SideStore, SideTable } from '../../../stores/side/port.ts';
import { html, type Html } from '../../pages/html.ts';
import { SealedParameter } from '../../http/sealed-parameter.ts';
import { button, form, hidden } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { paths } from '../../pages/paths.ts';
import type { PageContext } from '../../pages/page-context.ts';

interface Asked {
  readonly challenge: string;
  readonly browser: string;
}

/** How long a page with the question may stand open, in seconds. */
const challengeSeconds = 3_600;

/**
 * What a passkey is asked to sign (WebAuthn Level 3 section 13.4.3): unguessable, asked of one browser, good once
 * and for a time. It travels through the page sealed, so a question that nobody answers leaves nothing behind.
 */
export class Challenges {
  readonly #sealed: SealedParameter<Asked>;
  readonly #answered: SideTable<true>;

  constructor({ masterKey, side }: { readonly masterKey: Uint8Array; readonly side: SideStore }) {
    this.#sealed = new SealedParameter(masterKey, 'passkey challenge', challengeSeconds);
    this.#answered = side.table('passkey-answers');
  }

  ask(browser: string, at: Date): { readonly challenge: string; readonly sealed: string } {
    const challenge = randomBytes(32).toString('base64url');
    return { challenge, sealed: this.#sealed.seal({ challenge, browser }, at) };
  }

  /** The challenge, to be compared with what was signed; undefined when it is not this browser's, old or used. */
  async answer(sealed: string | null, browser: string, at: Date): Promise<string | undefined> {
    const asked = sealed === null ? undefined : this.#sealed.open(sealed, at);
    if (asked?.browser !== browser) return undefined;
    // Of many answers that come at once, one is the first.
    const until = new Date(at.getTime() + challengeSeconds * 1_000);
    return (await this.#answered.putIfAbsent(asked.challenge, true, until)) ? asked.challenge : undefined;
  }
}

/** Who answers for a passkey: the host where people sign in (WebAuthn Level 3 section 5.1.2). */
export const relyingParty = (issuer: string) => ({ id: new URL(issuer).hostname, origin: issuer });

/** The way in with a passkey; our script shows it where the browser can do that. */
export function passkeyQuestion(
  { challenges, issuer, now }: PageDependencies,
  pageContext: PageContext,
  inputs: Html,
): Html {
  const { challenge, sealed } = challenges.ask(pageContext.browser, now());
  const options = {
    challenge,
    rpId: relyingParty(issuer()).id,
    userVerification: 'required',
    timeout: 300_000,
  };
  return html`<div data-passkey="get" data-options="${JSON.stringify(options)}" hidden>
    <p class="or"><span>or</span></p>
    ${form({
      action: paths.signInByPasskey,
      token: pageContext.formToken,
      content: html`${inputs}${hidden('challenge', sealed)}${hidden('answer', '')}
      ${button('Sign in with a passkey', { weight: 'secondary' })}`,
    })}
    <p role="status" class="hint"></p>
  </div>`;
}
