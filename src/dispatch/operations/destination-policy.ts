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
 * The allowed destinations of webhooks: never this service, and private addresses only in development. In
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

const withPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** The names of this server as seen from this machine. */
function listeningAt({ host, port, metrics, allowPrivateWebhooks }: OwnAddresses): string[] {
  const local = ['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'];
  const names = allowPrivateWebhooks && local.includes(host) ? ['127.0.0.1', '::1', 'localhost'] : [host];
  const ports = [port, ...(metrics ? [metrics.port] : [])];
  return ports.flatMap((open) => names.map((name) => `${isIPv6(name) ? `[${name}]` : name}:${open}`));
}
