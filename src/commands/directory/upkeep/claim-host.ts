import { isIP } from 'node:net';
import { normalAddress } from '../../../events/accounts/email-address.ts';
import { isPublicSuffix, isSharedHost } from '../../../tables/shared-hosts.ts';

/** `www.example.org` and `example.org` are the same website. */
const withoutWww = (host: string): string => host.replace(/^www\./, '');

/**
 * The host by which an organization proves that a record is its own. Undefined: the website is at no host, at a public suffix,
 * or at one that many share: at a page hoster, a free mail service, a network.
 */
export function claimableHost(website: string | undefined): string | undefined {
  if (website === undefined || !URL.canParse(website)) return undefined;
  const { protocol, hostname } = new URL(website);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const host = withoutWww(hostname.replace(/\.$/, ''));
  const isAddress = isIP(host) !== 0 || host.startsWith('[');
  return isAddress || isPublicSuffix(host) || isSharedHost(host) ? undefined : host;
}

/** The hosts by which a record can be claimed: of its own website, and of that of its organization. */
export function claimableHosts(fields: {
  readonly url?: string | undefined;
  readonly organization?: { readonly url?: string | undefined } | undefined;
}): readonly string[] {
  const hosts = [fields.url, fields.organization?.url].map(claimableHost);
  return [...new Set(hosts.filter((host) => host !== undefined))];
}

/** The host at which an address is. Undefined for what is no email address. */
export function hostOfAddress(address: string): string | undefined {
  const host = normalAddress(address)?.split('@')[1];
  return host === undefined ? undefined : withoutWww(host);
}
