import { counted } from '../../events/counted.ts';
import { hash } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';
import { OAuthRefused } from './errors.ts';

/**
 * Limits for what a person and a client can append to the log, where it stays for ever. They are far above what sites
 * need: a silent sign-in a few times in an hour, a refresh for each access token. Only what is appended counts.
 */
export interface ExchangeLimits {
  /** Codes of one person at one client. */
  readonly codes: AttemptLimiter;
  /** Refreshes of one grant. */
  readonly refreshesOfGrant: AttemptLimiter;
  /** Refreshes of all grants of one person at one client. Each code begins a grant. */
  readonly refreshesOfPerson: AttemptLimiter;
}

const hour = 3_600;
/** A person with a few browsers and tabs has as many grants at a site. */
const busyGrants = 4;

export const exchangeLimits = (
  attemptLimiter: AttemptLimiterOf,
  { codesPerHour, refreshesPerHour }: { readonly codesPerHour: number; readonly refreshesPerHour: number },
): ExchangeLimits => ({
  codes: attemptLimiter('codes', { points: codesPerHour, windowSeconds: hour }),
  refreshesOfGrant: attemptLimiter('refreshes-grant', { points: refreshesPerHour, windowSeconds: hour }),
  refreshesOfPerson: attemptLimiter('refreshes-person', {
    points: refreshesPerHour * busyGrants,
    windowSeconds: hour,
  }),
});

interface Whose {
  readonly user: string;
  readonly client: string;
}

/** Counts a code before it is issued. @throws as `take` */
export async function takeCode(limits: ExchangeLimits | undefined, whose: Whose): Promise<void> {
  if (limits) await take([[limits.codes, nameOf(whose.user, whose.client)]]);
}

/** Counts a refresh before it is appended. Returns how to give it back. @throws as `take` */
export async function takeRefresh(
  limits: ExchangeLimits | undefined,
  { grant, user, client }: Whose & { readonly grant: string },
): Promise<() => Promise<void>> {
  if (!limits) return () => Promise.resolve();
  return take([
    [limits.refreshesOfGrant, nameOf(grant)],
    [limits.refreshesOfPerson, nameOf(user, client)],
  ]);
}

/** The counts outlive an erasure by an hour, so they name nobody. Ids are random: nobody can guess one from its hash. */
const nameOf = (...ids: readonly string[]): string => hash('sha256', ids.join(' '), 'base64url');

/**
 * Counts an exchange before it is appended. Returns how to give it back, for one that appends nothing after all.
 * @throws OAuthRefused temporarily_unavailable, with the seconds to wait
 */
async function take(
  counted: readonly (readonly [limiter: AttemptLimiter, key: string])[],
): Promise<() => Promise<void>> {
  const taken: (typeof counted)[number][] = [];
  const giveBack = async () => {
    await Promise.all(taken.splice(0).map(([limiter, key]) => limiter.giveBack(key)));
  };
  for (const [limiter, key] of counted) {
    const seconds = await limiter.take(key);
    if (seconds > 0) {
      await giveBack();
      throw tooMany(seconds);
    }
    taken.push([limiter, key]);
  }
  return giveBack;
}

/**
 * Neither the client nor the code or refresh token is wrong, and the same request can succeed later. So it is the error
 * of RFC 6749 section 4.1.2.1 for that, also at the token endpoint, whose own codes (section 5.2) would make clients
 * throw the refresh token away.
 */
const tooMany = (seconds: number) =>
  new OAuthRefused(
    'temporarily_unavailable',
    `This person has signed in at this client too often; wait ${counted(seconds, 'second')} (RFC 6749 section 4.1.2.1).`,
    { retryAfterSeconds: seconds },
  );
