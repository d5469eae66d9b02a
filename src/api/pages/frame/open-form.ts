import type { FastifyRequest } from 'fastify';
import type { MasterKey } from '../../../ground/master-key.ts';
import { browserCookie, type Cookie } from '../../http/host-cookie.ts';
import { SealedValue } from '../../../ground/seal.ts';
import { isBrowser, newBrowser } from '../form-token.ts';

/** How long a form may be open. */
const openSeconds = 24 * 3_600;

/** What the form carries: for which browser and subject it was made, and a name of its own. */
interface FormToken {
  readonly browser: string;
  readonly subject: string;
  readonly id: string;
}

/** The request that shows a form or brings it back. */
export interface FormRequest {
  readonly request: FastifyRequest;
  /** The address of the service. It decides the name of the cookie. */
  readonly base: string;
  readonly now: Date;
}

/**
 * Forms that anybody can open and send without signing in. Each carries a sealed token: for which browser and which
 * subject (a form of a team, a record) it was made, and when. Nothing is stored for those who only look. How quickly it
 * comes back tells nobody from a program: a browser that fills in what it remembers needs a second, a program can wait.
 */
export class OpenForms {
  readonly #tokens: SealedValue<FormToken>;

  /** `purpose` separates the tokens of one kind of form from those of another. */
  constructor(masterKey: MasterKey, purpose: string) {
    this.#tokens = new SealedValue(masterKey, purpose, openSeconds);
  }

  /** The token of a form about this subject, and the cookie for a browser that has none yet. */
  open(subject: string, { request, base, now }: FormRequest): { token: string; cookies?: readonly Cookie[] } {
    const cookie = browserCookie(base);
    const named = cookie.read(request);
    const browser = isBrowser(named) ? named : newBrowser();
    const made: FormToken = { browser, subject, id: crypto.randomUUID() };
    const token = this.#tokens.seal(made, now);
    return browser === named ? { token } : { token, cookies: [cookie.set(browser)] };
  }

  /**
   * The name of a form that came back, the same each time that it is sent: sent twice, it is one submission. Undefined
   * when it was not made for this browser and subject, or too long ago.
   */
  nameOf(text: string, subject: string, { request, base, now }: FormRequest): string | undefined {
    const token = this.#tokens.open(text, now);
    if (token?.subject !== subject || token.browser !== browserCookie(base).read(request)) return undefined;
    return token.id;
  }
}
