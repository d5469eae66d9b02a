import { Resolver as DnsResolver, lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Which URLs we send to. A subscriber chooses the URL and we make the request, so without this guard anybody could
 * make us send requests into our own network (server-side request forgery). Checked three times: when a URL is
 * registered (`checkUrl`), before each attempt (`checkUrl`, since the policy may have changed), and on the very
 * addresses that a connection is about to use (`guardedLookup`).
 */
export interface DestinationPolicy {
  /** For development: http, any port, and addresses of this machine and of private networks. */
  readonly allowPrivate: boolean;
  /**
   * On a developer's own machine: http, and this machine under its three loopback names, `localhost`, 127.0.0.1 and
   * [::1]. No other name may lead there.
   */
  readonly allowLoopback?: boolean;
  /** Our own names and addresses: `host` means every port, `host:port` only that one. */
  readonly ownHosts: readonly string[];
}

/** How this machine may be named where `allowLoopback` holds, and the addresses of `localhost` (RFC 6761, section 6.3). */
const loopbackNames = ['localhost', '127.0.0.1', '::1'];
const localhost: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: 'invalid_url' | 'refused_destination'; readonly message: string };

/** All addresses of a host name. Rejects when there is none. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** The codes of the errors that `guardedLookup` answers with. */
export const destinationRefused = 'DESTINATION_REFUSED';
export const nameNotResolved = 'NAME_NOT_RESOLVED';

/**
 * Checks the URL alone, without DNS. Accepts an absolute https URL of at most 2,000 characters without user name,
 * password, fragment or white space, to port 443, 8443 or one from 1024 on, to a public host that is not ours. The
 * WHATWG parser has by then brought every way to write an IPv4 address (octal, hexadecimal, one number, full-width
 * digits) to dotted decimal, and refuses IPv6 zone ids.
 */
export function checkUrl(text: string, policy: DestinationPolicy): UrlCheck {
  const invalid = (message: string): UrlCheck => ({ ok: false, reason: 'invalid_url', message });
  const refused = (message: string): UrlCheck => ({ ok: false, reason: 'refused_destination', message });

  if (text.length > 2_000) return invalid('The URL is longer than 2,000 characters.');
  // The parser would silently drop or change these, and the stored URL would differ from the one that is called.
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return invalid('The URL contains white space, a control character or a backslash.');
  }
  const url = URL.parse(text);
  if (url === null) return invalid('This is not a complete URL.');
  const host = bareHost(url.hostname);
  const isLoopback = policy.allowLoopback === true && loopbackNames.includes(host);
  if (url.protocol !== 'https:' && !((policy.allowPrivate || isLoopback) && url.protocol === 'http:')) {
    return invalid('The URL must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return invalid('The URL must not contain a user name or password.');
  }
  if (text.includes('#')) return invalid('The URL must not contain a fragment (#).');

  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const isUsualPort = port === 443 || port === 8443 || (isLoopback && port === 80);
  if (!policy.allowPrivate && !isUsualPort && port < 1024) {
    return refused(`Port ${port} is not allowed: use 443, 8443 or a port from 1024 on.`);
  }
  if (isOwn(host, policy, port)) return refused(`${host} is this service itself.`);
  if (isLoopback) return { ok: true, url };
  if (isIP(host) === 0) {
    const inside = !policy.allowPrivate && insideName.test(host);
    return inside ? refused(`${host} is a name of a local network, not a public one.`) : { ok: true, url };
  }
  const range = forbiddenAddress(host, policy);
  return range === null ? { ok: true, url } : refused(`${host} is ${range}.`);
}

/**
 * Why an IP address must not be connected to ("a private address"), or null when it may. For IPv6 only global
 * unicast (2000::/3) is open, so that ranges assigned in the future are refused by default.
 */
export function forbiddenAddress(
  address: string,
  { allowPrivate }: Pick<DestinationPolicy, 'allowPrivate'> = { allowPrivate: false },
): string | null {
  const version = isIP(address);
  if (version === 0) return 'not an IP address';
  if (address.includes('%')) return 'an address of one network link';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // Rows of the other family are left out: BlockList matches across families through v4-mapped addresses.
  const range = ranges.find((row) => row.family === family && row.list.check(address, family));
  if (range !== undefined) return allowPrivate && range.development ? null : range.means;
  return family === 'ipv4' || globalUnicast.check(address, family) ? null : 'not a public address';
}

/**
 * A lookup for the connector of an HTTP client, to be asked for every new connection. All addresses of the name are
 * resolved and one forbidden address refuses the whole name: there is no legitimate reason to mix them. The
 * connection then goes to one of the addresses that were just checked and the name is not resolved again, so a name
 * that changes its address between check and use (DNS rebinding) gains nothing.
 *
 * Errors: `destinationRefused`, `nameNotResolved`. Address literals never reach a lookup; `checkUrl` sees them.
 */
export function guardedLookup(
  policy: DestinationPolicy,
  resolver: Resolver = defaultResolver(policy),
): LookupFunction {
  return (hostname, options, callback) => {
    const isLoopback = policy.allowLoopback === true && !policy.allowPrivate && hostname === 'localhost';
    (isLoopback ? Promise.resolve(localhost) : resolver(hostname)).then(
      (addresses) => {
        const refusal = isLoopback ? null : refusalOf(hostname, addresses, policy);
        const usable = addresses.filter(({ family }) => suits(family, options.family));
        const [first] = usable;
        if (refusal !== null) callback(lookupError(destinationRefused, refusal), []);
        else if (first === undefined)
          callback(lookupError(nameNotResolved, `${hostname} has no address.`), []);
        else if (options.all) callback(null, [...usable]);
        else callback(null, first.address, first.family);
      },
      (cause: unknown) => {
        callback(lookupError(nameNotResolved, `The name ${hostname} could not be resolved.`, cause), []);
      },
    );
  };
}

