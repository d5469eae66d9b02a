import { isIPv6 } from 'node:net';
import type { DestinationPolicy } from '../attempts/destination-guard.ts';

/** What the configuration says of the addresses of this service. */
interface OwnAddresses {
  readonly baseUrl: string | undefined;
  readonly authUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly metrics: { readonly port: number } | undefined;
  readonly allowPrivateWebhooks: boolean;
}

/**
 * The allowed destinations of requests that others make us send: never this service, and private addresses only in development. In
 * development several services share a host, so only our own ports are refused; otherwise our hosts are refused on
 * every port.
 */
export function destinationPolicy(config: OwnAddresses): DestinationPolicy {
  const { baseUrl, authUrl, allowPrivateWebhooks: allowPrivate } = config;
  const named = [baseUrl, authUrl].flatMap((url) => (url === undefined ? [] : [new URL(url)]));
  const hosts = named.map((url) => (allowPrivate ? withPort(url) : url.hostname));
  const listening = allowPrivate || baseUrl === undefined ? listeningAt(config) : [];
  return { allowPrivate, ownHosts: [...new Set([...listening, ...hosts])] };
}

/** What decides whether a server is one that only its own machine can reach. */
interface Reachable extends OwnAddresses {
  readonly trustProxy: readonly string[];
  /** A process that serves nothing belongs to a server elsewhere. */
  readonly roles: readonly string[];
}

/**
 * The allowed destinations of webhooks. While only this machine can reach the server, they may go to this machine as
 * well, for whoever writes a receiver on a laptop. Asked for each server that starts and each address that is entered: a
 * server that is reachable later sends nothing there any more.
 */
export function webhookPolicy(config: Reachable): DestinationPolicy {
  if (config.allowPrivateWebhooks || !isOnlyHere(config)) return destinationPolicy(config);
  // Several services share the machine, so only our own ports are ours.
  const { ownHosts } = destinationPolicy({ ...config, allowPrivateWebhooks: true });
  return { allowPrivate: false, allowLoopback: true, ownHosts };
}

const loopbackHosts = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

const isOnlyHere = ({ host, baseUrl, authUrl, trustProxy, roles }: Reachable): boolean =>
  trustProxy.length === 0 &&
  roles.includes('api') &&
  loopbackHosts.test(host) &&
  [baseUrl, authUrl].every((url) => url === undefined || loopbackHosts.test(new URL(url).hostname));

const withPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** The names of this server as seen from this machine. */
function listeningAt({ host, port, metrics, allowPrivateWebhooks }: OwnAddresses): string[] {
  const local = ['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'];
  const names = allowPrivateWebhooks && local.includes(host) ? ['127.0.0.1', '::1', 'localhost'] : [host];
  const ports = [port, ...(metrics ? [metrics.port] : [])];
  return ports.flatMap((open) => names.map((name) => `${isIPv6(name) ? `[${name}]` : name}:${open}`));
}
