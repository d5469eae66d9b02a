import type { Config } from '../config.ts';
import type { DestinationPolicy } from '../dispatch/destination.ts';

/** Where webhooks may go: never to ourselves, and inside only in development. */
export function destinationPolicy(config: Config): DestinationPolicy {
  return {
    allowPrivate: config.allowPrivateWebhooks,
    ownHosts: config.baseUrl ? [new URL(config.baseUrl).hostname] : [`${config.host}:${config.port}`],
  };
}
