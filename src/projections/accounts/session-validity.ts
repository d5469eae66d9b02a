import { timingSafeEqual } from 'node:crypto';
import type { Collection, Documents } from '../../stores/documents/port.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import { people, type PersonDocument } from './people.ts';
import { sessions, type SessionDocument } from './sessions.ts';

/** What a session cookie says of itself. */
export interface HeldSession {
  readonly sessionId: string;
  readonly sha256: string;
}

/** Somebody whose session is good at this moment. */
export interface SignedInPerson {
  readonly session: SessionDocument;
  readonly person: PersonDocument;
}

/** How long a session lasts without being used, in seconds. */
export const sessionIdleSeconds = 30 * 86_400;
/** Clocks of nodes may differ by so much, and one may be set back by so much; in milliseconds. */
const clockSkewMs = 5 * 60_000;
/** A session in use is noted at most so often, in milliseconds. */
const notedEveryMs = 60_000;

/** When a session was last used, where nobody may use it any more. */
const over = 0;

/** What a session is judged by, beside the session itself. */
interface Use {
  /** Unix milliseconds. */
  readonly lastSeen: number;
  readonly idleSeconds: number;
  readonly at: Date;
}

/**
 * Whether a session is within its times. The log and the note of its last use say when it was alive; where they say
 * "later than now", the clock was set back since, nobody can tell how old it is, and it is over.
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

/**
 * Tells good sessions from others. When a session was last used is no event: it lies in the side store, for as
 * long as it matters.
 */
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
   * Who holds the session; undefined when it is not theirs, ended, expired, unused for too long, from before the clock
   * was set back, or they are erased.
   */
  async of({ sessionId, sha256 }: HeldSession, at: Date): Promise<SignedInPerson | undefined> {
    const session = await this.#sessions.get(sessionId);
    if (session?.status !== 'open') return undefined;
    if (!timingSafeEqual(Buffer.from(session.secret_sha256), Buffer.from(sha256))) return undefined;
    const [person, noted] = await Promise.all([this.#people.get(session.user), this.#seen.get(sessionId)]);
    if (person?.status !== 'active' || person.session_epoch !== session.epoch) return undefined;
    const lastSeen = noted ?? Date.parse(session.started_at);
    // For good: it does not come back to life when the clock comes to the time that it was made at.
    if (clockWasSetBack(session, lastSeen, at)) await this.#note(session, over);
    if (!isWithinTimes(session, { lastSeen, idleSeconds: this.#idleSeconds, at })) return undefined;
    if (noted === undefined || at.getTime() - noted >= notedEveryMs) await this.#note(session, at.getTime());
    return { session, person };
  }

  /** When a session was last used; Unix milliseconds, to the minute. */
  async lastSeen(session: SessionDocument): Promise<number> {
    return (await this.#seen.get(session.session)) ?? Date.parse(session.started_at);
  }

  async #note({ session, ends }: SessionDocument, seen: number): Promise<void> {
    // Kept while the session may be good: a note that went earlier would make it look unused since its start.
    await this.#seen.put(session, seen, new Date(ends * 1_000));
  }
}
