import type { SealedValue } from '../../personal/personal-data.ts';
import type { SideJournal, SideStore } from '../../stores/side/port.ts';
import type { FailureReason } from './send-failures.ts';
import type { Answered } from './incoming-response.ts';

/** Why an attempt was made. */
export type AttemptTrigger = 'schedule' | 'retry' | 'resend' | 'replay' | 'test';

/**
 * One attempt: opened before it is made, completed when its outcome is an event. It holds what is not in the log,
 * because it may contain anything: the request headers (signatures, never secrets) and the response.
 */
export interface AttemptEntry {
  readonly attempt: number;
  readonly subscription: string;
  /** ISO 8601 UTC. */
  readonly started_at: string;
  readonly trigger: AttemptTrigger;
  /**
   * Absent while the attempt is under way, and when it was interrupted. In an open entry: the outcome is not an event
   * yet.
   */
  readonly outcome?: AttemptOutcome;
  /** The dispatcher stopped before the outcome was known. */
  readonly interrupted?: true;
}

export interface AttemptOutcome {
  readonly ended_at: string;
  readonly duration_ms: number;
  readonly request_headers: Readonly<Record<string, string>>;
  /** When there was an answer. */
  readonly response?: {
    readonly status: number;
    readonly headers: Answered['responseHeaders'];
    readonly text: string;
    readonly truncated: boolean;
  };
  /** When there was none. */
  readonly failure?: { readonly reason: FailureReason; readonly message: string };
  /**
   * Of a delivery with personal data: request headers, response headers and text, sealed for the person. They are empty
   * above. Absent too when the person is erased.
   */
  readonly sealed?: SealedValue;
}

/** Entries by `attemptId`, in groups of subscriptions (see `journalGroupOf`). */
export const attemptJournal = (side: SideStore): SideJournal<AttemptEntry> =>
  side.journal<AttemptEntry>('webhook-attempts');

export const attemptId = (deliveryId: string, attempt: number): string => `${deliveryId}/${attempt}`;

/** The delivery in the id of an entry. */
export const deliveryOfAttempt = (id: string): string => id.slice(0, id.lastIndexOf('/'));

/** A schedule has twelve attempts, and a delivery can be asked for again and again. The newest are not left out. */
const mostAttempts = 10_000;

/** The attempts of a delivery that are kept, oldest first. */
export async function readAttempts(
  side: SideStore,
  deliveryId: string,
): Promise<readonly (AttemptEntry & { readonly open: boolean })[]> {
  const found = await attemptJournal(side).listBeginning(`${deliveryId}/`, mostAttempts);
  return found.map(({ value, open }) => ({ ...value, open })).sort((a, b) => a.attempt - b.attempt);
}
