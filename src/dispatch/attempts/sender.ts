import type { Agent, Dispatcher } from 'undici';
import { checkUrl, guardedLookup, type DestinationPolicy, type Resolver } from './destination-guard.ts';
import { IncomingResponse } from './incoming-response.ts';
import {
  attemptTimeoutMs,
  connectTimeoutMs as longestConnectMs,
  keptResponseBytes,
} from '../delivery-policy.ts';
import { aborted, explain, timedOut, type UnmeasuredFailure } from './send-failures.ts';
import type { Failed } from './send-failures.ts';
import type { Answered } from './incoming-response.ts';

export interface SenderOptions {
  readonly policy: DestinationPolicy;
  /** The limit for the whole attempt, from the DNS lookup to the last byte of the response. */
  readonly timeoutMs?: number;
  /** For name, TCP and TLS; kept by undici's coarse timer, which can be up to a second late. */
  readonly connectTimeoutMs?: number;
  /** How much of a response body is kept. */
  readonly maximumResponseBytes?: number;
  /** Protects against running out of sockets. The lanes limit concurrency. */
  readonly connectionsPerOrigin?: number;
  /** Replaces DNS, or in development the resolver of the system. */
  readonly resolver?: Resolver;
}

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /**
   * Asked when there is a connection, just before the first byte: until then the process may have stood still for any
   * time, and no timer has told it. With false nothing is sent, and the outcome is the one of an abort.
   */
  readonly mayStart?: () => boolean;
}

export type SendOutcome = Answered | Failed;

export interface Sender {
  /** One POST, one outcome. Never throws, and settles within the time limit. */
  send(sending: Sending): Promise<SendOutcome>;
  /** Refuses new requests, waits for those under way (up to the time limit), and closes every connection. */
  close(): Promise<void>;
}

/** Any 2xx acknowledges (interface section 4.5); a redirect does not, and is not followed. */
export const isAcknowledged = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && isSuccess(outcome.status);

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Sends webhooks over kept-alive HTTP/1.1 connections, one request at a time on each.
 *
 * - The status decides: once it is in, the outcome is "answered", even if the body is then broken off. A
 *   receiver that has said 2xx has taken the delivery.
 * - The body is kept up to `maximumResponseBytes`. The rest is read and dropped, to leave the connection usable
 *   and not to cut off a receiver that is still writing, but only up to `discardedBytes` and within the time limit.
 * - No proxy of the environment is used: it would resolve names without the destination guard.
 */
export function createSender({
  policy,
  timeoutMs = attemptTimeoutMs,
  connectTimeoutMs = longestConnectMs,
  maximumResponseBytes = keptResponseBytes,
  connectionsPerOrigin = 128,
  resolver,
}: SenderOptions): Sender {
  let closed = false;
  let opened: Promise<Agent> | undefined;
  /** Loaded with the first webhook: undici took 110 ms of each start. */
  const open = async (): Promise<Agent> => {
    const refuses = closed;
    const { Agent } = await import('undici');
    const agent = new Agent({
      connections: connectionsPerOrigin,
      pipelining: 1,
      // With HTTP/2 all requests to an origin would share one connection, and fail together.
      allowH2: false,
      connect: { timeout: connectTimeoutMs, lookup: guardedLookup(policy, resolver), autoSelectFamily: true },
      // A connection that the receiver closes just as we reuse it costs an attempt, so idle ones are not kept long.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      // Our own timer limits the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (refuses) await agent.close();
    return agent;
  };
  return {
    async send(sending) {
      const checked = checkUrl(sending.url, policy);
      if (!checked.ok)
        return { kind: 'failed', reason: checked.reason, message: checked.message, durationMs: 0 };
      const agent = await (opened ??= open());
      if (sending.signal?.aborted) return { ...aborted(checked.url.host), durationMs: 0 };
      return exchange(agent, checked.url, sending, { timeoutMs, maximumResponseBytes });
    },
    async close() {
      closed = true;
      await (await opened)?.close();
    },
  };
}

/** How much of a body is read and dropped before the connection is closed. */
const discardedBytes = 1_048_576;

type Unmeasured = Omit<Answered, 'durationMs'> | UnmeasuredFailure;

/**
 * Uses `dispatch`, which creates no stream per response. Measured over loopback at concurrency 10, with all checks and
 * limits: 0.95 to 1.03 times the rate of a bare `request` that reads the text (20,000 to 26,000 a second).
 */
function exchange(
  agent: Agent,
  url: URL,
  { headers, body, signal, mayStart }: Sending,
  { timeoutMs, maximumResponseBytes }: { readonly timeoutMs: number; readonly maximumResponseBytes: number },
): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const started = performance.now();
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;
    let response: IncomingResponse | undefined;

    const breakOff = (outcome: Unmeasured, why: string) => {
      end(response?.answer('broken off') ?? outcome);
      controller?.abort(new Error(why));
    };
    const timer = setTimeout(
      () => breakOff(timedOut(url.host, timeoutMs), 'The time limit was reached.'),
      timeoutMs,
    );
    const onAbort = () => breakOff(aborted(url.host), 'The request is not to go on.');
    signal?.addEventListener('abort', onAbort, { once: true });

    function end(outcome: Unmeasured, handOver = (settle: () => void) => settle()): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      const durationMs = Math.round(performance.now() - started);
      handOver(() => resolve({ ...outcome, durationMs }));
    }

    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
      {
        onRequestStart(begun) {
          controller = begun;
          if (settled) begun.abort(new Error('It was broken off before there was a connection.'));
          else if (mayStart?.() === false) onAbort();
        },
        onResponseStart(_controller, status, responseHeaders) {
          // 1xx is not the final response (RFC 9110, section 15.2).
          if (status >= 200) response = new IncomingResponse(status, responseHeaders, maximumResponseBytes);
        },
        onResponseData(begun, chunk) {
          if (response === undefined || response.take(chunk) <= discardedBytes) return;
          end(response.answer('broken off'));
          begun.abort(new Error('The response is too long.'));
        },
        onResponseEnd() {
          if (response !== undefined) end(response.answer('complete'), onceReusable);
        },
        onResponseError(_controller, error) {
          end(response?.answer('broken off') ?? explain(error, url.host));
        },
      },
    );
  });
}

/**
 * undici can reuse a connection one turn of the event loop after the last byte. A request sent earlier opens another
 * connection. Without this, receivers had twice as many connections at the same rate (measured).
 */
function onceReusable(settle: () => void): void {
  queueMicrotask(() => setImmediate(settle));
}
