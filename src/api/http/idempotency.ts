import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { KeyedHash } from '../../ground/keyed-hash.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import type { Caller } from './key-lookup.ts';
import { resourceProblem } from './responses/api-errors.ts';
import { commonProblem } from './responses/errors.ts';

/** Makes the context of a command from its request. */
export type CommandContexts = (request: FastifyRequest, caller: Caller) => CommandContext;

/**
 * A command is identified by its caller, method, address and Idempotency-Key, so that the same request sent twice is
 * one command. The keyed hash of the body recognises another request with the same key.
 */
export function commandContexts(masterKey: MasterKey, now: () => Date): CommandContexts {
  const hashes = new KeyedHash(masterKey, 'request-hash');
  return (request, { keyId }) => {
    const context = { actor: { kind: 'key', id: keyId }, at: now(), correlationId: request.id } as const;
    const key = idempotencyKeyOf(request);
    if (key === undefined) return { ...context, commandId: crypto.randomUUID() };
    const [address = ''] = request.url.split('?', 1);
    // Zod puts the members of the body in the order of the schema.
    const body = JSON.stringify(request.body ?? null);
    const [requestHash, ...formerHashes] = hashes.all(body);
    return {
      ...context,
      commandId: uuidOf('key', keyId, request.method, address, key),
      ...(requestHash === undefined ? {} : { requestHash }),
      ...(formerHashes.length > 0 ? { formerRequestHashes: formerHashes } : {}),
    };
  };
}

/** The Idempotency-Key of a request, checked before anything is done. @throws Problem */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw resourceProblem(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  );
}

/** Refuses invalid requests before their body is read. @throws Problem */
export const refuseUnreadable: onRequestHookHandler = (request, _reply, done) => {
  idempotencyKeyOf(request);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw commonProblem('unsupported_media_type', 'The body must be sent without a Content-Encoding.');
  }
  done();
};
