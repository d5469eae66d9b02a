import type { FastifyRequest } from 'fastify';
import type { StoreError, StoreErrorCode } from '../../../stores/errors.ts';

/** While a store is away every request fails: one line a minute says so, and how many more there were. */
const againAfterMs = 60_000;

type Logged = Map<StoreErrorCode, { readonly at: number; since: number }>;
/** By the HTTP server that the parts of an application share. */
const loggedOf = new WeakMap<FastifyRequest['server']['server'], Logged>();

/** Logs that a store was away, busy or full, without a stack: it is no fault of the code. */
export function logOutage({ code, message }: StoreError, request: FastifyRequest): void {
  const { server } = request.server;
  const logged: Logged = loggedOf.get(server) ?? new Map<StoreErrorCode, { at: number; since: number }>();
  loggedOf.set(server, logged);
  const last = logged.get(code);
  const now = performance.now();
  if (last && now - last.at < againAfterMs) {
    last.since += 1;
    return;
  }
  logged.set(code, { at: now, since: 0 });
  request.log.warn(
    { reqId: request.id, store: code, ...(last?.since ? { more: last.since } : {}) },
    `A store failed: ${message}`,
  );
}
