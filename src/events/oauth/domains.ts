import { createHash } from 'node:crypto';
import type { ClientSnapshot } from './client.ts';

type VerifiedDomain = NonNullable<ClientSnapshot['verified_domains']>[number];
export type ProvedBy = VerifiedDomain['by'];

/** Hosts of a client of which its team has proved that it controls them. */
export const verifiedDomains = ({
  verified_domains = [],
}: Pick<ClientSnapshot, 'verified_domains'>): readonly VerifiedDomain[] => verified_domains;

/** Whether a host, with its port if it has one, is verified. */
export const isVerified = (client: Pick<ClientSnapshot, 'verified_domains'>, host: string): boolean =>
  verifiedDomains(client).some((each) => each.host === host);

/** The client with these verified hosts. Without any the field is absent, as in events from before there were any. */
export function withVerified(
  { verified_domains: _before, ...snapshot }: ClientSnapshot,
  verified: readonly VerifiedDomain[],
): ClientSnapshot {
  return verified.length === 0 ? snapshot : { ...snapshot, verified_domains: [...verified] };
}

/** The hosts of redirect URIs that can be proved, with their ports: all but localhost, which is everybody's. */
export const provableHosts = ({ redirect_uris }: Pick<ClientSnapshot, 'redirect_uris'>): string[] => [
  ...new Set(
    redirect_uris
      .map((uri) => new URL(uri))
      .filter(({ hostname }) => hostname !== 'localhost')
      .map(({ host }) => host),
  ),
];

/** Where a host keeps the proof as a file. */
export const proofPath = '/.well-known/commonweal-site-verification';

/** The name of the TXT record with the proof. A name in DNS has no port. */
export const proofRecord = (host: string): string => `_commonweal.${new URL(`https://${host}`).hostname}`;

/**
 * What the file or the record says. It is no secret: it says for which client it stands, so who publishes it on a host
 * vouches for that client, and nobody else can use it.
 */
export const proofToken = (client: string, host: string): string =>
  `commonweal-${createHash('sha256').update(`site verification\n${client}\n${host}`).digest('base64url')}`;
