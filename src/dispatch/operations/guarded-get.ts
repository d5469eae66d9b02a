import type { IncomingMessage } from 'node:http';
import {
  checkUrl,
  destinationRefused,
  guardedLookup,
  nameNotResolved,
  type DestinationPolicy,
  type Resolver,
} from '../attempts/destination-guard.ts';

export interface GuardedGet {
  readonly policy: DestinationPolicy;
  /** Replaces DNS, or in development the resolver of the system. */
  readonly resolver?: Resolver | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * One GET on a connection of its own, of an address that `checkUrl` has accepted. Redirects are not followed: nobody has
 * checked where they lead.
 */
export function guardedGet(
  url: URL,
  { policy, resolver, headers, signal }: GuardedGet,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // An import would load the client behind `fetch` too.
    const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
    request(url, { agent: false, lookup: guardedLookup(policy, resolver), signal, headers })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** The whole body. Undefined when it is longer; the rest is not read. */
export async function bodyUpTo(mostBytes: number, response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export type GuardedAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: Buffer;
    }
  /** In a sentence for people, which names the host and never the path. */
  | { readonly kind: 'failed'; readonly message: string };

/** Reads an address that somebody else has named. Never throws, and settles within the time limit. */
export async function readGuarded(
  address: string,
  {
    mostBytes,
    timeoutMs,
    signal: stop,
    ...get
  }: Omit<GuardedGet, 'signal'> & {
    readonly mostBytes: number;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<GuardedAnswer> {
  const failed = (message: string): GuardedAnswer => ({ kind: 'failed', message });
  const checked = checkUrl(address, get.policy);
  if (!checked.ok) return failed(checked.message);
  const { host } = checked.url;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stop ? [stop] : [])]);
  try {
    const response = await guardedGet(checked.url, { ...get, signal });
    const body = await bodyUpTo(mostBytes, response);
    if (body === undefined) return failed(`${host} answered with more than ${mostBytes} bytes.`);
    return { kind: 'answered', status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === destinationRefused || code === nameNotResolved) return failed(message);
    if (signal.aborted) return failed(`${host} did not answer within ${timeoutMs / 1_000} s.`);
    return failed(`${host} could not be reached (${code ?? 'unexpected'}).`);
  }
}
