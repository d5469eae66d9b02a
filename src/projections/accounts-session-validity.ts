import { timingSafeEqual } from 'node:crypto';
import type { Collection, Documents } from '../stores/documents/port.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { people, type PersonDocument } from './accounts-people.ts';
import { sessions, type SessionDocument } from './accounts-sessions.ts';

/** The content of a session cookie. */
export interface HeldSession {
  readonly sessionId: string;
  readonly sha256: string;
}

/** A person whose session is valid now. */
export interface SignedInPerson {
  readonly session: SessionDocument;
  readonly person: PersonDocument;
}

/** How long an unused session lasts, in seconds. */
export const sessionIdleSeconds = 30 * 86_400;
/**
 * The largest tolerated difference between the clocks of nodes, and the largest tolerated step back of one clock, in
 * milliseconds.
 */
const clockSkewMs = 5 * 60_000;
/** How often the use of a session is recorded at most, in milliseconds. */
const notedEveryMs = 60_000;

/** The time of last use of a session that nobody may use any more. */
const over = 0;

/** What a session is judged by, besides the session itself. */
interface Use {
  /** Unix milliseconds. */
  readonly lastSeen: number;
  readonly idleSeconds: number;
  readonly at: Date;
}

/**
 * Whether a session has not expired. The log and the record of its last use tell when it was in use. When they name a
 * time in the future, the clock was set back since. The age of the session is then unknown, so it has ended.
 */
export function isWithinTimes(
  { ends, started_at }: Pick<SessionDocument, 'ends' | 'started_at'>,
  { lastSeen, idleSeconds, at }: Use,
): boolean {
  const now = at.getTime();
  if (clockWasSetBack({ started_at }, lastSeen, at)) return false;
  return ends * 1_000 > now && lastSeen + idleSeconds * 1_000 > now;
}

const clockWasSetBack = (
  { started_at }: Pick<SessionDocument, 'started_at'>,
  lastSeen: number,
  at: Date,
): boolean => Math.max(Date.parse(started_at), lastSeen) > at.getTime() + clockSkewMs;

/** Tells whether a session is valid. Its last use is no event: it is in the side store, as long as it matters. */
export class SessionValidity {
  readonly #sessions: Collection<SessionDocument>;
  readonly #people: Collection<PersonDocument>;
  readonly #seen: SideTable<number>;
  readonly #idleSeconds: number;

  constructor(
    { documents, side }: { readonly documents: Documents; readonly side: SideStore },
    idleSeconds = sessionIdleSeconds,
  ) {
    this.#sessions = documents.collection(sessions.collection);
    this.#people = documents.collection(people.collection);
    this.#seen = side.table('session-seen');
    this.#idleSeconds = idleSeconds;
  }

  /**
   * The person of a session. Undefined when the secret is wrong, the session has ended, has expired, was unused for
   * too long or is from before the clock was set back, or the person is erased.
   */
  async of({ sessionId, sha256 }: HeldSession, at: Date): Promise<SignedInPerson | undefined> {
    const session = await this.#sessions.get(sessionId);
    if (session?.status !== 'open') return undefined;
    if (!timingSafeEqual(Buffer.from(session.secret_sha256), Buffer.from(sha256))) return undefined;
    const [person, noted] = await Promise.all([this.#people.get(session.user), this.#seen.get(sessionId)]);
    if (person?.status !== 'active' || person.session_epoch !== session.epoch) return undefined;
    const lastSeen = noted ?? Date.parse(session.started_at);
    // Recorded for good: the session must not become valid again when the clock reaches its start.
    if (clockWasSetBack(session, lastSeen, at)) await this.#note(session, over);
    if (!isWithinTimes(session, { lastSeen, idleSeconds: this.#idleSeconds, at })) return undefined;
    if (noted === undefined || at.getTime() - noted >= notedEveryMs) await this.#note(session, at.getTime());
    return { session, person };
  }

  /** When a session was last used. Unix milliseconds, to the minute. */
  async lastSeen(session: SessionDocument): Promise<number> {
    return (await this.#seen.get(session.session)) ?? Date.parse(session.started_at);
  }

  async #note({ session, ends }: SessionDocument, seen: number): Promise<void> {
    // Kept until the session ends. Without the record, the session would look unused since its start.
    await this.#seen.put(session, seen, new Date(ends * 1_000));
  }
}
