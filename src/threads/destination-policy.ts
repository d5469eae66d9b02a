import type { Config } from '../config.ts';
import type { DestinationPolicy } from '../dispatch/destination.ts';

/** Where webhooks may go: never to ourselves, and inside only in development. */
export function destinationPolicy(config: Config): DestinationPolicy {
  const named = [config.baseUrl, config.authUrl].flatMap((url) =>
    url === undefined ? [] : new URL(url).hostname,
  );
  return {
    allowPrivate: config.allowPrivateWebhooks,
    ownHosts: config.baseUrl === undefined ? [`${config.host}:${config.port}`, ...named] : named,
  };
}
