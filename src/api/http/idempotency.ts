import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { derivedKey } from '../../stores/vault/seal.ts';
import type { Caller } from './bearer/caller.ts';
import { resourceProblem } from './api-errors.ts';

/** Makes the context of a command out of the request that asks for it. */
export type CommandContexts = (request: FastifyRequest, caller: Caller) => CommandContext;

/**
 * A command is named by its caller, its method and address and the Idempotency-Key, so that the same request
 * sent twice is one command; the keyed hash of the body tells another request that reuses the key.
 */
export function commandContexts(masterKey: Buffer, now: () => Date): CommandContexts {
  const hashKey = derivedKey(masterKey, 'request-hash');
  return (request, { keyId }) => {
    const context = { actor: { kind: 'key', id: keyId }, at: now(), correlationId: request.id } as const;
    const key = idempotencyKeyOf(request);
    if (key === undefined) return { ...context, commandId: crypto.randomUUID() };
    const [address = ''] = request.url.split('?', 1);
    return {
      ...context,
      commandId: uuidOf('key', keyId, request.method, address, key),
      // What the schema has let through has its members in the schema's order.
      requestHash: createHmac('sha256', hashKey)
        .update(JSON.stringify(request.body ?? null))
        .digest('base64url'),
    };
  };
}

/** Refuses a bad Idempotency-Key before anything is done. @throws Problem */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw resourceProblem(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  );
}
