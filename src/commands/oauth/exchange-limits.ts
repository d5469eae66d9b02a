import { counted } from '../../ground/counted.ts';
import type { Count, Limits } from '../../stores/limits/port.ts';
import { OAuthRefused } from './errors.ts';

interface Whose {
  readonly user: string;
  readonly client: string;
}

/** Counts a code before it is issued. @throws as `take` */
export async function takeCode(limits: Limits | undefined, { user, client }: Whose): Promise<void> {
  if (limits) await take(limits, ['codes', [user, client]]);
}

/** Counts a refresh before it is appended. Returns how to give it back. @throws as `take` */
export async function takeRefresh(
  limits: Limits | undefined,
  { grant, user, client }: Whose & { readonly grant: string },
): Promise<() => Promise<void>> {
  if (!limits) return () => Promise.resolve();
  return take(limits, ['refreshes-grant', grant], ['refreshes-person', [user, client]]);
}

/**
 * Counts an exchange before it is appended. Returns how to give it back, for one that appends nothing after all: only
 * what is appended counts.
 *
 * Neither the client nor the code or refresh token is wrong, and the same request can succeed later. So too many get the
 * error of RFC 6749 section 4.1.2.1 for that, also at the token endpoint, whose own codes (section 5.2) would make
 * clients throw the refresh token away.
 * @throws OAuthRefused temporarily_unavailable, with the seconds to wait
 */
async function take(limits: Limits, ...counts: readonly Count[]): Promise<() => Promise<void>> {
  const { seconds, giveBack } = await limits.take(...counts);
  if (seconds === 0) return giveBack;
  await giveBack();
  throw new OAuthRefused(
    'temporarily_unavailable',
    `This person has signed in at this site too often; wait ${counted(seconds, 'second')} (RFC 6749 section 4.1.2.1).`,
    { retryAfterSeconds: seconds },
  );
}
