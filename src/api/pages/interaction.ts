import { linkedPages } from '../../actions/linked-pages.ts';
import type { FastifyRequest } from 'fastify';
import type { MasterKey } from '../../ground/master-key.ts';
import { parseSessionToken } from '../../events/accounts/session-format.ts';
import type { Config } from '../../config.ts';
import { SessionValidity } from '../../projections/accounts-session-validity.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { pendingSeconds, type Pending } from './pending-authorization.ts';
import type { Gate } from '../http/ready-gate.ts';
import { SealedValue } from '../../ground/seal.ts';
import { sessionCookie } from '../http/host-cookie.ts';

/** The session at a browser. */
export interface BrowserSession {
  readonly sessionId: string;
  readonly user: string;
  /** When the person authenticated, Unix seconds. `startedAt` is the same with its milliseconds. */
  readonly authTime: number;
  readonly startedAt: number;
  /** How (RFC 8176). */
  readonly amr: readonly string[];
}

/** The sign-in and the consent page. Both get the request as `continue`. */
export const signInPath = linkedPages.signIn;
export const consentPath = '/dash/consent';
/** Where the pages send the browser when the person is done. */
export const resumePath = '/oauth/authorize/resume';

/**
 * The contract between the authorization endpoint and the pages. The endpoint sends the browser to `signIn` or
 * `consent`. The page opens the request in `continue`, lets the person act, records that in the pending request, and
 * sends the browser to `resume`, where the endpoint decides again. Only by 303, and only to these addresses.
 */
export interface Interaction {
  session(request: FastifyRequest): Promise<BrowserSession | undefined>;
  signIn(pending: Pending): string;
  consent(pending: Pending): string;
  resume(pending: Pending): string;
  /** The request in `continue`. Undefined when it is not ours or has expired. */
  open(text: string | undefined): Pending | undefined;
}

export interface InteractionParts {
  readonly config: Pick<Config, 'lifetimes'>;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly gate: Pick<Gate, 'passUnlessLost'>;
  readonly masterKey: MasterKey;
  readonly issuer: () => string;
  readonly now: () => Date;
}

export function interactionOf({
  config,
  documents,
  side,
  gate,
  masterKey,
  issuer,
  now,
}: InteractionParts): Interaction {
  const sessionValidity = new SessionValidity({ documents, side }, config.lifetimes.sessionIdle);
  const requests = new SealedValue<Pending>(masterKey, 'pending authorization', pendingSeconds);
  const to = (path: string) => (pending: Pending) => `${path}?continue=${requests.seal(pending, now())}`;
  return {
    async session(request) {
      const token = sessionCookie(issuer()).read(request);
      const held = token === undefined ? undefined : parseSessionToken(token);
      if (!held) return undefined;
      const found = await sessionValidity.of(held, now());
      if (!found) {
        await gate.passUnlessLost();
        return undefined;
      }
      const { session, user, auth_time, started_at, amr } = found.session;
      const startedAt = Date.parse(started_at) / 1_000;
      return { sessionId: session, user, authTime: auth_time, startedAt, amr };
    },
    signIn: to(signInPath),
    consent: to(consentPath),
    resume: to(resumePath),
    open: (text) => (text === undefined ? undefined : requests.open(text, now())),
  };
}