/**
 * Asks DNS directly, for both families. `dns.lookup` would run in libuv's pool of four threads, where a few
 * names with dead name servers hold up every other lookup, file access and signature. It also means that the
 * hosts file and the search domains of this machine do not count.
 */
export function dnsResolver(dns: DnsResolver = new DnsResolver({ timeout: 1_000, tries: 2 })): Resolver {
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    // Many name servers answer AAAA wrongly or not at all, so one family is enough.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...addressesOf(four, 4), ...addressesOf(six, 6)];
  };
}

/** Names that mean something only inside a network: RFC 6761, 6762 and 8375, .internal, and names without a dot. */
const insideName = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

interface Range {
  readonly family: 'ipv4' | 'ipv6';
  readonly list: BlockList;
  readonly means: string;
  readonly development: boolean;
}

/** The first row that holds an address names it, so exceptions stand above the range they are in. */
const ranges: readonly Range[] = [
  // Cloud metadata services outside link-local; these stay closed in development as well.
  ...closed('a metadata service', '168.63.129.16/32', '192.0.0.192/32', '100.100.100.200/32'),
  ...closed('a metadata service', 'fd00:ec2::254/128', 'fd20:ce::254/128'),
  ...openInDevelopment('an address of this machine', '127.0.0.0/8', '::1/128'),
  ...openInDevelopment('a private address', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'),
  // IANA special-purpose registries, RFC 6890 and its successors.
  ...closed('the unspecified address', '0.0.0.0/8', '::/128'),
  ...closed('a link-local address', '169.254.0.0/16', 'fe80::/10', 'fec0::/10'),
  ...closed('a carrier-grade NAT address', '100.64.0.0/10'),
  ...closed('reserved for protocols', '192.0.0.0/24', '192.88.99.0/24', '100::/64', '5f00::/16'),
  ...closed('a documentation address', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'),
  ...closed('a documentation address', '2001:db8::/32', '3fff::/20'),
  ...closed('a benchmarking address', '198.18.0.0/15'),
  ...closed('a multicast address', '224.0.0.0/4', 'ff00::/8'),
  ...closed('a reserved or broadcast address', '240.0.0.0/4'),
  // IPv6 addresses that carry an IPv4 address: the packet may come out at any IPv4 host.
  ...closed('an IPv4 address in IPv6 form', '::ffff:0:0/96', '::/96'),
  ...closed('a translated IPv4 address', '64:ff9b::/96', '64:ff9b:1::/48'),
  ...closed('a tunnel to an IPv4 address', '2002::/16', '2001::/32'),
  ...closed('reserved for protocols', '2001::/23'),
];
const globalUnicast = blockList('2000::/3');

function closed(means: string, ...subnets: readonly string[]): readonly Range[] {
  return subnets.map((subnet) => ({
    family: familyOf(subnet),
    list: blockList(subnet),
    means,
    development: false,
  }));
}

function openInDevelopment(means: string, ...subnets: readonly string[]): readonly Range[] {
  return closed(means, ...subnets).map((range) => ({ ...range, development: true }));
}

function blockList(subnet: string): BlockList {
  const [network = '', length] = subnet.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(length), familyOf(subnet));
  return list;
}

function familyOf(subnet: string): 'ipv4' | 'ipv6' {
  return subnet.includes(':') ? 'ipv6' : 'ipv4';
}

/** Without the brackets of an IPv6 literal and the dot that may end a name; the parser has lowered the case. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isOwn(host: string, policy: DestinationPolicy, port?: number): boolean {
  const written = isIP(host) === 6 ? `[${host}]` : host;
  const spellings = port === undefined ? [host, written] : [host, written, `${written}:${port}`];
  return policy.ownHosts.some((own) => spellings.includes(own.toLowerCase()));
}

function refusalOf(
  hostname: string,
  addresses: readonly ResolvedAddress[],
  policy: DestinationPolicy,
): string | null {
  for (const { address } of addresses) {
    if (isOwn(address, policy)) return `${hostname} leads to ${address}, which is this service itself.`;
    const range = forbiddenAddress(address, policy);
    if (range !== null) return `${hostname} leads to ${address}, which is ${range}.`;
  }
  return null;
}

function suits(family: number, wanted: number | 'IPv4' | 'IPv6' | undefined): boolean {
  return !wanted || wanted === family || wanted === `IPv${family}`;
}

function lookupError(code: string, message: string, cause?: unknown): NodeJS.ErrnoException {
  return Object.assign(new Error(message, { cause }), { code });
}

function addressesOf(
  answer: PromiseSettledResult<readonly string[]>,
  family: number,
): readonly ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/** In development the hosts file counts, so that localhost and the names of containers lead somewhere. */
function defaultResolver({ allowPrivate }: DestinationPolicy): Resolver {
  return allowPrivate ? (hostname) => lookup(hostname, { all: true }) : dnsResolver();
}
