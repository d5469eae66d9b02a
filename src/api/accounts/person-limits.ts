import { hash } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';

/**
 * Limits for what one person has appended to the log, where it stays for ever. They are far above what anybody does by
 * hand, so that only a program meets them.
 */
export interface PersonLimits {
  /** Forms that change something, and views that are recorded. One that starts much work counts once. */
  readonly changes: PersonLimit;
  /** Sign-ins that succeed. Only somebody who can sign in to the account uses them up. */
  readonly signIns: PersonLimit;
}

export interface PersonLimit {
  /** Counts before anything is appended. Returns 0, or the seconds to wait. */
  take(user: string): Promise<number>;
  /** For what appends nothing after all. */
  giveBack(user: string): Promise<void>;
  /** Lets the person begin anew. */
  forget(user: string): Promise<void>;
}

const hour = 3_600;

export const personLimits = (
  attemptLimiter: AttemptLimiterOf,
  { changesPerHour, signInsPerHour }: { readonly changesPerHour: number; readonly signInsPerHour: number },
): PersonLimits => ({
  changes: limitOf(attemptLimiter('person-changes', { points: changesPerHour, windowSeconds: hour })),
  signIns: limitOf(attemptLimiter('person-sign-ins', { points: signInsPerHour, windowSeconds: hour })),
});

const limitOf = (limiter: AttemptLimiter): PersonLimit => ({
  take: (user) => limiter.take(nameOf(user)),
  giveBack: (user) => limiter.giveBack(nameOf(user)),
  forget: (user) => limiter.forget(nameOf(user)),
});

/** The counts outlive an erasure by an hour, so they name nobody. Ids are random: nobody can guess one from its hash. */
const nameOf = (user: string): string => hash('sha256', user, 'base64url');
