import type { Outcome } from '../command-handler.ts';

/**
 * All error codes of the sign-in provider, with the HTTP status for errors that are not sent by redirect: interface
 * 7.1; RFC 6749 sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0 section 3.1.2.6; RFC 6750 section 3.1; RFC 7009
 * section 2.2.1.
 */
export const oauthErrors = {
  invalid_request: 400,
  invalid_client: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  access_denied: 400,
  login_required: 400,
  consent_required: 400,
  interaction_required: 400,
  account_selection_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503,
  server_error: 500,
} as const;

export type OAuthErrorCode = keyof typeof oauthErrors;

type Change = Pick<Outcome<unknown>, 'types' | 'position'>;

/** A request that the sign-in provider refuses. The message tells a developer which rule failed. */
export class OAuthRefused extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  /**
   * Set when the grant has ended: the events to wait for before answering, so that none of its tokens is accepted
   * afterwards.
   */
  readonly after: Change | undefined;
  /** Set when the same request may succeed after this time. */
  readonly retryAfterSeconds: number | undefined;

  /** `message`: an `error_description`, so in the characters that RFC 6749 section 5.2 allows. */
  constructor(
    code: OAuthErrorCode,
    message: string,
    { after, retryAfterSeconds }: { after?: Change | undefined; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'OAuthRefused';
    this.code = code;
    this.status = oauthErrors[code];
    this.after = after;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
