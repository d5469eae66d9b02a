import { missingScopes, type ConsentState } from '../../../commands/oauth/consent.ts';
import { OAuthRefused } from '../../../commands/oauth/errors.ts';
import type { SignInScope } from '../../../events/oauth/values.ts';
import type { AuthorizationRequest } from './request.ts';
import type { BrowserSession } from '../../pages/interaction.ts';
import type { Pending } from '../../pages/pending-authorization.ts';

/** What has to happen before there can be a code. */
export type NextStep =
  /** `choosing`: going on as who they are is enough, when they choose so. */
  | { readonly kind: 'sign-in'; readonly choosing: boolean }
  | {
      readonly kind: 'ask-consent';
      readonly session: BrowserSession;
      readonly scopes: readonly SignInScope[];
    }
  /** `unasked`: scopes to be consented to first, for which nobody is asked. */
  | { readonly kind: 'issue'; readonly session: BrowserSession; readonly unasked: readonly SignInScope[] };

/** What the step rests on, beside the request. */
export interface SignInFacts {
  readonly session: BrowserSession | undefined;
  /** Whom the id_token_hint names. */
  readonly hinted: string | undefined;
  /** Of the session's person to the client. */
  readonly consent: ConsentState;
  readonly pending: Pending;
  /** The request has been to our pages and is back. */
  readonly resumed: boolean;
}

/**
 * Whether the person must sign in or consent first (OpenID Connect Core sections 3.1.2.3 and 3.1.2.4).
 * @throws OAuthRefused access_denied; login_required, consent_required where a page would be needed (prompt=none)
 */
export function nextStep(request: AuthorizationRequest, standing: SignInFacts): NextStep {
  if (standing.pending.denied) throw refused('access_denied', 'The person did not allow it', '3.1.2.6');
  const silent = request.prompts.has('none');
  const { session } = standing;
  const lacking = whatSignInLacks(request, standing);
  if (!session || lacking) {
    if (silent || lacking === 'Somebody else is signed in')
      throw refused('login_required', lacking ?? 'Nobody is signed in', '3.1.2.6');
    return { kind: 'sign-in', choosing: lacking === 'Nobody has chosen an account' };
  }
  const missing = missingScopes(standing.consent, request.scopes);
  const asked = scopesToAsk(request, standing, missing);
  if (asked.length === 0) return { kind: 'issue', session, unasked: missing };
  if (silent) throw refused('consent_required', 'The person has not consented to these scopes', '3.1.2.6');
  return { kind: 'ask-consent', session, scopes: asked };
}

type Lack =
  | 'Nobody is signed in'
  | 'Somebody else is signed in'
  | 'Somebody else was signed in'
  | 'Nobody has signed in again'
  | 'The sign-in is too old'
  | 'Nobody has chosen an account';

/**
 * Who has signed in since the request came has done all that could be asked; max_age counts up to when it came.
 * A request can be resumed in another browser, so another session alone proves nothing.
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
 * First-party clients are consented to without a page, and offline_access changes nothing. prompt=consent asks
 * all the same, once.
 */
function scopesToAsk(
  { client, prompts, scopes }: AuthorizationRequest,
  { session, pending }: SignInFacts,
  missing: readonly SignInScope[],
): readonly SignInScope[] {
  const asksAnyway = prompts.has('consent') && pending.allowed !== session?.sessionId;
  if (asksAnyway) return scopes.filter(isAskedFor);
  return client.first_party ? [] : missing.filter(isAskedFor);
}

const isAskedFor = (scope: SignInScope): boolean => scope !== 'offline_access';

const refused = (
  code: 'access_denied' | 'login_required' | 'consent_required',
  why: string,
  section: string,
) => new OAuthRefused(code, `${why} (OpenID Connect Core section ${section}).`);
