/**
 * An authorization request that is on its way through our pages. It travels sealed in their addresses, so an
 * abandoned sign-in leaves nothing behind, neither an event nor memory.
 */
export interface Pending {
  /** The query of the request, as it came. */
  readonly query: string;
  /** When it came: Unix seconds, to the millisecond. */
  readonly at: number;
  /** The session that there was then. */
  readonly before?: string;
  /** The session with which the endpoint last sent the browser to sign in, so the sign-in page asks whoever holds it. */
  readonly insufficient?: string;
  /** The sign-in page may let the person go on as who they are, when they choose so. */
  readonly choosing?: boolean;
  /** The session whose person chose to go on as who they are (prompt=select_account). */
  readonly chosen?: string;
  /** The session whose person is asked for consent: what they answer is theirs alone to answer. */
  readonly asking?: string;
  /** The session whose person pressed Allow. */
  readonly allowed?: string;
  /** Somebody pressed Deny. */
  readonly denied?: true;
}

/** How long somebody may take on one of our pages, in seconds; time to register and to verify an address. */
export const pendingSeconds = 3_600;
