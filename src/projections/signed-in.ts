import { timingSafeEqual } from 'node:crypto';
import type { Collection, Documents } from '../stores/documents/port.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
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
/** A session in use is noted at most so often, in milliseconds. */
const notedEveryMs = 60_000;

/**
 * Tells good sessions from others. When a session was last used is no event: it lies in the side store, for as
 * long as it matters.
 */
export class SignedIn {
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

  /** Who holds the session; undefined when it is not theirs, ended, expired, unused for too long, or they are erased. */
  async of({ sessionId, sha256 }: HeldSession, at: Date): Promise<SignedInPerson | undefined> {
    const session = await this.#sessions.get(sessionId);
    if (session?.status !== 'open' || session.ends * 1_000 <= at.getTime()) return undefined;
    if (!timingSafeEqual(Buffer.from(session.secret_sha256), Buffer.from(sha256))) return undefined;
    const [person, noted] = await Promise.all([this.#people.get(session.user), this.#seen.get(sessionId)]);
    if (person?.status !== 'active' || person.session_epoch !== session.epoch) return undefined;
    const seen = noted ?? Date.parse(session.started_at);
    if (seen + this.#idleSeconds * 1_000 <= at.getTime()) return undefined;
    if (noted === undefined || at.getTime() - noted >= notedEveryMs) await this.#note(session, at);
    return { session, person };
  }

  /** When a session was last used; Unix milliseconds, to the minute. */
  async lastSeen(session: SessionDocument): Promise<number> {
    return (await this.#seen.get(session.session)) ?? Date.parse(session.started_at);
  }

  async #note({ session, ends }: SessionDocument, at: Date): Promise<void> {
    // Kept while the session may be good: a note that went earlier would make it look unused since its start.
    await this.#seen.put(session, at.getTime(), new Date(ends * 1_000));
  }
}
