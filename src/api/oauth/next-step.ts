import { missingScopes, type ConsentState } from '../../commands/oauth/consent.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { BrowserSession } from '../pages/interaction.ts';
import type { Pending } from '../pages/pending-authorization.ts';

/** What must happen before a code can be issued. */
export type NextStep =
  /** `choosing`: it is enough that the person chooses to continue as who they are. */
  | { readonly kind: 'sign-in'; readonly choosing: boolean }
  | {
      readonly kind: 'ask-consent';
      readonly session: BrowserSession;
      readonly scopes: readonly SignInScope[];
    }
  /** `implied`: scopes that are granted without a question, before the code is issued. */
  | { readonly kind: 'issue'; readonly session: BrowserSession; readonly implied: readonly SignInScope[] };

/** What the step depends on, besides the request. */
export interface SignInFacts {
  readonly session: BrowserSession | undefined;
  /** The person that the id_token_hint names. */
  readonly hinted: string | undefined;
  /** The person's consent to the client. */
  readonly consent: ConsentState;
  readonly pending: Pending;
  /** The request has been to our pages and has come back. */
  readonly resumed: boolean;
}

/**
 * Whether the person must sign in or consent first (OpenID Connect Core sections 3.1.2.3 and 3.1.2.4).
 * @throws OAuthRefused access_denied; login_required, consent_required when a page is needed with prompt=none
 */
export function nextStep(request: AuthorizationRequest, facts: SignInFacts): NextStep {
  if (facts.pending.denied) throw refused('access_denied', 'The person did not allow it', '3.1.2.6');
  const silent = request.prompts.has('none');
  const { session } = facts;
  const lacking = whatSignInLacks(request, facts);
  if (!session || lacking) {
    if (silent || lacking === 'Somebody else is signed in')
      throw refused('login_required', lacking ?? 'Nobody is signed in', '3.1.2.6');
    return { kind: 'sign-in', choosing: lacking === 'Nobody has chosen an account' };
  }
  const missing = missingScopes(facts.consent, request.scopes);
  const scopes = scopesToAsk(request, facts, missing);
  if (scopes.length === 0) return { kind: 'issue', session, implied: missing };
  if (silent) throw refused('consent_required', 'The person has not consented to these scopes', '3.1.2.6');
  return { kind: 'ask-consent', session, scopes };
}

type Lack =
  | 'Nobody is signed in'
  | 'Somebody else is signed in'
  | 'Somebody else was signed in'
  | 'Nobody has signed in again'
  | 'The sign-in is too old'
  | 'Nobody has chosen an account';

/**
 * A sign-in after the request arrived meets every demand. max_age is measured at the time of arrival. A request can
 * be resumed in another browser, so another session alone proves nothing.
 */
function whatSignInLacks(
  { prompts, maxAge }: AuthorizationRequest,
  { session, hinted, pending, resumed }: SignInFacts,
): Lack | undefined {
  if (!session) return 'Nobody is signed in';
  const anew = resumed && session.sessionId !== pending.before && session.startedAt >= pending.at;
  if (hinted !== undefined && hinted !== session.user) {
    return anew ? 'Somebody else is signed in' : 'Somebody else was signed in';
  }
  if (anew) return undefined;
  if (prompts.has('login')) return 'Nobody has signed in again';
  if (maxAge !== undefined && (maxAge === 0 || session.authTime < pending.at - maxAge)) {
    return 'The sign-in is too old';
  }
  if (prompts.has('select_account') && pending.chosen !== session.sessionId)
    return 'Nobody has chosen an account';
  return undefined;
}

/**
 * First-party clients get consent without a page, and offline_access needs no question. With prompt=consent the
 * person is asked anyway, once.
 */
function scopesToAsk(
  { client, prompts, scopes }: AuthorizationRequest,
  { session, pending }: SignInFacts,
  missing: readonly SignInScope[],
): readonly SignInScope[] {
  const asksAnyway = prompts.has('consent') && pending.allowed !== session?.sessionId;
  if (asksAnyway) return scopes.filter(needsConsent);
  return client.first_party ? [] : missing.filter(needsConsent);
}

const needsConsent = (scope: SignInScope): boolean => scope !== 'offline_access';

const refused = (
  code: 'access_denied' | 'login_required' | 'consent_required',
  why: string,
  section: string,
) => new OAuthRefused(code, `${why} (OpenID Connect Core section ${section}).`);
