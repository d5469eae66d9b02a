import { isIP } from 'node:net';
import {
  checkUrl,
  destinationRefused,
  guardedLookup,
  type DestinationPolicy,
  type Resolver,
  type UrlCheck,
} from '../attempts/destination-guard.ts';

/** What DNS says when a name does not exist, or has no address. */
const noSuchName = ['ENOTFOUND', 'ENODATA'];

/**
 * Checks a URL that somebody wants deliveries to go to: the URL itself, that its host name exists, and that all of its
 * addresses are allowed. When DNS does not answer, the URL is accepted: each attempt checks the addresses again.
 */
export async function checkDestination(
  text: string,
  policy: DestinationPolicy,
  resolver?: Resolver,
): Promise<UrlCheck> {
  const checked = checkUrl(text, policy);
  if (!checked.ok) return checked;
  const { hostname } = checked.url;
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return checked;
  const error = await new Promise<LookupError | null>((resolve) =>
    guardedLookup(policy, resolver)(hostname, { all: true }, (failure) => resolve(failure)),
  );
  if (error?.code === destinationRefused)
    return { ok: false, reason: 'refused_destination', message: error.message };
  const cause = error?.cause as LookupError | undefined;
  if (error && (cause === undefined || noSuchName.includes(cause.code ?? '')))
    return {
      ok: false,
      reason: 'invalid_url',
      message: `The name ${hostname} does not lead to any address.`,
    };
  return checked;
}

type LookupError = NodeJS.ErrnoException;
