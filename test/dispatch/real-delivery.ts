import { randomBytes } from 'node:crypto';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret, signHeaders } from '../../src/dispatch/signature.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver } from './harness.ts';
import type { Received } from './receivers.ts';

export interface RealDelivery {
  /** As it was shown to the subscriber. */
  readonly secret: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as a receiver gets it: sent by a dispatcher for a resource that was approved. */
export async function realDelivery(): Promise<RealDelivery> {
  const scene = await openScene();
  try {
    const arrived: Received[] = [];
    const { base } = await startReceiver(scene, (response, _, request) => {
      arrived.push(request);
      response.writeHead(204).end();
    });
    const wish = { team: 'harbour', url: `${base}/hook`, events: ['resource.approved'] } as const;
    const made = await createSubscription(scene.stores, wish, newSigningSecret(randomBytes), operator());
    startDispatcher(scene);
    await scene.approve();
    const [request] = await until(() => arrived.length > 0 && arrived);
    if (!request || made.secret === undefined) throw new Error('Nothing arrived.');
    return { secret: made.secret, body: request.body, headers: request.headers as Record<string, string> };
  } finally {
    await scene.dispose();
  }
}

/** The same delivery, signed as an attempt at another time would be. */
export function attemptedAt({ secret, body, headers }: RealDelivery, at: Date): Record<string, string> {
  const deliveryId = headers['x-service-delivery'] ?? '';
  const signed = signHeaders({ secret, deliveryId, event: 'resource.approved', body, at });
  return Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
}
