/**
 * An authorization request while the person is on our pages. It travels sealed in their addresses, so an abandoned
 * sign-in leaves no event and no memory behind.
 */
export interface Pending {
  /** The query of the request, unchanged. */
  readonly query: string;
  /** When it arrived: Unix seconds, to the millisecond. */
  readonly at: number;
  /** The session at that time. */
  readonly before?: string;
  /**
   * The session that was not sufficient when the endpoint last sent the browser to sign in. The sign-in page asks its
   * person to sign in again.
   */
  readonly insufficient?: string;
  /** The sign-in page may let the person continue as who they are. */
  readonly choosing?: boolean;
  /** The session whose person chose to continue (prompt=select_account). */
  readonly chosen?: string;
  /** The session whose person is asked for consent. Only that person may answer. */
  readonly asking?: string;
  /** The session whose person pressed Allow. */
  readonly allowed?: string;
  /** Somebody pressed Deny. */
  readonly denied?: true;
}

/** How long a person may take on our pages, in seconds: enough to register and to confirm an address. */
export const pendingSeconds = 3_600;
