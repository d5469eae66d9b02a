import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback, type MetricsPort } from '../../config.ts';

/** Why a request to the operators' port is refused. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly sentence: string;
}

/**
 * Who may ask the operators' port: whoever sends its token. Without a token, programs of this machine. Pages in a browser
 * of this machine are refused, also those that reach the port by a name of their own (DNS rebinding).
 */
export function refusalOf(
  headers: IncomingHttpHeaders,
  { token }: Pick<MetricsPort, 'token'>,
): Refusal | undefined {
  if (token !== undefined) {
    const [, presented = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return isSame(presented, token)
      ? undefined
      : { status: 401, sentence: 'Send METRICS_TOKEN in the Authorization header: Bearer <token>.' };
  }
  const fromPage =
    headers.origin !== undefined || !['none', undefined].includes(headers['sec-fetch-site']?.toString());
  if (fromPage) return { status: 403, sentence: 'This port is not for pages.' };
  return isLoopback(hostOf(headers.host ?? ''))
    ? undefined
    : { status: 403, sentence: 'This port answers to localhost and 127.0.0.1 alone.' };
}

const hostOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/** Hashed first, because only texts of one length can be compared in constant time. */
function isSame(presented: string, token: string): boolean {
  const [one, other] = [presented, token].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
