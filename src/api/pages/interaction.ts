import type { FastifyRequest } from 'fastify';
import { parseSessionToken } from '../../commands/accounts/session-format.ts';
import type { Config } from '../../config.ts';
import { SessionValidity } from '../../projections/accounts/session-validity.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { pendingSeconds, type Pending } from './pending-authorization.ts';
import { SealedParameter } from '../http/sealed-parameter.ts';
import { sessionCookie } from '../http/host-cookie.ts';

/** Who is signed in at a browser, and since when. */
export interface BrowserSession {
  readonly sessionId: string;
  readonly user: string;
  /** When they proved who they are, Unix seconds; `startedAt` is the same to the millisecond. */
  readonly authTime: number;
  readonly startedAt: number;
  /** How (RFC 8176). */
  readonly amr: readonly string[];
}

/** Where people sign in, and where they consent; both are given the request as `continue`. */
export const signInPath = '/dash/sign-in';
export const consentPath = '/dash/consent';
/** Where the pages send the browser when the person has done what they ask for. */
export const resumePath = '/oauth/authorize/resume';

/**
 * Between the authorization endpoint and the pages. The endpoint sends the browser to `signIn` or `consent`; the
 * page opens what it finds in `continue`, lets the person do something, notes it in the pending request, and
 * sends the browser to `resume`, where the endpoint decides anew. Only 303, and only these addresses.
 */
export interface Interaction {
  session(request: FastifyRequest): Promise<BrowserSession | undefined>;
  signIn(pending: Pending): string;
  consent(pending: Pending): string;
  resume(pending: Pending): string;
  /** What a page finds in `continue`; undefined when it is not ours or took too long. */
  open(text: string | undefined): Pending | undefined;
}

export interface InteractionParts {
  readonly config: Pick<Config, 'lifetimes'>;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly masterKey: Uint8Array;
  readonly issuer: () => string;
  readonly now: () => Date;
}

export function interactionOf({
  config,
  documents,
  side,
  masterKey,
  issuer,
  now,
}: InteractionParts): Interaction {
  const sessionValidity = new SessionValidity({ documents, side }, config.lifetimes.sessionIdle);
  const requests = new SealedParameter<Pending>(masterKey, 'pending authorization', pendingSeconds);
  const to = (path: string) => (pending: Pending) => `${path}?continue=${requests.seal(pending, now())}`;
  return {
    async session(request) {
      const token = sessionCookie(issuer()).read(request);
      const held = token === undefined ? undefined : parseSessionToken(token);
      const found = held && (await sessionValidity.of(held, now()));
      if (!found) return undefined;
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
