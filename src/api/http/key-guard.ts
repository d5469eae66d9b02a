import type { FastifyReply, FastifyRequest } from 'fastify';
import { counted } from '../../ground/counted.ts';
import type { Outcome } from '../../audit/request-kinds.ts';
import type { KeyUsageCounts } from '../../audit/key-usage-counts.ts';
import type { KeyScope } from '../../events/teams.ts';
import { limitRefusals, type MeasuredRefusal, type RateLimiter } from '../../stores/limits/port.ts';
import { Callers, isEnded, type Caller } from './key-lookup.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { parseKey } from '../../events/keys-format.ts';
import { allowsOrigin, originOf } from './request-origin.ts';
import type { Gate } from './ready-gate.ts';
import { networkOf } from '../../ground/network.ts';
import { InvalidTokenPauses } from './invalid-token-pauses.ts';
import { countUse, kindOfRequest } from './key-usage.ts';
import { resourceProblem } from './responses/api-errors.ts';
import type { Problem } from './responses/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that the guard has admitted. */
    caller: Caller | undefined;
  }
}

/** Admits requests with a valid key that has the scope, and that meets a further condition of the route. */
export type Guard = (
  scope: KeyScope,
  refuse?: (caller: Caller) => Problem | undefined,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The checks of the service API, in the order of their errors (interface 5, 7.2). What it decides on a key of ours is
 * counted as a use of that key.
 */
export function guardOf({
  documents,
  rateLimiter,
  now = () => new Date(),
  gate,
  keyUsage,
}: ServerDependencies & { readonly keyUsage: KeyUsageCounts; readonly gate: Gate }): Guard {
  const callers = new Callers(documents, now);
  const pauses = new InvalidTokenPauses();

  return (scope, refuse) => async (request, reply) => {
    if (!gate.open) await gate.pass();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw missingToken();
    const caller = await callers.of(token, request.raw.socket);
    if (caller === 'unknown') {
      // Not a guess when the key is merely not shown: that counts towards no pause.
      if (parseKey(token)) await gate.passUnlessLost();
      throw invalidToken(pauses.invalid(networkOf(request.ip), now().getTime()));
    }
    const kind = kindOfRequest(request);
    // A key that is over is not a guess. It stays refused, and does not count towards a pause.
    if (isEnded(caller)) {
      countUse(keyUsage, request, caller.endedKeyId, kind, caller.because);
      throw invalidToken(0);
    }
    const refused = (outcome: Outcome, problem: Problem): Problem => {
      countUse(keyUsage, request, caller.keyId, kind, outcome);
      return problem;
    };
    if (isOfOtherDomain(caller, request)) throw refused('domain_not_allowed', domainNotAllowed());
    const waitSeconds = await limitRate(rateLimiter, caller, reply);
    if (waitSeconds > 0) throw refused('rate_limited', rateLimited(waitSeconds));
    if (!caller.scopes.has(scope)) {
      // The scopes of a team key are those that its team is shown with.
      if (caller.team !== undefined) await gate.passUnlessLost();
      throw refused('insufficient_scope', insufficientScope(scope));
    }
    const objection = refuse?.(caller);
    if (objection) throw refused('insufficient_scope', objection);
    countUse(keyUsage, request, caller.keyId, kind, 'accepted');
    request.caller = caller;
  };
}

/** The caller of a request that the guard has admitted. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('This route has no guard.');
  return caller;
}

/** RFC 6750 section 3.1 and interface 5.2: the scope is named in the header and in the body. */
export function insufficientScope(scope: KeyScope) {
  return resourceProblem('insufficient_scope', `This key lacks the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    members: { scope },
  });
}

/**
 * The token of an Authorization header. Undefined when no bearer token was sent (RFC 6750 section 2.1). Scheme names are
 * case-insensitive (RFC 9110 section 11.1).
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.startsWith('Bearer ')) return header.slice(7).trim() || undefined;
  return /^bearer +(.*)$/i.exec(header)?.[1]?.trim() || undefined;
}

const missingToken = () =>
  resourceProblem('missing_token', 'Send a key in the Authorization header: Bearer <API_KEY>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

function invalidToken(pausedForMs: number) {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (pausedForMs === 0)
    return resourceProblem('invalid_token', 'The token is not a valid key.', { headers });
  const seconds = String(Math.ceil(pausedForMs / 1_000));
  return resourceProblem(
    'network_paused',
    `Too many invalid tokens from this network; wait ${counted(Number(seconds), 'second')}.`,
    {
      headers: { 'retry-after': seconds },
    },
  );
}

function isOfOtherDomain({ domains }: Caller, { headers }: FastifyRequest): boolean {
  if (domains.length === 0) return false;
  const origin = originOf(headers);
  return origin !== undefined && !allowsOrigin(domains, origin);
}

const domainNotAllowed = () =>
  resourceProblem(
    'domain_not_allowed',
    'This key is restricted to domains that this request does not come from.',
  );

/**
 * draft-ietf-httpapi-ratelimit-headers: the policy and the remaining requests, with every answer to a key. Returns how
 * many seconds the key has to wait; 0: it need not.
 */
async function limitRate(limits: RateLimiter, { keyId }: Caller, reply: FastifyReply): Promise<number> {
  const { allowed, remaining, resetMs } = await limits.consume(keyId);
  const seconds = Math.ceil(resetMs / 1_000);
  reply.header('ratelimit-policy', `"key";q=${limits.points};w=${limits.windowSeconds}`);
  reply.header('ratelimit', `"key";r=${remaining};t=${seconds}`);
  if (allowed) return 0;
  if (limitRefusals.hasSubscribers) limitRefusals.publish({ limit: 'key' } satisfies MeasuredRefusal);
  return Math.max(1, seconds);
}

const rateLimited = (seconds: number) =>
  resourceProblem(
    'rate_limited',
    `This key has used up its requests; there are more in ${counted(seconds, 'second')}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
