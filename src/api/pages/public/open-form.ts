import type { FastifyRequest } from 'fastify';
import type { MasterKey } from '../../../stores/vault/seal.ts';
import { browserCookie, type Cookie } from '../../http/host-cookie.ts';
import { SealedParameter } from '../../http/sealed-parameter.ts';
import { isBrowser, newBrowser } from '../form-token.ts';

/** How long a form may be open. */
const openSeconds = 24 * 3_600;
/** Nobody reads a form and fills it in faster. */
const fastestMs = 3_000;

/** What the form carries: for which browser and subject it was made, when, and a name of its own. */
interface FormToken {
  readonly browser: string;
  readonly subject: string;
  readonly madeAt: number;
  readonly id: string;
}

/** The request that shows a form or brings it back. */
export interface FormRequest {
  readonly request: FastifyRequest;
  /** The address of the service. It decides the name of the cookie. */
  readonly base: string;
  readonly now: Date;
}

/** A form that came back from the browser that it was made for. */
export interface ReturnedForm {
  /** The same each time that this form is sent: sent twice, it is one submission. */
  readonly id: string;
  /** It came back faster than a person can fill it in. */
  readonly isTooFast: boolean;
}

/**
 * Forms that anybody can open and send without signing in. Each carries a sealed token: for which browser and which
 * subject (a form of a team, a record) it was made, and when. Nothing is stored for those who only look.
 */
export class OpenForms {
  readonly #tokens: SealedParameter<FormToken>;

  /** `purpose` separates the tokens of one kind of form from those of another. */
  constructor(masterKey: MasterKey, purpose: string) {
    this.#tokens = new SealedParameter(masterKey, purpose, openSeconds);
  }

  /** The token of a form about this subject, and the cookie for a browser that has none yet. */
  open(subject: string, { request, base, now }: FormRequest): { token: string; cookies?: readonly Cookie[] } {
    const cookie = browserCookie(base);
    const named = cookie.read(request);
    const browser = isBrowser(named) ? named : newBrowser();
    const made: FormToken = { browser, subject, madeAt: now.getTime(), id: crypto.randomUUID() };
    const token = this.#tokens.seal(made, now);
    return browser === named ? { token } : { token, cookies: [cookie.set(browser)] };
  }

  /** Undefined when it was not made for this browser and subject, or too long ago. */
  returned(text: string, subject: string, { request, base, now }: FormRequest): ReturnedForm | undefined {
    const token = this.#tokens.open(text, now);
    if (token?.subject !== subject || token.browser !== browserCookie(base).read(request)) return undefined;
    return { id: token.id, isTooFast: now.getTime() - token.madeAt < fastestMs };
  }
}
